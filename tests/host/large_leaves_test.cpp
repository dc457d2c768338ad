// Leaves of very many playouts: step() may end within one, and nothing but time changes.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "host/solve/fleet.h"
#include "saved.h"
#include "support.h"

namespace playproof::large_leaves_test {
namespace {

// Of a backend that plays nothing: counts are those of real playouts, in less time.
SolveRequest large(const std::string& game, const std::string& algorithm, std::uint32_t batch,
                   const std::string& backend = "fake") {
  SolveRequest request = ask(game, algorithm);
  request.batch = batch;
  request.backend = backend;
  request.limits.max_nodes = 60;
  request.certificate = true;
  return request;
}

// Its leaves are played at once: a fleet hands whole strokes to its evaluator. (A depth-first
// search has no line beyond its move there: it has no evaluator to walk its proof with.)
SolveResult uncut(const SolveRequest& request) {
  SolveResult result;
  run_fleet(std::vector{request}, {.backend = request.backend},
            [&](std::size_t, const Solver& solver) { result = solver.result(); });
  return result;
}

void expect_same(const SolveResult& a, const SolveResult& b) {
  for (const CounterField& field : kCounterFields) {
    if (field.value == &Counters::peak_bytes) continue;
    EXPECT_EQ(a.counters.*field.value, b.counters.*field.value) << field.name;
  }
  EXPECT_EQ(a.verdict, b.verdict);
  EXPECT_EQ(a.best_move, b.best_move);
}

TEST(LargeLeaves, LoadsChangeNoCount) {
  std::size_t turn = 0;
  for (const std::string game : {"hex:size=3", "pgame:branching=3,depth=4", "othello:size=4"}) {
    for (const std::string algorithm :
         {"ppn:playouts=20000", "mcpn:playouts=20001", "ews:playouts=20000", "mcts:playouts=50000",
          "uct:playouts=17000", "pn:leaf=playouts,playouts=30000",
          "dfpn:leaf=playouts,playouts=30000", "dfppn:playouts=30000", "dfews:playouts=30000"}) {
      for (const std::uint32_t batch : {1u, 3u}) {
        if (turn++ % 5 != 0 && !nightly()) continue;
        SCOPED_TRACE(game + ' ' + algorithm + ' ' + std::to_string(batch));
        for (const std::string backend : {"fake", "cpu"}) {
          const SolveRequest request = large(game, algorithm, batch, backend);
          expect_same(solve(request), uncut(request));
        }
      }
    }
  }
}

// The reference rules are slow enough for a step to end within a leaf on every machine.
const char* const kSlow = "ppn:playouts=100000";
SolveRequest slow() { return large("hex:size=4", kSlow, 1, "reference"); }

TEST(LargeLeaves, AStepEndsWithinALeaf) {
  const auto solver = make_solver(slow());
  EXPECT_EQ(solver->step(1), StopReason::kRunning);
  EXPECT_FALSE(solver->finish_leaf(0));
  const SolveResult within = solver->result();
  EXPECT_EQ(within.verdict, Verdict::kUnknown);
  EXPECT_TRUE(within.best_move.has_value());
  EXPECT_EQ(within.counters.iterations, 1u);   // expanded,
  EXPECT_EQ(within.counters.evaluations, 0u);  // but no playout counts yet
  EXPECT_EQ(within.counters.playouts, 0u);
  EXPECT_FALSE(solver->finish_leaf(0.01));
  EXPECT_EQ(solver->step(1), StopReason::kRunning);
}

TEST(LargeLeaves, ALimitInTimeEndsALeaf) {
  SolveRequest request = slow();
  request.limits.max_seconds = 0.1;
  const auto solver = make_solver(request);
  while (solver->step(1) == StopReason::kRunning) {
  }
  EXPECT_EQ(solver->result().reason, StopReason::kSeconds);
  EXPECT_EQ(solver->result().counters.playouts, 0u);
  EXPECT_LT(solver->result().seconds, 10);  // a leaf takes longer
}

// What is saved within a leaf is the search after it.
TEST(LargeLeaves, SavedWithinALeaf) {
  for (const std::string algorithm : {"ppn:playouts=3000", "dfpn:leaf=playouts,playouts=3000"}) {
    for (const std::uint32_t batch : {1u, 2u}) {
      for (const char* goal : {"win", "value"}) {
        // The reference rules are slow enough for steps to end within leaves.
        SolveRequest request = large("hex:size=3", algorithm, batch, "reference");
        request.goal = goal;
        request.threads = static_cast<int>(batch);  // with two, a batch goes on while it is played
        request.limits.max_nodes = 25;
        SolveRequest fast = request;
        fast.backend = "cpu";
        int within = 0;
        auto solver = make_solver(request);
        while (solver->step(1) == StopReason::kRunning) {
          within += !solver->finish_leaf(0);
          if (!solver->resumable()) continue;  // the limit of nodes cuts the batch short
          solver = resumed(request, saved(*solver));
          EXPECT_TRUE(solver->finish_leaf(0));
          solver->self_check();
        }
        EXPECT_GT(within, 0) << algorithm << ' ' << batch;
        expect_same(solver->result(), solve(fast));
      }
    }
  }
}

}  // namespace
}  // namespace playproof::large_leaves_test
