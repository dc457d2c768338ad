// Playouts that fail, at every moment of a search and in every engine: the error reaches whoever
// drives it, what was proven stands, nothing else is claimed, and the search does not go on.
#include <gtest/gtest.h>

#include <memory>
#include <new>
#include <string>
#include <vector>

#include "games/core/error.h"
#include "games/list.h"
#include "games/pgame/rules.h"
#include "host/solve/tree_solver.h"
#include "host/tree/best_first.h"
#include "host/tree/mcts.h"
#include "kernels/schemes/mcpn.h"
#include "kernels/schemes/ppn.h"
#include "tests/host/failing_evaluator.h"
#include "tests/host/saved.h"
#include "tests/host/support.h"

namespace playproof::failing_evaluator_test {
namespace {

constexpr const char* kGame = "pgame:branching=3,depth=5,tree=2";

// One search of `Engine` whose n-th batch fails. False if it ended before.
template <class Engine, class... Parts>
bool fails_and_stays_sound(EvaluatorFault fault, int n, std::uint32_t batch,
                           const Parts&... parts) {
  PGame::Rules rules;
  rules.branching = 3;
  rules.depth = 5;
  rules.tree = 2;
  SolveRequest request = ask(kGame, "ppn");
  request.batch = batch;
  TreeSolver<PGame, Engine> solver(rules, PGame::initial(rules), {Player::kFirst, 1}, request,
                                   {kGame, "failing", "win"},
                                   std::make_unique<Failing<PGame>>(rules, fault, n), parts...);
  std::string error;
  const auto step = [&] {
    try {
      while (true) {  // a step is short on the clock, also of a machine with other things to do
        const StopReason reason = solver.step(1'000'000);
        if (reason != StopReason::kRunning) return reason;
      }
    } catch (const Error& thrown) {
      EXPECT_EQ(thrown.code(), ErrorCode::kUnavailable);
      error = thrown.what();
    } catch (const std::bad_alloc&) {
      error = "memory";
    }
    return StopReason::kRunning;
  };
  const StopReason reason = step();
  if (error.empty()) {
    EXPECT_EQ(reason, StopReason::kDecided);
    return false;
  }
  EXPECT_EQ(error, fault == EvaluatorFault::kMemory ? "memory" : "the device is lost");
  const SolveResult result = solver.result();
  EXPECT_EQ(result.verdict, Verdict::kUnknown) << "the batch was still awaited";
  EXPECT_FALSE(solver.interim_moves().empty());
  // The tree waits for tallies that will never come: to go on would be to guess them.
  error.clear();
  EXPECT_EQ(step(), StopReason::kRunning);
  EXPECT_FALSE(error.empty());
  expect_same_counters(solver.result().counters, result.counters);
  EXPECT_ANY_THROW(saved(solver)) << "a tree that waits for ever is saved";
  return true;
}

// Every batch of the search, until it ends before the fault.
template <class Engine, class... Parts>
void at_every_batch(const Parts&... parts) {
  for (const EvaluatorFault fault :
       {EvaluatorFault::kSubmit, EvaluatorFault::kCollect, EvaluatorFault::kMemory}) {
    for (const std::uint32_t batch : {1u, 8u, 40u}) {
      int n = 1;
      while (fails_and_stays_sound<Engine>(fault, n, batch, parts...)) ++n;
      if (batch < 40) {
        EXPECT_GT(n, 3) << "the search is too short to say anything";
      }
    }
  }
}

TEST(FailingEvaluator, Ppn) {
  using Engine = BestFirst<PGame, Ppn>;
  at_every_batch<Engine>(Ppn{10, {false, 0.02}}, typename Engine::Options{});
}

TEST(FailingEvaluator, Mcpn) {
  using Engine = BestFirst<PGame, Mcpn>;
  at_every_batch<Engine>(Mcpn{10, {false, 0.02}}, typename Engine::Options{});
}

// Batches of several loads: some are back, some out, when one fails.
TEST(FailingEvaluator, BatchesOfManyLoads) {
  at_every_batch<BestFirst<PGame, Ppn>>(Ppn{1500, {false, 0.0002}},
                                        typename BestFirst<PGame, Ppn>::Options{});
  at_every_batch<Mcts<PGame>>(MctsRule{3000}, SearchOptions{});
}

TEST(FailingEvaluator, Mcts) { at_every_batch<Mcts<PGame>>(MctsRule{10}, SearchOptions{}); }

TEST(FailingEvaluator, Uct) {
  MctsRule rule{10};
  rule.C = 2;
  at_every_batch<Mcts<PGame>>(rule, SearchOptions{});
}

}  // namespace
}  // namespace playproof::failing_evaluator_test
