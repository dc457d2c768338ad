// Evaluators that are kept from search to search.
#include "host/playouts/evaluator_keeper.h"

#include <gtest/gtest.h>

#include <string>

#include "games/hex/rules.h"
#include "games/list.h"
#include "games/pgame/rules.h"
#include "support.h"

namespace playproof {
namespace {

TEST(EvaluatorKeeper, KeepsThoseThatWereAskedForLast) {
  EvaluatorKeeper keeper;
  const auto ask = [&](std::uint64_t seed) {
    return keeper.find<Hex<1>>(Hex<1>::make_rules(3, 3), "cpu", seed, 1);
  };
  const auto first = ask(1);
  const auto second = ask(2);
  EXPECT_NE(first, second);
  EXPECT_EQ(ask(1), first);
  ask(3);
  ask(4);
  EXPECT_EQ(ask(1), first);
  ask(5);  // instead of 2
  EXPECT_NE(ask(2), second);
  EXPECT_EQ(ask(1), first);
}

TEST(EvaluatorKeeper, AsksForWhatPlayoutsDependOn) {
  EvaluatorKeeper keeper;
  PGame::Rules rules;
  const auto first = keeper.find<PGame>(rules, "cpu", 1, 1);
  rules.tree = 77;
  EXPECT_EQ(keeper.find<PGame>(rules, "cpu", 1, 1), first);
  rules.depth = 9;
  EXPECT_NE(keeper.find<PGame>(rules, "cpu", 1, 1), first);
  EXPECT_NE(keeper.find<PGame>(PGame::Rules{}, "reference", 1, 1), first);
}

TEST(EvaluatorKeeper, SearchesAreTheSame) {
  EvaluatorKeeper keeper;
  int tree = 0;
  for (const char* backend : {"cpu", "check:every=3", "latency:us=1"}) {
    for (const char* algorithm : {"ppn:playouts=40", "uct", "dfpn:playouts=32"}) {
      for (const int batch : {1, 5}) {
        auto request = ask("pgame:branching=3,depth=6,tree=" + std::to_string(++tree), algorithm);
        request.backend = backend;
        request.batch =
            std::string(algorithm).starts_with("dfpn") ? 1u : static_cast<unsigned>(batch);
        const SolveResult alone = solve(request);
        request.evaluators = &keeper;
        const SolveResult kept = solve(request);
        EXPECT_EQ(kept.verdict, alone.verdict);
        EXPECT_EQ(kept.best_move, alone.best_move);
        EXPECT_EQ(kept.counters.nodes_created, alone.counters.nodes_created);
        EXPECT_EQ(kept.counters.playouts, alone.counters.playouts);
      }
    }
  }
}

}  // namespace
}  // namespace playproof
