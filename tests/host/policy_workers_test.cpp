// Policies of several searchers (host/jobs/policy.h) and locks of their table
// (host/table/place_locks.h) on threads: short, also with ThreadSanitizer.
#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <string>

#include "games/core/error.h"
#include "host/jobs/policy.h"
#include "several_searchers.h"
#include "support.h"

namespace playproof {
namespace {

// Tables of 64 entries and less lose nearly all.
constexpr const char* kAlgorithms[] = {"dfpn:playouts=8,zones=on,patterns=64",
                                       "dfpn:leaf=unit,table=2KiB",
                                       "dfpn:leaf=mobility,edge=1,edges=moves,table=2KiB,gc=0.5",
                                       "pds:table=2KiB",
                                       "pnstar",
                                       "alphabeta:table=2KiB"};

std::string with(const std::string& algorithm, const std::string& more) {
  return algorithm + (algorithm.find(':') == std::string::npos ? ":" : ",") + more;
}

TEST(PolicyWorkers, EveryPolicyWithAndWithoutLocks) {
  const Verdict right = solve(ask("hex:size=3", "dfpn", "b1")).verdict;
  std::size_t next = 0;
  for (const JobPolicy& policy : kJobPolicies) {
    for (const char* lock : {"off", "on"}) {
      for (int i = 0; i < (nightly() ? 6 : 2); ++i) {
        const std::string algorithm =
            with(kAlgorithms[next++ % std::size(kAlgorithms)],
                 std::string("policy=") + policy.name + ",tablelock=" + lock);
        SCOPED_TRACE(algorithm);
        expect_solved_and_certified(ask_workers(3, "hex:size=3", algorithm, "b1"), right);
      }
    }
  }
}

// The table grows, collects and is full while it has locks.
TEST(PolicyWorkers, TablesWithLocks) {
  const Truth pgame = truth("pgame:branching=3,depth=6,tree=2", "");
  const std::string othello = random_othello(8, 5, 2);
  const Truth late = truth("othello", othello);
  for (const char* algorithm : kAlgorithms) {
    const std::string locked = with(algorithm, "tablelock=on");
    SCOPED_TRACE(locked);
    expect_right(ask_workers(4, "pgame:branching=3,depth=6,tree=2", locked), pgame);
    expect_right(ask_workers(2, "othello", locked, othello, "score"), late);
  }
  SolveRequest request = ask_workers(2, "hex:size=4", "dfpn:leaf=unit,zones=on,tablelock=on", "a1");
  const auto solver = make_solver(request);
  EXPECT_EQ(finish(*solver).verdict, solve(ask("hex:size=4", "dfpn", "a1")).verdict);
  EXPECT_NO_THROW(solver->self_check());
}

// One thread alone on a table that threads may share searches alike with locks and without.
TEST(PolicyWorkers, LocksChangeNoCount) {
  for (const char* algorithm : kAlgorithms) {
    SCOPED_TRACE(algorithm);
    SolveRequest request = ask("hex:size=4", algorithm, "d1");
    request.workers_before = 2;
    request.limits.max_nodes = 3000;
    Counters without = solve(request).counters;
    request.algorithm = with(algorithm, "tablelock=on");
    Counters with_locks = solve(request).counters;
    without.peak_bytes = with_locks.peak_bytes = 0;  // it has no check words
    expect_same_counters(with_locks, without);
  }
}

TEST(PolicyWorkers, LocksAreOfThreads) {
  for (const char* algorithm : {"dfpn:tablelock=on", "alphabeta:tablelock=on,searchers=2"}) {
    try {
      make_solver(ask("hex:size=3", algorithm));
      ADD_FAILURE() << algorithm << " was made";
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ErrorCode::kUsage);
      EXPECT_NE(std::string(error.what()).find("tablelock=on needs several threads"),
                std::string::npos)
          << error.what();
    }
  }
  EXPECT_NO_THROW(make_solver(ask("hex:size=3", "dfpn:tablelock=off")));
}

}  // namespace
}  // namespace playproof
