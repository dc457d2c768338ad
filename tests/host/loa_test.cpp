// Lines of Action: endgames with known wins, and boards of few stones against retrograde analysis
// under all rules of repetition.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "games/loa/entry.h"
#include "host/path/exhaustive.h"
#include "host/table/path_search.h"
#include "support.h"
#include "tests/conformance.h"

namespace playproof::loa_test {
namespace {

using Text = GameText<Loa>;

// ---- endgames --------------------------------------------------------------------------------

struct Endgame {
  std::string position;
  int plies = 0;  // of the shortest win
  std::string move;
};
std::vector<Endgame> endgames() {
  std::vector<Endgame> all;
  for (const std::string& line : data_lines("loa-endgames.txt")) {
    const std::vector<std::string> words = words_of(line);
    EXPECT_EQ(words.size(), 5u) << line;
    all.push_back({words[0] + ' ' + words[1], std::stoi(words[3]), words[4]});
  }
  EXPECT_EQ(all.size(), 21u);
  return all;
}

// Wins within so many plies, by trying everything. What answered a move last is tried first.
class ShortestWin {
 public:
  ShortestWin(const Loa::Rules& rules, Player attacker) : rules_(rules), attacker_(attacker) {}
  // The least odd number of plies, up to `most`, in which the attacker, who is to move, wins; 0:
  // in none of these.
  int plies(const Loa::State& state, int most) {
    for (int plies = 1; plies <= most; plies += 2) {
      answers_.assign(static_cast<std::size_t>(plies), kNoMove);
      if (wins(state, plies)) return plies;
    }
    return 0;
  }

 private:
  bool has_won(const Loa::State& state) const {
    return value_for(attacker_, Loa::value(rules_, state)) > 0;
  }
  bool wins(const Loa::State& state, int plies) {
    Move moves[Loa::kMaxMoves];
    const int count = Loa::moves(rules_, state, moves);
    return std::any_of(moves, moves + count, [&](Move move) {
      Loa::State child = state;
      Loa::play(rules_, child, move);
      return Loa::finished(rules_, child) ? has_won(child) : plies > 1 && loses(child, plies - 1);
    });
  }
  bool loses(const Loa::State& state, int plies) {
    Move moves[Loa::kMaxMoves];
    const int count = Loa::moves(rules_, state, moves);
    Move& answer = answers_[static_cast<std::size_t>(plies)];
    const auto known = std::find(moves, moves + count, answer);
    if (known != moves + count) std::rotate(moves, known, known + 1);
    return std::all_of(moves, moves + count, [&](Move move) {
      Loa::State child = state;
      Loa::play(rules_, child, move);
      const bool lost = Loa::finished(rules_, child) ? has_won(child) : wins(child, plies - 1);
      if (!lost) answer = move;
      return lost;
    });
  }

  Loa::Rules rules_;
  Player attacker_;
  std::vector<Move> answers_;  // by plies left
};

// By day those of three and five plies; by night those of seven as well.
TEST(LoaEndgames, WinsAreAsShortAsTheySay) {
  for (const bool mover_wins : {false, true}) {
    const Loa::Rules rules = Loa::make_rules(8, PathRule::kThirdDraws, mover_wins);
    for (const Endgame& endgame : endgames()) {
      if (endgame.plies > 5 && !nightly()) continue;
      const Loa::State state = Text::parse(rules, endgame.position);
      EXPECT_EQ(ShortestWin(rules, Loa::to_move(rules, state)).plies(state, endgame.plies),
                endgame.plies)
          << endgame.position;
    }
  }
}

// The move of the file is one that wins: the other side, to move after it, does not even draw.
TEST(LoaEndgames, AreSolvedWithCertificates) {
  for (const Endgame& endgame : endgames()) {
    SCOPED_TRACE(endgame.position);
    EXPECT_EQ(solve(ask("loa", "dfpn", endgame.position)).verdict, Verdict::kProved);
    if (endgame.plies > 3 && !nightly()) continue;
    const Loa::Rules rules = Loa::make_rules(8, PathRule::kThirdDraws, false);
    Loa::State after = Text::parse(rules, endgame.position);
    Loa::play(rules, after, Text::parse_move(rules, endgame.move));
    EXPECT_EQ(solve(ask("loa", "dfpn", Text::format(rules, after), "draw")).verdict,
              Verdict::kDisproved)
        << endgame.position;
  }
}

// The line of an answer is found once more, and by df-pn: by PDS that took gigabytes and no end.
TEST(LoaEndgames, HaveALineWhoeverSolvedThem) {
  for (const char* algorithm : {"pds", "pnstar", "dfpn:loops=dfpnr"}) {
    const SolveResult result = solve(ask(
        "loa", algorithm, "--XX--------X---O--X----O---XX-----OOX------O-------O-------X--- X"));
    EXPECT_EQ(result.verdict, Verdict::kProved) << algorithm;
    EXPECT_EQ(result.best_move, "e8-c6") << algorithm;
    EXPECT_EQ(result.principal_variation.size(), 3u) << algorithm;
  }
}

TEST(LoaEndgames, UnderEveryRule) {
  for (const Endgame& endgame : endgames()) {
    if (endgame.plies > 3 && !nightly()) continue;
    for (const char* game : {"loa:repetition=second", "loa:repetition=none", "loa:both=mover"}) {
      EXPECT_EQ(solve(ask(game, "dfpn", endgame.position)).verdict, Verdict::kProved)
          << game << ' ' << endgame.position;
    }
  }
}

// ---- few stones ------------------------------------------------------------------------------

// Calls f(cells) with every set of `count` of these cells.
template <class F>
void for_each_subset(const std::vector<int>& cells, int count, std::uint64_t taken,
                     std::size_t from, F&& f) {
  if (count == 0) return f(taken);
  for (std::size_t i = from; i < cells.size(); ++i) {
    const std::uint64_t cell = std::uint64_t{1} << cells[i];
    for_each_subset(cells, count - 1, taken | cell, i + 1, f);
  }
}
// Calls f(state) with every position that is not over of so many stones of either side.
template <class F>
void for_each_position(const Loa::Rules& rules, int black, int white, F&& f) {
  std::vector<int> cells;
  for (std::uint64_t rest = rules.board; rest != 0; rest &= rest - 1) {
    cells.push_back(lowest_bit64(rest));
  }
  for_each_subset(cells, black, 0, 0, [&](std::uint64_t first) {
    std::vector<int> left = cells;
    std::erase_if(left, [&](int cell) { return (first >> cell & 1) != 0; });
    for_each_subset(left, white, 0, 0, [&](std::uint64_t second) {
      for (const int to_move : {0, 1}) {
        const Loa::State state = Loa::make_state(rules, first, second, to_move);
        if (!Loa::finished(rules, state)) f(state);
      }
    });
  });
}

constexpr PathRule kRepetitions[] = {PathRule::kThirdDraws, PathRule::kRepetitionDraws,
                                     PathRule::kInfiniteDraw};

struct Few {
  int size, black, white;
  std::uint64_t every;  // by day one position of so many
};
// All positions of so many stones, and what play from them leads to, known at once.
void expect_few(const Few& few, bool mover_wins, Value threshold) {
  const Claim claim{Player::kFirst, threshold};
  const Loa::Rules any = Loa::make_rules(few.size, PathRule::kInfiniteDraw, mover_wins);
  Retrograde<Loa> truth(any, claim);
  std::vector<Loa::State> positions;
  for_each_position(any, few.black, few.white,
                    [&](const Loa::State& state) { positions.push_back(state); });
  int won = 0;
  int known = 0;
  for (const PathRule repetition : kRepetitions) {
    const Loa::Rules rules = Loa::make_rules(few.size, repetition, mover_wins);
    PathSearchOptions options;
    options.rule.kind = ThresholdRule::Kind::kConstant;
    PathSearch<Loa> keeps(rules, claim, options);
    Draws draws(1);
    for (const Loa::State& state : positions) {
      if (!nightly() && draws.below(static_cast<int>(few.every)) != 0) continue;
      ASSERT_TRUE(truth.run(state, ~std::uint64_t{0}));
      const bool right = truth.reached(state);
      ++known;
      won += right ? 1 : 0;
      keeps.begin(state);
      ASSERT_EQ(keeps.run(~std::uint64_t{0}), StopReason::kDecided);
      ASSERT_EQ(keeps.proved(), right) << Text::format(rules, state);
      if (draws.below(nightly() ? 20 : 5) != 0) continue;
      PathSearch<Loa> alone(rules, claim, options);
      alone.begin(state);
      ASSERT_EQ(alone.run(~std::uint64_t{0}), StopReason::kDecided);
      ASSERT_EQ(alone.proved(), right) << Text::format(rules, state);
    }
  }
  EXPECT_GT(known, nightly() ? 300 : 100);
  EXPECT_GT(won, 0);
  EXPECT_LT(won, known);
}

void expect_few_of_all(const std::vector<Few>& all) {
  for (const Few& few : all) {
    for (const bool mover_wins : {false, true}) {
      for (const Value threshold : {Value{0}, Value{1}}) {
        if (mover_wins == (threshold == 1) && !nightly()) continue;
        SCOPED_TRACE(std::to_string(few.size) + ": " + std::to_string(few.black) + " against " +
                     std::to_string(few.white) + ", " + std::to_string(threshold));
        expect_few(few, mover_wins, threshold);
        if (::testing::Test::HasFatalFailure()) return;
      }
    }
  }
}

TEST(LoaFewStones, On4x4) { expect_few_of_all({{4, 2, 2, 100}, {4, 3, 2, 400}}); }
TEST(LoaFewStones, On5x5) { expect_few_of_all({{5, 2, 2, 2000}}); }

// Every algorithm that searches games that repeat, with certificates.
TEST(LoaFewStones, ByEveryAlgorithm) {
  const Loa::Rules rules = Loa::make_rules(4, PathRule::kThirdDraws, false);
  std::vector<Loa::State> positions;
  for_each_position(rules, 2, 2, [&](const Loa::State& state) { positions.push_back(state); });
  Draws draws(3);
  for (int i = 0; i < (nightly() ? 100 : 4); ++i) {
    const Loa::State& state =
        positions[static_cast<std::size_t>(draws.below(static_cast<int>(positions.size())))];
    const std::string position = Text::format(rules, state);
    for (const char* goal : {"win", "draw"}) {
      const Claim claim{Loa::to_move(rules, state), static_cast<Value>(threshold_of(goal))};
      Retrograde<Loa> truth(rules, claim);
      ASSERT_TRUE(truth.run(state, ~std::uint64_t{0}));
      for (const char* algorithm :
           {"minimax", "dfpn", "dfpn:history=basetwin", "dfpn:loops=patience", "dfpn:table=64KiB",
            "dfpn:similar=simulation", "dfpn:similar=killer", "pds", "pds:similar=simulation",
            "pds:similar=killer,history=basetwin", "pnstar", "alphabeta", "dfppn:playouts=4",
            "dfews:playouts=4"}) {
        SCOPED_TRACE(position + ' ' + algorithm + ' ' + goal);
        for (const char* game :
             {"loa:size=4", "loa:size=4,repetition=second", "loa:size=4,repetition=none"}) {
          const SolveResult result = solve(ask(game, algorithm, position, goal));
          ASSERT_EQ(result.verdict, truth.reached(state) ? Verdict::kProved : Verdict::kDisproved);
        }
      }
    }
  }
}

}  // namespace
}  // namespace playproof::loa_test
