// Evaluators that are kept from search to search.
#include "host/playouts/evaluator_keeper.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <memory>
#include <string>

#include "games/hex/rules.h"
#include "games/list.h"
#include "games/pgame/rules.h"
#include "support.h"

namespace playproof::evaluator_keeper_test {
namespace {

TEST(EvaluatorKeeper, KeepsThoseThatWereAskedForLast) {
  EvaluatorKeeper keeper;
  const auto ask = [&](int side) {
    return keeper.find<Hex<1>>(Hex<1>::make_rules(side, side), "cpu", 1).get();
  };
  const auto* const first = ask(2);
  const std::weak_ptr<void> second = keeper.find<Hex<1>>(Hex<1>::make_rules(3, 3), "cpu", 1);
  EXPECT_EQ(ask(2), first);
  ask(4);
  ask(5);
  EXPECT_EQ(ask(2), first);
  EXPECT_FALSE(second.expired());
  ask(6);  // instead of 3
  EXPECT_TRUE(second.expired());
  EXPECT_EQ(ask(2), first);
}

template <class G>
Tally play_one(PlayoutEvaluator<G>& evaluator, const LeafRequest<G>& request) {
  Tally tally;
  evaluator.collect(evaluator.submit({&request, 1}), {&tally, 1});
  return tally;
}

TEST(EvaluatorKeeper, KeepsWhatIsIdle) {
  const PGame::Rules rules;
  LeafRequest<PGame> request = {PGame::initial(rules), {1, 5}, 0, 1000};
  for (const char* backend : {"cpu", "reference", "check:every=2", "latency:us=1"}) {
    EvaluatorKeeper keeper;
    const void* first = nullptr;
    for (const std::uint64_t seed : {1u, 2u, 1u, 3u}) {
      request.key.seed = seed;
      const auto kept = keeper.find<PGame>(rules, backend, 1);
      if (first == nullptr) first = kept.get();
      EXPECT_EQ(kept.get(), first) << backend;
      EXPECT_EQ(play_one(*kept, request),
                play_one(*make_evaluator<PGame>(rules, backend, 1), request));
    }
  }
}

TEST(EvaluatorKeeper, WhatIsInUseIsNotGivenAway) {
  const PGame::Rules rules;
  const LeafRequest<PGame> request = {PGame::initial(rules), {1, 5}, 0, 1000};
  EvaluatorKeeper keeper;
  auto held = keeper.find<PGame>(rules, "cpu", 1);
  const Tally tally = play_one(*held, request);
  const auto other = keeper.find<PGame>(rules, "cpu", 1);
  EXPECT_NE(held, other);
  EXPECT_EQ(play_one(*held, request), tally);
  for (const char* backend : {"cpu", "check:every=1", "latency:us=1"}) {
    auto left = keeper.find<PGame>(rules, backend, 1);
    const void* const before = left.get();
    left->submit({&request, 1});  // and its search ends by an error
    const std::weak_ptr<void> gone = left;
    left.reset();
    EXPECT_EQ(play_one(*keeper.find<PGame>(rules, backend, 1), request), tally);
    EXPECT_TRUE(gone.expired()) << backend << before;
  }
}

TEST(EvaluatorKeeper, AsksForWhatPlayoutsDependOn) {
  EvaluatorKeeper keeper;
  PGame::Rules rules;
  const auto ask = [&](const std::string& backend) {
    return keeper.find<PGame>(rules, backend, 1).get();
  };
  const auto* const first = ask("cpu");
  rules.tree = 77;
  EXPECT_EQ(ask("cpu"), first);
  rules.depth = 9;
  EXPECT_NE(ask("cpu"), first);
  rules = {};
  EXPECT_NE(ask("reference"), first);
  EXPECT_EQ(ask("cpu"), first);
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
}  // namespace playproof::evaluator_keeper_test
