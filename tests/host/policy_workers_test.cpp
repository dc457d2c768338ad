// Policies of several searchers (host/jobs/policy.h) and locks of their table
// (host/table/place_locks.h) on threads: short, also with ThreadSanitizer. And where the time of
// these threads goes (host/question/worker_times.h).
#include <gtest/gtest.h>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <string>
#include <thread>

#include "games/core/error.h"
#include "host/jobs/policy.h"
#include "host/jobs/timed_waits.h"
#include "host/question/worker_times.h"
#include "several_searchers.h"
#include "support.h"

namespace playproof::policy_workers_test {
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
    request.limits.max_nodes = 1000;
    Counters without = solve(request).counters;
    request.algorithm = with(algorithm, "tablelock=on");
    Counters with_locks = solve(request).counters;
    EXPECT_LT(with_locks.peak_bytes, without.peak_bytes);  // it has no check words
    without.peak_bytes = with_locks.peak_bytes = 0;
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

// Jobs are one ply below the root, which has two moves: of eight threads six have no job. (Where
// cores are busy with other work those begin late, and rest.)
TEST(WorkerTimes, WhoHasNoJobIsIdle) {
  SolveRequest request =
      ask_workers(8, "pgame:branching=2,depth=20,tree=1", "dfpn:leaf=unit,policy=depth,jobdepth=1");
  request.limits.max_nodes = 100'000;
  const SolveResult result = solve(request);
  const CrewTimes& crew = result.crew;
  ASSERT_EQ(crew.workers.size(), 8u);
  double run = 0;
  double idle = 0;
  double busy = 0;
  for (const WorkerTimes& one : crew.workers) {
    EXPECT_LE(one.idle_seconds + one.lock_seconds, one.run_seconds);
    EXPECT_LE(one.run_seconds, crew.seconds);
    EXPECT_LE(one.cpu_seconds, 1.05 * (one.run_seconds - one.idle_seconds) + 0.02);
    run += one.run_seconds;
    idle += one.idle_seconds;
    busy += one.cpu_seconds;
  }
  EXPECT_GT(idle, 0.2 * run);
  EXPECT_LT(busy, 0.8 * run);
  EXPECT_NEAR(crew.idle_share(), idle / (8 * crew.seconds), 1e-9);
  EXPECT_NEAR(crew.rest_share(), 1 - run / (8 * crew.seconds), 1e-9);
  EXPECT_NEAR(crew.seconds, result.seconds, 0.02 + 0.1 * result.seconds);
}

// The CPU times of all threads are that of the search.
TEST(WorkerTimes, AddUpToTheSearch) {
  SolveRequest request = ask_workers(3, "pgame:branching=2,depth=20,tree=1", "dfpn:leaf=unit");
  request.limits.max_nodes = 100'000;
  const SolveResult result = solve(request);
  ASSERT_EQ(result.crew.workers.size(), 3u);
  double sum = result.crew.main_cpu_seconds;
  for (const WorkerTimes& one : result.crew.workers) {
    EXPECT_GT(one.cpu_seconds, 0);
    sum += one.cpu_seconds;
  }
  EXPECT_NEAR(sum, result.cpu_seconds, 0.02 + 0.1 * result.cpu_seconds);
  const double waits = result.crew.idle_share() + result.crew.lock_wait_share();
  EXPECT_LE(waits + result.crew.rest_share(), 1 + 1e-9);
  EXPECT_LT(waits, 1);
}

// Goals of several claims have the times of all of them; steps of their own are told of, too.
TEST(WorkerTimes, OfClaimsAndSteps) {
  const SolveRequest request =
      ask_workers(2, "connect6:rows=3,columns=3,connect=3,stones=1", "dfpn", "", "value");
  const auto solver = make_solver(request);
  double before = 0;
  while (solver->step(200) == StopReason::kRunning) {
    const CrewTimes& crew = solver->result().crew;
    EXPECT_GE(crew.seconds, before);
    before = crew.seconds;
  }
  const SolveResult result = solver->result();
  EXPECT_NEAR(result.crew.seconds, result.seconds, 0.02 + 0.1 * result.seconds);
  EXPECT_GT(result.crew.rest_share(), 0);  // a run has a beginning
  EXPECT_TRUE(solve(ask("hex:size=3", "dfpn")).crew.workers.empty());
}

TEST(WorkerTimes, ALockIsTimedWhereAnotherHasIt) {
  using std::chrono::milliseconds;
  std::mutex mutex;
  double waited = 0;
  EXPECT_TRUE(lock_timed(mutex, waited).owns_lock());
  EXPECT_EQ(waited, 0) << "nobody had it";
  std::unique_lock held(mutex);
  std::jthread other([&] { EXPECT_TRUE(lock_timed(mutex, waited).owns_lock()); });
  std::this_thread::sleep_for(milliseconds(60));
  held.unlock();
  other.join();
  EXPECT_GT(waited, 0.01);
  EXPECT_LT(waited, 30);
}

}  // namespace
}  // namespace playproof::policy_workers_test
