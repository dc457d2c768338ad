// Limits, slices, threads, finished positions, refused requests: how a search begins and ends.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "games/core/error.h"
#include "support.h"

namespace playproof::limits_test {
namespace {

struct Problem {
  const char* game;
  const char* position;
  const char* goal;
  std::uint32_t nodes = 2000;  // no search takes more than a second or two
};
// None is decided within a few thousand nodes.
const std::vector<Problem>& hard_problems() {
  static const std::vector<Problem> problems = {
      {"hex:size=7", "", "win"},
      {"hex:size=11", "f6 e5", "win"},
      {"othello", "", "win"},
      {"othello:size=6", "", "score>=2"},
      {"connect6:size=9", "EE", "win"},
      {"connect6:size=13", "GG", "draw", 200},
      {"pgame:branching=8,depth=16,tree=3", "", "win"},
  };
  return problems;
}

// What an undecided result must still be: a legal best move and a legal line.
void expect_valid_unknown(const Solver& solver, const SolveResult& result) {
  EXPECT_EQ(result.verdict, Verdict::kUnknown);
  EXPECT_LT(result.lower, result.upper);
  ASSERT_TRUE(result.best_move.has_value());
  const std::vector<Move> tied = solver.interim_moves();
  EXPECT_TRUE(std::any_of(tied.begin(), tied.end(),
                          [&](Move move) { return solver.move_text(move) == *result.best_move; }));
  EXPECT_LE(result.principal_variation.size(), result.counters.max_depth);
  if (result.principal_variation.empty()) return;
  EXPECT_EQ(result.principal_variation.front(), *result.best_move);
}

void expect_stopped_for_good(Solver& solver, const SolveResult& before) {
  EXPECT_EQ(solver.step(1000), before.reason);
  expect_same_search(solver.result(), before);
}

// What is true of every position of the game is decided before a search begins: no limit is too
// small for it, and every move keeps it.
TEST(Limits, TriviallyTrueGoals) {
  std::vector<SearchLimits> limits(7);
  for (std::uint64_t nodes = 1; nodes <= 4; ++nodes) limits[nodes].max_nodes = nodes;
  limits[5].max_memory = 1;
  limits[6].max_seconds = 1e-9;
  for (const std::string& algorithm : plain_algorithms()) {
    for (const char* position : {"", "OOOXXOXXXOOOXO-- X", "OOOXXOXXXOOXXO-X O"}) {
      for (const SearchLimits& limit : limits) {
        SolveRequest request = ask("othello:size=4", algorithm, position, "score>=-16");
        request.limits = limit;
        SCOPED_TRACE(algorithm + " '" + position + "'");
        const SolveResult result = solve(request);
        ASSERT_EQ(result.verdict, Verdict::kProved);
        EXPECT_EQ(result.reason, StopReason::kDecided);
        EXPECT_EQ(result.counters.iterations, 0u);
        ASSERT_TRUE(result.best_move);
        EXPECT_EQ(*result.best_move, result.principal_variation.at(0));
        expect_good_line(request, result, -16);
        const auto solver = make_solver(request);
        EXPECT_EQ(solver->move_text(solver->interim_move()), *result.best_move);
      }
    }
  }
}

TEST(Limits, NodesAreNeverExceeded) {
  std::size_t turn = 0;
  for (const Problem& problem : hard_problems()) {
    for (const std::string& algorithm : plain_algorithms()) {
      for (const std::uint64_t limit : {1u, 9u, problem.nodes}) {
        for (const std::uint32_t batch : {1u, 8u}) {
          if (limit > 9 && ++turn % 7 != 0 && !nightly()) continue;
          SolveRequest request = ask(problem.game, algorithm, problem.position, problem.goal);
          request.limits.max_nodes = limit;
          request.batch = batch;
          SCOPED_TRACE(request.game + ' ' + algorithm + ' ' + std::to_string(limit));
          const auto solver = make_solver(request);
          const SolveResult result = finish(*solver);
          EXPECT_EQ(result.reason, StopReason::kNodes);
          EXPECT_LE(result.counters.nodes_created, limit);
          EXPECT_LE(result.counters.nodes_expanded, result.counters.nodes_created);
          expect_valid_unknown(*solver, result);
          expect_stopped_for_good(*solver, result);
        }
      }
    }
  }
}

// All claims of one goal together keep to the limit, wherever it falls.
TEST(Limits, NodesOfTwoClaimsTogether) {
  const std::string position = random_othello(4, 6, 4);
  for (const std::string& algorithm : plain_algorithms()) {
    for (const char* goal : {"value", "score"}) {
      const SolveRequest unlimited = ask("othello:size=4", algorithm, position, goal);
      const SolveResult whole = solve(unlimited);
      ASSERT_EQ(whole.reason, StopReason::kDecided);
      for (std::uint64_t limit = 1; limit <= whole.counters.nodes_created + 1;
           limit += 1 + limit / 40) {
        SolveRequest request = unlimited;
        request.limits.max_nodes = limit;
        const SolveResult result = solve(request);
        ASSERT_LE(result.counters.nodes_created, limit) << algorithm << ' ' << goal;
        ASSERT_NE(result.reason, StopReason::kRunning);
        ASSERT_EQ(result.reason == StopReason::kDecided, result.lower == result.upper);
        ASSERT_LE(result.lower, whole.lower);
        ASSERT_GE(result.upper, whole.upper);
      }
    }
  }
}

TEST(Limits, MemoryStopsCleanly) {
  std::size_t turn = 0;
  for (const Problem& problem : hard_problems()) {
    for (const std::string& algorithm : plain_algorithms()) {
      for (const std::uint64_t limit : {1u, 1000u, 300000u}) {
        SolveRequest request = ask(problem.game, algorithm, problem.position, problem.goal);
        // No table of P-games, so no memory.
        if (algorithm == "minimax" && request.game.starts_with("pgame")) continue;
        if (limit > 1000 && ++turn % 5 != 0 && !nightly()) continue;
        request.limits.max_memory = limit;
        SCOPED_TRACE(request.game + ' ' + algorithm + ' ' + std::to_string(limit));
        const auto solver = make_solver(request);
        const SolveResult result = finish(*solver);
        EXPECT_EQ(result.reason, StopReason::kMemory);
        // Beside the tree there is the path (or stack), which depth bounds.
        EXPECT_LE(result.counters.peak_bytes, limit + (1u << 20));
        expect_valid_unknown(*solver, result);
        expect_stopped_for_good(*solver, result);
      }
    }
  }
}

// A limit is there to be used: a search that stops for memory has filled it, or a table that could
// not double.
TEST(Limits, MemoryIsUsed) {
  for (const std::string& algorithm : plain_algorithms()) {
    SolveRequest request = ask("hex:size=11", algorithm);
    request.limits.max_memory = std::uint64_t{1} << (nightly() ? 22 : 20);
    const SolveResult result = solve(request);
    EXPECT_EQ(result.reason, StopReason::kMemory) << algorithm;
    const std::uint64_t limit = request.limits.max_memory;
    const bool doubles = algorithm == "minimax" || has_table(algorithm);
    EXPECT_GT(result.counters.peak_bytes, doubles ? limit / 5 : limit / 10 * 9) << algorithm;
  }
}

TEST(Limits, SecondsStopTheSearch) {
  for (const std::string& algorithm : plain_algorithms()) {
    SolveRequest request = ask("hex:size=7", algorithm);
    request.limits.max_seconds = 0.05;
    request.limits.max_memory = std::uint64_t{4} << 30;
    const auto solver = make_solver(request);
    const SolveResult result = finish(*solver);
    EXPECT_EQ(result.reason, StopReason::kSeconds) << algorithm;
    EXPECT_GE(result.seconds, 0.05);
    EXPECT_LT(result.seconds, 1.0) << algorithm;
    expect_valid_unknown(*solver, result);
  }
}

// One iteration is long where a node has 360 children with many playouts each.
TEST(Limits, SecondsStopLongIterations) {
  for (const char* algorithm : {"ppn:playouts=128", "mcpn:playouts=128"}) {
    SolveRequest request = ask("connect6", algorithm, "JJ");
    request.limits.max_seconds = 0.1;
    const SolveResult result = solve(request);
    EXPECT_EQ(result.reason, StopReason::kSeconds);
    const double one = result.seconds / static_cast<double>(result.counters.iterations);
    EXPECT_LT(result.seconds, 0.1 + 4 * one + 0.1) << algorithm;
  }
}

TEST(Limits, OfTheOracle) {
  int asked = 0;
  OracleLimits limits;
  limits.stop = [&] { return ++asked > 2; };
  EXPECT_FALSE(oracle("hex:size=6", "", "win", limits).complete);
  EXPECT_EQ(asked, 3);
  limits.stop = nullptr;
  limits.max_memory = 1 << 20;
  EXPECT_FALSE(oracle("hex:size=6", "", "win", limits).complete);
  EXPECT_TRUE(oracle("hex:size=3", "", "win", limits).complete);
}

TEST(Slices, ChangeNothing) {
  for (const std::string& algorithm : all_variants()) {
    const SolveRequest request = ask("pgame:branching=3,depth=7,tree=4", algorithm);
    const SolveResult whole = solve(request);
    for (const std::uint64_t slice : {1u, 7u, 1000u}) {
      const auto solver = make_solver(request);
      std::uint64_t before = 0;
      while (solver->step(slice) == StopReason::kRunning) {
        const std::uint64_t now = solver->result().counters.iterations;
        if (algorithm.starts_with("pn2")) {
          ASSERT_LE(now, before + slice) << algorithm;  // a step may end within an iteration
          before = now;
        } else {
          // (minimax enters the root before its first step)
          ASSERT_EQ(now - (algorithm == "minimax" ? 1 : 0), before + slice) << algorithm;
          before += slice;
        }
      }
      SCOPED_TRACE(algorithm + " slice " + std::to_string(slice));
      expect_same_search(solver->result(), whole);
    }
  }
}

TEST(Slices, ChangeNothingInBatchesAndTwoClaims) {
  for (const std::string& algorithm : plain_algorithms()) {
    for (const char* goal : {"win", "value"}) {
      SolveRequest request = ask("pgame:branching=4,depth=6,tree=9", algorithm, "", goal);
      request.batch = 5;
      const SolveResult whole = solve(request);
      for (const std::uint64_t slice : {1u, 7u, 1000u}) {
        const auto solver = make_solver(request);
        while (solver->step(slice) == StopReason::kRunning) {
        }
        SCOPED_TRACE(algorithm + ' ' + goal + " slice " + std::to_string(slice));
        expect_same_search(solver->result(), whole);
      }
    }
  }
}

TEST(Slices, NoneIsNoWork) {
  const auto solver = make_solver(ask("hex:size=3", "pn"));
  EXPECT_EQ(solver->step(0), StopReason::kRunning);
  EXPECT_EQ(solver->result().counters.iterations, 0u);
  EXPECT_EQ(solver->result().counters.nodes_created, 1u);
}

TEST(Threads, ChangeNoCount) {
  for (const char* algorithm : {"ppn", "mcpn", "mcts", "uct", "pn"}) {
    for (const std::uint32_t batch : {1u, 64u}) {
      SolveRequest request = ask("hex:size=5", algorithm, "a1");
      request.batch = batch;
      request.limits.max_nodes = 20000;
      const SolveResult one = solve(request);
      for (const int threads : {2, 3}) {
        request.threads = threads;
        SCOPED_TRACE(std::string(algorithm) + ' ' + std::to_string(threads));
        expect_same_search(solve(request), one);
      }
    }
  }
}

}  // namespace
}  // namespace playproof::limits_test
