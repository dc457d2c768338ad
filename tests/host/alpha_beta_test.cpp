// alphabeta against a recursion: the best-looking move first, a cut-off at the first one that
// decides, and a memory of outcomes, which is asked for siblings when the engine asks its table.
// Equal entries hold both to the same order of moves, table and cut-offs.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "games/hex/rules.h"
#include "games/othello/rules.h"
#include "games/pgame/rules.h"
#include "host/solve/minimax.h"
#include "support.h"

namespace playproof::alpha_beta_test {
namespace {

template <class G>
class Recursion {
 public:
  using State = typename G::State;
  using Rules = typename G::Rules;
  // fewest: moves that leave the fewest replies come first, else as the rules list them.
  Recursion(const Rules& rules, const Claim& claim, bool fewest)
      : rules_(rules), claim_(claim), fewest_(fewest) {}

  // Does the attacker reach the goal?
  bool reaches(const State& state) {
    ++entered_;
    const bool wanted = G::to_move(rules_, state) == claim_.attacker;  // what cuts off
    std::vector<Reply> replies;
    Move moves[G::kMaxMoves];
    const int count = G::moves(rules_, state, moves);
    for (int i = 0; i < count; ++i) {
      replies.push_back({state, std::nullopt, 0});
      Reply& reply = replies.back();
      G::play(rules_, reply.state, moves[i]);
      if (!G::finished(rules_, reply.state)) continue;
      reply.outcome = value_for(claim_.attacker, G::value(rules_, reply.state)) >= claim_.threshold;
      if (reply.outcome == wanted) return remember(state, wanted);
    }
    for (Reply& reply : replies) {
      if (!reply.outcome) reply.outcome = remembered(reply.state);
      if (!reply.outcome) reply.looks = looks(state, reply.state);
    }
    if (has(replies, wanted)) return remember(state, wanted);
    std::stable_sort(replies.begin(), replies.end(),
                     [](const Reply& a, const Reply& b) { return a.looks < b.looks; });
    for (Reply& reply : replies) {
      if (reply.outcome) continue;
      const std::uint64_t start = entered_;
      reply.outcome = reaches(reply.state);
      // A long search may have met the others (DepthFirst::refresh).
      if (entered_ - start > replies.size()) {
        for (Reply& other : replies) {
          if (!other.outcome) other.outcome = remembered(other.state);
        }
      }
      if (has(replies, wanted)) return remember(state, wanted);
    }
    return remember(state, !wanted);
  }
  std::uint64_t entered() const { return entered_; }

 private:
  struct Reply {
    State state;
    std::optional<bool> outcome;
    int looks;  // the least is tried first
  };
  static bool has(const std::vector<Reply>& replies, bool wanted) {
    return std::any_of(replies.begin(), replies.end(),
                       [&](const Reply& reply) { return reply.outcome == wanted; });
  }
  int looks(const State& state, const State& reply) const {
    // Who moves again has one reply that is needed, as a node of its own side.
    if (!fewest_ || G::to_move(rules_, state) == G::to_move(rules_, reply)) return 1;
    Move moves[G::kMaxMoves];
    return G::moves(rules_, reply, moves);
  }
  std::optional<bool> remembered(const State& state) const {
    const bool* outcome = table_.find(G::key(rules_, state), state);
    return outcome == nullptr ? std::nullopt : std::optional(*outcome);
  }
  bool remember(const State& state, bool outcome) {
    table_.insert(G::key(rules_, state), state, outcome);
    return outcome;
  }

  Rules rules_;
  Claim claim_;
  bool fewest_;
  OutcomeTable<G> table_;
  std::uint64_t entered_ = 0;
};

template <class G>
void expect_same(const typename G::Rules& rules, const typename G::State& state,
                 const SolveRequest& request, const Claim& claim) {
  SCOPED_TRACE(request.game + " '" + request.position + "' " + request.algorithm);
  Recursion<G> plain(rules, claim, request.algorithm.find("leaf=unit") == std::string::npos);
  const bool reaches = plain.reaches(state);
  const SolveResult result = solve(request);
  EXPECT_EQ(result.verdict, reaches ? Verdict::kProved : Verdict::kDisproved);
  EXPECT_EQ(result.counters.iterations, plain.entered());
  EXPECT_EQ(result.counters.re_entries, 0u);
}

constexpr const char* kPlain = ",table=64MiB,symmetry=off,probe=none,zones=off";

TEST(AlphaBeta, EntersWhatTheRecursionEntersOnTrees) {
  for (std::uint64_t tree = 1; tree <= 40; ++tree) {
    const int branching = 2 + static_cast<int>(tree % 3);
    const std::string game =
        "pgame:branching=" + std::to_string(branching) + ",depth=8,tree=" + std::to_string(tree);
    const PGame::Rules rules{tree, static_cast<std::uint8_t>(branching), 8};
    expect_same<PGame>(rules, PGame::initial(rules),
                       ask(game, std::string("alphabeta:leaf=unit") + kPlain), {Player::kFirst, 1});
  }
}

TEST(AlphaBeta, EntersWhatTheRecursionEntersWithATable) {
  for (const char* leaf : {"mobility", "unit"}) {
    const std::string algorithm = std::string("alphabeta:leaf=") + leaf + kPlain;
    for (std::uint64_t seed = 1; seed <= 20; ++seed) {
      const std::string position = random_othello(6, 9, seed);
      const auto rules = Othello::make_rules(6);
      const auto state = GameText<Othello>::parse(rules, position);
      expect_same<Othello>(rules, state, ask("othello:size=6", algorithm, position),
                           {Othello::to_move(rules, state), 1});
    }
    const auto rules = Hex<1>::make_rules(3, 4);
    expect_same<Hex<1>>(rules, Hex<1>::initial(rules), ask("hex:rows=3,columns=4", algorithm),
                        {Player::kFirst, 1});
  }
}

// A node is left when it is decided: with a table that loses nothing nobody comes back.
TEST(AlphaBeta, ComesBackToNothing) {
  for (const char* leaf : {"mobility", "unit", "playouts", "both"}) {
    const auto result = solve(ask("connect6:rows=4,columns=4,connect=3,stones=2",
                                  std::string("alphabeta:table=64MiB,leaf=") + leaf));
    EXPECT_NE(result.verdict, Verdict::kUnknown);
    EXPECT_EQ(result.counters.re_entries, 0u);
    EXPECT_EQ(result.counters.branch_switches, 0u);
  }
}

// Deep df-pn with E = 0 is depth-first, too: unsolved nodes of one depth all have the same number.
TEST(AlphaBeta, InOrderIsDeepDfpnWithBaseZero) {
  for (const char* game : {"hex:size=3", "pgame:branching=3,depth=8,tree=5", "othello:size=4",
                           "connect6:rows=4,columns=4,connect=3,stones=2"}) {
    const auto one = solve(ask(game, "alphabeta:leaf=unit"));
    const auto other = solve(ask(game, "dfpn:leaf=deep,E=0"));
    EXPECT_EQ(one.verdict, other.verdict);
    EXPECT_EQ(one.counters.iterations, other.counters.iterations) << game;
    EXPECT_EQ(one.best_move, other.best_move);
  }
}

// The order is all that numbers give it, and it needs that: few moves first in Othello, playouts on
// Hex.
TEST(AlphaBeta, OrdersItsMoves) {
  const auto entered = [](const std::string& game, const std::string& leaf,
                          const std::string& position) {
    return solve(ask(game, "alphabeta:zones=off,probe=none,leaf=" + leaf, position))
        .counters.iterations;
  };
  std::uint64_t natural = 0;
  std::uint64_t fewest = 0;
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    const std::string position = random_othello(8, 10, seed);
    natural += entered("othello", "unit", position);
    fewest += entered("othello", "mobility", position);
  }
  EXPECT_LT(2 * fewest, natural);
  EXPECT_LT(2 * entered("hex:size=4", "playouts", "a1"), entered("hex:size=4", "unit", "a1"));
}

}  // namespace
}  // namespace playproof::alpha_beta_test
