// Leaves of Lines of Action: first numbers by mobility and by quads, wins of one ply and of three
// that a probe sees. Every search says what retrograde analysis says, with a certificate.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "games/core/error.h"
#include "games/core/random_position.h"
#include "games/loa/entry.h"
#include "host/path/exhaustive.h"
#include "kernels/numbers/quad_numbers.h"
#include "saved.h"
#include "support.h"
#include "tests/conformance.h"
#include "tests/host/certified.h"

namespace playproof::loa_leaves_test {
namespace {

using Text = GameText<Loa>;

// L: the leaf numbers where there is a choice; P: the probe.
const std::vector<std::string> kSearches = {
    "pn:leaf=L,probe=P",
    "pn:leaf=L,probe=P,ties=deepest",
    "pn:leaf=L,probe=P,merge=dag",
    "pn:leaf=L,probe=P,merge=basetwin,order=random",
    "pn2:leaf=L,probe=P",
    "pn2:leaf=L,probe=P,evaluate=immediate",
    "wpns:leaf=L,probe=P",
    "wpns:leaf=L,probe=P,merge=dag,earlybreak=off",
    "dfpn:leaf=L,probe=P",
    "dfpn:leaf=L,probe=P,epsilon=0.25,history=basetwin",
    "dfpn:leaf=L,probe=P,increment=0,loops=patience",
    "dfpn:leaf=L,probe=P,table=8KiB,order=random",
    "dfpn:leaf=L,probe=P,similar=simulation",
    "pds:leaf=L,probe=P",
    "pds:leaf=L,probe=P,similar=killer",
    "pnstar:leaf=L,probe=P,loops=dfpnr",
    "alphabeta:leaf=L,probe=P",
};
// Those whose leaves have numbers of their own.
const std::vector<std::string> kOthers = {"deeppn:probe=P",
                                          "mcpn:probe=P,playouts=4",
                                          "ppn:probe=P,playouts=4",
                                          "ews:probe=P,playouts=4",
                                          "mcts:probe=P",
                                          "uct:probe=P,playouts=2",
                                          "dfppn:probe=P,playouts=4",
                                          "dfews:probe=P,playouts=4"};

std::string with(std::string search, const std::string& leaf, const std::string& probe) {
  const auto put = [&](const std::string& what, const std::string& value) {
    const std::size_t at = search.find(what);
    if (at != std::string::npos) search.replace(at + what.size() - 1, 1, value);
  };
  put("leaf=L", leaf);
  put("probe=P", probe);
  return search;
}

// A position of so many stones of either side, not over.
Loa::State few_stones(const Loa::Rules& rules, int black, int white, Draws& draws) {
  while (true) {
    std::uint64_t stones[2] = {};
    for (int side = 0; side < 2; ++side) {
      while (popcount64(stones[side]) < (side == 0 ? black : white)) {
        const int drawn = draws.below(rules.size * rules.size);
        const int cell = 8 * (drawn / rules.size) + drawn % rules.size;
        stones[side] |= (std::uint64_t{1} << cell) & ~stones[1 - side];
      }
    }
    const Loa::State state = Loa::make_state(rules, stones[0], stones[1], draws.below(2));
    if (!Loa::finished(rules, state)) return state;
  }
}

const std::pair<const char*, PathRule> kRepetitions[] = {{"third", PathRule::kThirdDraws},
                                                         {"second", PathRule::kRepetitionDraws},
                                                         {"none", PathRule::kInfiniteDraw}};

struct Board {
  int size, black, white;
};

TEST(LoaLeaves, EverySearchOnSmallBoards) {
  Draws draws(7);
  std::map<std::string, std::uint64_t> seen;  // wins that probes saw
  std::map<std::string, int> decided;
  int turn = 0;
  for (const Board& board : {Board{4, 2, 2}, Board{4, 3, 2}, Board{5, 2, 2}}) {
    for (int times = 0; times < (nightly() ? 20 : 1); ++times) {
      const auto& [name, repetition] = kRepetitions[++turn % 3];
      const Loa::Rules rules = Loa::make_rules(board.size, repetition, turn % 2 == 0);
      const Loa::State state = few_stones(rules, board.black, board.white, draws);
      const std::string position = Text::format(rules, state);
      const std::string game = Text::canonical(rules);
      for (const char* goal : {"win", "draw"}) {
        const Claim claim{Loa::to_move(rules, state), static_cast<Value>(threshold_of(goal))};
        Retrograde<Loa> truth(rules, claim);
        ASSERT_TRUE(truth.run(state, ~std::uint64_t{0}));
        const Verdict right = truth.reached(state) ? Verdict::kProved : Verdict::kDisproved;
        const auto expect = [&](const std::string& algorithm, const std::string& search) {
          SCOPED_TRACE(game + ' ' + position + ' ' + algorithm + ' ' + goal);
          SolveRequest request = ask(game, algorithm, position, goal);
          request.certificate = true;
          request.limits.max_nodes = search.find("playouts") == std::string::npos ? 5'000 : 500;
          const auto solver = make_solver(request);
          const SolveResult result = finish(*solver);
          if (result.verdict == Verdict::kUnknown) return;
          ++decided[search];
          ASSERT_EQ(result.verdict, right);
          solver->self_check();
          seen[search] += result.counters.races;
          EXPECT_LE(result.counters.races, result.counters.race_nodes);
          EXPECT_EQ(expect_certified(*solver, request, result).status, check::kValid);
        };
        const char* const probes[] = {"none", "look1", "look3"};
        for (const std::string& search : kSearches) {
          for (const char* leaf : {"mobility", "quads"}) {
            expect(with(search, leaf, probes[++turn % 3]), search);
          }
        }
        for (const std::string& search : kOthers) {
          expect(with(search, "", probes[++turn % 3]), search);
        }
        if (HasFailure()) return;
      }
    }
  }
  for (const auto* searches : {&kSearches, &kOthers}) {
    for (const std::string& search : *searches) {
      EXPECT_GT(seen[search], 0u) << search;
      EXPECT_GT(decided[search], 1) << search;
    }
  }
}

// Groups as their quads tell them, counted from the text of a position.
int plain_groups(const std::string& cells, int size, char stone) {
  const auto at = [&](int row, int column) {
    const bool inside = 0 <= row && row < size && 0 <= column && column < size;
    return inside && cells[static_cast<std::size_t>(row * size + column)] == stone ? 1 : 0;
  };
  int four = 0;
  for (int row = -1; row < size; ++row) {
    for (int column = -1; column < size; ++column) {
      const int falling = at(row, column) + at(row + 1, column + 1);
      const int rising = at(row, column + 1) + at(row + 1, column);
      const int all = falling + rising;
      four += all == 1 ? 1 : all == 3 ? -1 : all == 2 && falling != rising ? -2 : 0;
    }
  }
  return std::max(1, four / 4);
}
// pn and dn of a leaf, from its text and its moves.
std::pair<double, double> plain_numbers(const Loa::Rules& rules, const Loa::State& state,
                                        const std::string& leaf, bool attackers) {
  Move moves[Loa::kMaxMoves];
  const double count = Loa::moves(rules, state, moves);
  double own = 1;
  double other = count;
  if (leaf == "quads") {
    const std::string text = Text::format(rules, state);
    const bool black = text.back() == 'X';
    for (int i = 1; i < plain_groups(text, rules.size, black ? 'X' : 'O'); ++i) own *= 2;
    for (int i = 1; i < plain_groups(text, rules.size, black ? 'O' : 'X'); ++i) other *= 2;
  }
  if (!attackers) std::swap(own, other);
  return {own, other};
}

TEST(LoaLeaves, FirstNumbersAreThoseOfThePage) {
  int compared = 0;
  for (const int size : {5, 6, 8}) {
    const Loa::Rules rules = Loa::make_rules(size, PathRule::kThirdDraws, false);
    for (std::uint64_t seed = 1; seed <= 4; ++seed) {
      const Loa::State root = random_position<Loa>(rules, 4 * static_cast<int>(seed), seed);
      if (Loa::finished(rules, root)) continue;
      for (const char* leaf : {"mobility", "quads"}) {
        for (const char* search : {"pn:leaf=L", "pn:leaf=L,ties=deepest", "pn:leaf=L,merge=dag",
                                   "wpns:leaf=L", "wpns:leaf=L,merge=basetwin", "dfpn:leaf=L",
                                   "pds:leaf=L", "pnstar:leaf=L", "alphabeta:leaf=L"}) {
          SolveRequest request = ask("loa:size=" + std::to_string(size), with(search, leaf, ""),
                                     Text::format(rules, root));
          SCOPED_TRACE(request.algorithm + ' ' + request.position);
          request.limits.max_nodes = 2;  // the root alone gets children
          const auto solver = make_solver(request);
          solver->step(1);
          for (const NodeRow& row : solver->nodes({1, 100'000})) {
            if (row.depth != 1 || row.verdict != Verdict::kUnknown) continue;
            Loa::State child = root;
            Loa::play(rules, child, Text::parse_move(rules, row.move));
            const auto [pn, dn] = plain_numbers(rules, child, leaf, false);
            ASSERT_GE(row.numbers.size(), 2u);
            EXPECT_EQ(row.numbers[0].second, pn) << row.move;
            EXPECT_EQ(row.numbers[1].second, dn) << row.move;
            ++compared;
          }
        }
      }
    }
  }
  EXPECT_GT(compared, 1000);
}

// Two positions by hand: of White's three groups against Black's one of three stones, and of one
// stone more apart.
TEST(LoaLeaves, NumbersByHand) {
  const PhiDeltaPair three_to_two = quad_numbers(20, 3, 2);
  EXPECT_EQ(three_to_two.phi, 4u);
  EXPECT_EQ(three_to_two.delta, 40u);
  const PhiDeltaPair one_to_four = quad_numbers(7, 1, 4);
  EXPECT_EQ(one_to_four.phi, 1u);
  EXPECT_EQ(one_to_four.delta, 56u);
}

// With the colours exchanged the same search follows.
TEST(LoaLeaves, AreTheSameForBothColours) {
  const Loa::Rules rules = Loa::make_rules(5, PathRule::kThirdDraws, false);
  Draws draws(5);
  for (int i = 0; i < 10; ++i) {
    const Loa::State state = few_stones(rules, 3, 3, draws);
    const Loa::State other =
        Loa::make_state(rules, state.stones[1], state.stones[0], state.to_move ^ 1);
    for (const char* search : {"dfpn:leaf=L,probe=P", "pn:leaf=L,probe=P"}) {
      for (const char* probe : {"none", "look3"}) {
        const std::string algorithm = with(search, "quads", probe);
        SolveRequest request = ask("loa:size=5", algorithm, Text::format(rules, state));
        request.limits.max_nodes = 5'000;
        const SolveResult one = finish(*make_solver(request));
        request.position = Text::format(rules, other);
        const SolveResult two = finish(*make_solver(request));
        EXPECT_EQ(one.verdict, two.verdict);
        EXPECT_EQ(one.best_move, two.best_move);
        // What a table loses depends on the hash of a position.
        if (algorithm.starts_with("pn")) expect_same_counters(one.counters, two.counters);
      }
    }
  }
}

TEST(LoaLeaves, SearchesInPieces) {
  const Loa::Rules rules = Loa::make_rules(5, PathRule::kThirdDraws, false);
  Draws draws(11);
  for (const auto* searches : {&kSearches, &kOthers}) {
    for (const std::string& search : *searches) {
      const Loa::State state = few_stones(rules, 2, 3, draws);
      SolveRequest request =
          ask("loa:size=5", with(search, "quads", "look3"), Text::format(rules, state));
      SCOPED_TRACE(request.algorithm + ' ' + request.position);
      request.limits.max_nodes = 300;
      const SolveResult expected = finish(*make_solver(request));
      auto pieces = make_solver(request);
      std::uint64_t step = 1;
      while (pieces->step(step) == StopReason::kRunning) {
        pieces = resumed(request, saved(*pieces));
        step *= 4;
      }
      expect_same_search(pieces->result(), expected);
    }
  }
}

// Positions of eight by eight with wins in three plies and more: the looks see them.
TEST(LoaLeaves, Endgames) {
  const std::vector<std::string> lines = data_lines("loa-endgames.txt");
  for (const std::size_t i : {0, 5, 10, 13}) {
    const std::vector<std::string> words = words_of(lines[i]);
    const std::string position = words[0] + ' ' + words[1];
    const std::uint64_t without =
        solve(ask("loa", "dfpn:probe=none", position)).counters.iterations;
    std::uint64_t before = without;
    for (const char* probe : {"look1", "look3"}) {
      const SolveResult result = solve(ask("loa", std::string("dfpn:probe=") + probe, position));
      EXPECT_EQ(result.verdict, Verdict::kProved);
      EXPECT_GT(result.counters.races, 0u);
      EXPECT_LT(result.counters.iterations, before) << position << ' ' << probe;
      before = result.counters.iterations;
    }
    EXPECT_EQ(solve(ask("loa", "dfpn:leaf=quads", position)).verdict, Verdict::kProved);
  }
}

TEST(LoaLeaves, OtherGamesHaveNoQuadsAndNoLooks) {
  for (const char* game : {"hex:size=3", "othello:size=4", "pgame:branching=2,depth=4",
                           "connect6:rows=3,columns=3,connect=3"}) {
    for (const char* name : {"pn", "pn2", "wpns", "dfpn", "pds", "pnstar", "alphabeta"}) {
      try {
        make_solver(ask(game, std::string(name) + ":leaf=quads"));
        ADD_FAILURE() << game << ' ' << name;
      } catch (const Error& error) {
        EXPECT_EQ(error.code(), ErrorCode::kUsage);
        EXPECT_NE(std::string(error.what()).find("leaf=quads needs a game"), std::string::npos)
            << error.what();
      }
    }
  }
  EXPECT_EQ(solve(ask("hex:size=3", "dfpn:probe=look3")).counters.race_nodes, 0u);
}

}  // namespace
}  // namespace playproof::loa_leaves_test
