// What no game of the list asks of the searches yet: a State of any size, positions that come
// again.
#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "games/core/error.h"
#include "games/core/perft.h"
#include "games/hex/identity.h"
#include "host/playouts/function.h"
#include "host/solve/make_solver_impl.h"
#include "host/solve/minimax.h"
#include "host/table/check.h"
#include "host/table/depth_first.h"
#include "kernels/generic/playouts.h"
#include "kernels/schemes/pn.h"
#include "tests/small_games.h"
#include "trees.h"

namespace playproof {

// Hex with a State of a page, of which all beyond the board is ballast that must come along.
struct WideHex : Hex<1> {
  static constexpr bool kConnection = false;  // it has no connection.h
  struct State : Hex<1>::State {
    std::array<std::uint64_t, 512> ballast{};
    bool operator==(const State&) const = default;
  };
  static State initial(const Rules&) {
    State state;
    state.ballast.fill(7);
    return state;
  }
  static void play(const Rules& rules, State& state, Move move) {
    Hex<1>::play(rules, state, move);
    state.ballast[state.ballast.size() - 1] += move;
  }
};
static_assert(sizeof(WideHex::State) > 4096 && AcyclicGame<WideHex>);

// What a solver writes with, if it had something to write.
template <>
struct GameText<Shuttle> {
  static std::string move_text(const Shuttle::Rules&, Move move) { return std::to_string(move); }
};
template <>
struct CertificateText<Shuttle> {
  static std::string game(const Shuttle::Rules&) { return "shuttle"; }
  static void append(const Shuttle::Rules&, const Shuttle::State& state, std::string* out) {
    *out += std::to_string(state.at);
  }
};

namespace games_to_come_test {
namespace {

template <class G>
using PnTree = BestFirst<G, Pn>;

template <class G>
Counters tree_search(const typename G::Rules& rules) {
  PnTree<G> search(rules, G::initial(rules), {Player::kFirst, 1}, Pn{}, {});
  drive<G>(search, kToTheEnd);
  EXPECT_EQ(search.stopped(), StopReason::kDecided);
  return search.counters();
}
template <class G>
Counters table_search(const typename G::Rules& rules) {
  DepthFirstOptions options;
  options.symmetry = false;  // of Hex alone
  DepthFirst<G> search(rules, G::initial(rules), {Player::kFirst, 1}, options);
  drive<G>(search, kToTheEnd, 64);
  EXPECT_EQ(search.stopped(), StopReason::kDecided);
  TableCheck<G>(rules, {Player::kFirst, 1}, search).run(G::initial(rules));
  return search.counters();
}

TEST(GamesToCome, AStateMayBeLarge) {
  const auto rules = Hex<1>::make_rules(3, 3);
  for (const auto& field : kCounterFields) {
    if (std::string(field.name) == "peak_bytes") continue;
    EXPECT_EQ(tree_search<WideHex>(rules).*field.value, tree_search<Hex<1>>(rules).*field.value);
    EXPECT_EQ(table_search<WideHex>(rules).*field.value, table_search<Hex<1>>(rules).*field.value);
  }
  Minimax<WideHex> oracle(rules, {Player::kFirst, 1}, SearchLimits::kNone);
  oracle.begin(WideHex::initial(rules));
  while (!oracle.run(1000)) continue;
  EXPECT_TRUE(oracle.answer());
}

template <class G>
concept Searched = requires {
  sizeof(DepthFirst<G>);
  sizeof(PnTree<G>);
  sizeof(Mcts<G>);
  sizeof(Minimax<G>);
};
static_assert(Searched<Hex<1>> && Game<Shuttle> && !AcyclicGame<Shuttle>);
template <class G>
constexpr bool kAnySearch = requires {
  sizeof(DepthFirst<G>);
}
|| requires { sizeof(Minimax<G>); };
static_assert(kAnySearch<Hex<1>> && !kAnySearch<Shuttle>);

template <class G>
concept TellsItsLength = requires {
  G::kMaxPlies;
};
static_assert(TellsItsLength<Hex<1>> && !TellsItsLength<Shuttle>);

// Rules, perft and playouts need no bound of how long a game lasts.
TEST(GamesToCome, RepetitionNeedsNoLastPly) {
  const Shuttle::Rules rules{6};
  const Shuttle::State start = Shuttle::initial(rules);
  EXPECT_EQ(perft<Shuttle>({7}, Shuttle::initial({7}), 6), 44u);  // of 64, some are over sooner
  PlayoutFunction<Shuttle> function{"toy", one_by_one<Shuttle>(generic_scalar_playouts<Shuttle>)};
  for (const int threads : {1, 2}) {
    FunctionEvaluator<Shuttle> evaluator(rules, function, threads);
    const std::vector<LeafRequest<Shuttle>> requests(3, {start, {1, 2}, 0, 640});
    std::vector<Tally> tallies(requests.size());
    evaluator.collect(evaluator.submit(requests), tallies);
    for (const Tally& tally : tallies) {
      EXPECT_EQ(tally.wins + tally.losses, 640u);
      EXPECT_GT(tally.wins, 100u);
      EXPECT_GT(tally.losses, 100u);
    }
  }
}

// No engine is made for a game that can repeat and has no texts, and whoever asks for one is told
// why. (Trees end their lines by the rule; so do searches of graphs: path_search_test.cpp.)
TEST(GamesToCome, RepetitionIsRefused) {
  const Shuttle::Rules rules;
  const Shuttle::State position = Shuttle::initial(rules);
  for (const CatalogueEntry& algorithm : algorithm_catalogue().entries) {
    SolveRequest request;
    request.algorithm = algorithm.name;
    try {
      make_claim_solver<Shuttle>(rules, position, 1, algorithm_options(algorithm.name, false),
                                 request, {});
      ADD_FAILURE() << algorithm.name;
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ErrorCode::kUsage);
      EXPECT_EQ(error.what(), algorithm.name +
                                  " needs a game in which no position can come again, and in this "
                                  "one it can (games/core/game.h, PathRule)");
    }
  }
  EXPECT_THROW(ask_oracle<Shuttle>(rules, position, 1, {}), Error);
  EXPECT_TRUE(ask_oracle<Shuttle>(rules, {0, 1}, -1, {}).reached);  // over: nothing to search
}

}  // namespace
}  // namespace games_to_come_test
}  // namespace playproof
