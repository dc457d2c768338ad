// Many searches over one evaluator: each is the same as alone, whatever shares its batches. And the
// simulated device.
#include <gtest/gtest.h>

#include <atomic>
#include <map>
#include <stdexcept>
#include <string>
#include <vector>

#include "games/core/error.h"
#include "host/drive/clocks.h"
#include "host/playouts/backends/latency.h"
#include "host/solve/fleet.h"
#include "support.h"

namespace playproof::fleet_test {
namespace {

std::vector<SolveRequest> p_games(int trees) {
  const std::vector<std::string> algorithms = {"ppn", "mcpn:playouts=3", "mcts", "uct",
                                               "ppn:rule=beta"};
  std::vector<SolveRequest> searches;
  for (int tree = 1; tree <= trees; ++tree) {
    const auto number = static_cast<std::size_t>(tree);
    searches.push_back(ask("pgame:branching=3,depth=7,tree=" + std::to_string(tree),
                           algorithms[number % algorithms.size()]));
    searches.back().batch = tree % 4 == 0 ? 4 : 1;
    if (tree % 7 == 0) searches.back().limits.max_nodes = 60;
  }
  return searches;
}

std::vector<SolveRequest> boards() {
  std::vector<SolveRequest> searches;
  for (const char* opening : {"", "a1", "b1", "c1", "a2", "b2", "c3"}) {
    searches.push_back(ask("hex:size=3", "ppn:order=random", opening));
    searches.push_back(ask("hex:size=3", "uct", opening, "draw"));
    searches.push_back(ask("hex:size=3", "mcpn:playouts=40", opening));
    searches.push_back(ask("hex:size=3", "ppn", "a1 b1 a2 b2 a3"));  // finished
  }
  return searches;
}

std::map<std::size_t, SolveResult> together(const std::vector<SolveRequest>& searches,
                                            const FleetRequest& request, FleetStats* stats) {
  std::map<std::size_t, SolveResult> results;
  *stats = run_fleet(searches, request, [&](std::size_t number, const Solver& solver) {
    EXPECT_TRUE(results.emplace(number, solver.result()).second);
  });
  return results;
}

void refuse(std::vector<SolveRequest> searches, const FleetRequest& request,
            const std::string& word) {
  try {
    run_fleet(searches, request, {});
    ADD_FAILURE() << "taken, but should name " << word;
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::kUsage);
    EXPECT_NE(std::string(error.what()).find(word), std::string::npos) << error.what();
  }
}

TEST(Fleet, EachSearchIsTheSameAsAlone) {
  std::size_t turn = 0;
  for (const auto& searches : {p_games(60), boards()}) {
    std::vector<SolveResult> alone;
    std::uint64_t playouts = 0;
    std::uint64_t leaves = 0;
    for (const SolveRequest& search : searches) {
      alone.push_back(solve(search));
      playouts += alone.back().counters.playouts;
      leaves += alone.back().counters.evaluations;
    }
    for (const std::uint32_t in_flight : {1u, 7u, 1000u}) {
      for (const std::uint32_t batch : {1u, 4u, 64u}) {
        for (const char* backend : {"cpu", "check:every=9", "latency:us=3"}) {
          if (turn++ % 4 != 0 && !nightly()) continue;
          FleetRequest request;
          request.threads = static_cast<int>(1 + (in_flight + batch) % 3);
          request.feeders = static_cast<int>((in_flight + batch) % 4);
          request.in_flight = in_flight;
          request.batch_searches = batch;
          request.backend = backend;
          FleetStats stats;
          const auto results = together(searches, request, &stats);
          ASSERT_EQ(results.size(), searches.size());
          EXPECT_EQ(stats.finished, searches.size());
          EXPECT_EQ(stats.playouts, playouts);
          EXPECT_EQ(stats.leaves, leaves);
          for (const auto& [number, result] : results) {
            SCOPED_TRACE(searches[number].game + ' ' + searches[number].algorithm);
            expect_same_search(result, alone[number]);
          }
        }
      }
    }
  }
}

// A thread has 4 s alone with the first search, then half and half, then a third, and so on.
TEST(Fleet, SearchesShareTheTime) {
  SharedTimes times;
  times.begin({10, 1});
  const Times first = times.each();
  EXPECT_EQ(first.seconds, 0);
  times.begin({14, 2});
  const Times second = times.each();
  EXPECT_EQ(second.seconds - first.seconds, 4);
  EXPECT_EQ(second.cpu_seconds - first.cpu_seconds, 1);
  times.begin({20, 6});
  const Times third = times.each();
  EXPECT_EQ(third.seconds - second.seconds, 3);
  EXPECT_EQ(third.cpu_seconds - second.cpu_seconds, 2);
  times.end({26, 9});  // any one of the three
  times.skip({36, 19});
  EXPECT_EQ(times.each().seconds - third.seconds, 2);
  EXPECT_EQ(times.each().cpu_seconds - third.cpu_seconds, 1);
  times.end({37, 21});
  EXPECT_EQ(times.each().seconds - third.seconds, 2.5);
  EXPECT_EQ(times.each().cpu_seconds - third.cpu_seconds, 2);
  times.end({36, 22});  // more was simulated, it is said, than has passed
  EXPECT_EQ(times.each().seconds - third.seconds, 2.5);
  times.begin({50, 40});
  EXPECT_EQ(times.each().cpu_seconds - third.cpu_seconds, 3);
}

// What they are said to have taken together is no more than the fleet has taken.
TEST(Fleet, SearchesHaveTimes) {
  for (const char* backend : {"cpu", "latency:of=reference,us=1"}) {
    for (const int feeders : {1, 3}) {
      FleetRequest request;
      request.backend = backend;
      request.feeders = feeders;
      request.in_flight = 9;
      request.batch_searches = 2;
      FleetStats stats;
      double seconds = 0;
      for (const auto& [number, result] : together(p_games(30), request, &stats)) {
        EXPECT_GT(result.seconds, 0);
        EXPECT_GT(result.cpu_seconds, 0);
        seconds += result.seconds;
      }
      if (feeders == 1) {
        EXPECT_LE(seconds, 1.01 * stats.seconds);
      }
    }
  }
}

TEST(Fleet, BatchesAreFilled) {
  const std::vector<SolveRequest> searches(40, ask("pgame:branching=2,depth=12,tree=5", "mcts"));
  FleetRequest request;
  request.in_flight = 20;
  request.batch_searches = 10;
  const FleetStats stats = run_fleet(searches, request, {});
  EXPECT_EQ(stats.finished, 40u);
  // Equal searches run in step, so every batch has a leaf of each.
  EXPECT_EQ(stats.leaves, 10 * stats.batches);
  EXPECT_LE(stats.busy_seconds, stats.seconds);
}

// Each of them may use most of the memory, but there are not addresses enough for all.
TEST(Fleet, TenThousandInFlight) {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
  GTEST_SKIP() << "the sanitizer needs the addresses";
#endif
  std::vector<SolveRequest> searches;
  for (int tree = 0; tree < 10000; ++tree) {
    searches.push_back(ask("pgame:branching=2,depth=6,tree=" + std::to_string(tree), "ppn"));
  }
  FleetRequest request;
  request.in_flight = 10000;
  request.batch_searches = 1024;
  std::uint64_t decided = 0;
  run_fleet(searches, request, [&](std::size_t, const Solver& solver) {
    decided += solver.result().reason == StopReason::kDecided;
  });
  EXPECT_EQ(decided, 10000u);
}

TEST(Fleet, StopsWhenAsked) {
  const std::vector<SolveRequest> searches = p_games(50);
  FleetRequest request;
  request.in_flight = 10;
  int asked = 0;
  std::size_t told = 0;
  const FleetStats stats = run_fleet(
      searches, request, [&](std::size_t, const Solver&) { ++told; }, [&] { return ++asked == 5; });
  EXPECT_EQ(asked, 5);
  EXPECT_EQ(stats.finished, told);
  EXPECT_LT(told, searches.size());
}

// Too large to end before it is stopped, however long the calling thread has to wait for a core.
const char* const kEndless = "pgame:branching=2,depth=60,tree=3";

// Threads that drive their own searches stop too, also when the one that asks has none left.
TEST(Fleet, EveryThreadStopsWhenAsked) {
  std::vector<SolveRequest> searches(4, ask(kEndless, "ppn"));
  for (int i = 0; i < 3; ++i) searches[static_cast<std::size_t>(i)].limits.max_nodes = 5;
  FleetRequest request;
  request.threads = 4;
  std::size_t told = 0;
  int asked = 0;
  const FleetStats stats = run_fleet(
      searches, request, [&](std::size_t, const Solver&) { ++told; }, [&] { return ++asked > 5; });
  EXPECT_EQ(stats.finished, told);
  EXPECT_LT(told, searches.size());
}

TEST(Fleet, WhatItsCallerThrowsEndsIt) {
  const std::vector<SolveRequest> searches(12, ask("pgame:branching=2,depth=16,tree=3", "ppn"));
  FleetRequest request;
  request.threads = 3;
  request.in_flight = 6;
  std::size_t told = 0;
  const auto tell = [&](std::size_t, const Solver&) {
    if (++told == 2) throw std::runtime_error("told");
  };
  EXPECT_THROW(run_fleet(searches, request, tell), std::runtime_error);
  EXPECT_EQ(told, 2u);
}

// Before it ends, and once; those that are not begun when the fleet is stopped not at all.
TEST(Fleet, TellsOfEachSearchThatBegins) {
  const auto searches = p_games(60);
  FleetRequest request;
  request.threads = 3;
  request.in_flight = 6;
  std::vector<std::atomic<int>> begun(searches.size());
  request.begins = [&](std::size_t search) { ++begun[search]; };
  std::atomic<std::size_t> told = 0;
  run_fleet(
      searches, request,
      [&](std::size_t search, const Solver&) {
        ++told;
        EXPECT_EQ(begun[search].load(), 1);
      },
      [&] { return told >= 5; });
  EXPECT_GE(told.load(), 5u);
  std::size_t all = 0;
  for (const auto& one : begun) all += static_cast<std::size_t>(one);
  EXPECT_GE(all, told.load());
  EXPECT_LE(all, told + 6);
  request.begins = [](std::size_t search) {
    if (search == 7) throw std::runtime_error("begins");
  };
  EXPECT_THROW(run_fleet(searches, request, {}), std::runtime_error);
}

TEST(Fleet, WhatItsCallerThrowsWhenAskedEndsIt) {
  const std::vector<SolveRequest> searches(12, ask(kEndless, "ppn"));
  FleetRequest request;
  request.threads = 3;
  request.in_flight = 6;
  int asked = 0;
  const auto stop = [&]() -> bool {
    if (++asked == 3) throw std::runtime_error("asked");
    return false;
  };
  EXPECT_THROW(run_fleet(searches, request, {}, stop), std::runtime_error);
  EXPECT_EQ(asked, 3);
}

// What one thread throws ends the others and reaches the caller.
TEST(Fleet, AnErrorOfAThreadIsTheCallers) {
  std::vector<SolveRequest> searches(5, ask("pgame:branching=2,depth=24,tree=3", "ppn"));
  searches.back() = ask("hex:size=3", "ppn");
  FleetRequest request;
  request.threads = 3;
  refuse(searches, request, "search 5");
}

TEST(Fleet, HasAsManyFeedersAsAsked) {
  const auto searches = p_games(20);
  for (const char* backend : {"cpu", "latency:us=1"}) {
    for (const int feeders : {0, 1, 3, 50}) {
      FleetRequest request;
      request.backend = backend;
      request.threads = 2;
      request.feeders = feeders;
      request.in_flight = 8;
      const FleetStats stats = run_fleet(searches, request, {});
      const std::uint64_t chosen = std::string(backend) == "cpu" ? 2 : 1;
      EXPECT_EQ(stats.feeders, feeders == 0 ? chosen : std::min(feeders, 8)) << backend;
      EXPECT_EQ(stats.finished, searches.size());
    }
  }
}

TEST(Fleet, NothingToDo) { EXPECT_EQ(run_fleet({}, {}, {}).finished, 0u); }

TEST(Fleet, Refusals) {
  const SolveRequest good = ask("pgame:branching=2,depth=5,tree=1", "ppn");
  refuse({good, ask("pgame:branching=2,depth=6,tree=1", "ppn")}, {}, "search 2");
  refuse({good, ask("hex:size=3", "ppn")}, {}, "hex:size=3");
  refuse({good, ask(good.game, "pn")}, {}, "pn:ties=left");
  refuse({ask(good.game, "minimax")}, {}, "minimax");
  refuse({ask(good.game, "ppn", "", "value")}, {}, "goal value");
  SolveRequest timed = good;
  timed.limits.max_seconds = 1;
  refuse({timed}, {}, "seconds");
  FleetRequest none;
  none.in_flight = 0;
  refuse({good}, none, "in_flight");
  none = {};
  none.batch_searches = 0;
  refuse({good}, none, "batch_searches");
  none = {};
  none = {};
  none.threads = 0;
  refuse({good}, none, "threads");
  SolveRequest kept = ask(good.game, "dfpn:leaf=playouts,playouts=4");
  TableKeeper keeper;
  kept.keeper = &keeper;
  refuse({kept}, {}, "table");
}

TEST(DeviceClock, SharersHaveTheirPartOfTheRate) {
  DeviceClock clock(0, 1000);
  clock.share_among(4);
  EXPECT_DOUBLE_EQ(clock.submit(0, 500), 2);
}

TEST(DeviceClock, BatchesFollowOneAnother) {
  DeviceClock clock(10, 2);  // 10 s to launch, 2 playouts a second
  EXPECT_EQ(clock.submit(0, 8), 14);
  EXPECT_EQ(clock.busy(), 14);
  EXPECT_EQ(clock.submit(1, 8), 18);  // launched while the first one ran, or waited for it
  EXPECT_EQ(clock.busy(), 18);
  EXPECT_EQ(clock.submit(12, 2), 23);  // nothing runs from 18 to 22, but a launch is on its way
  EXPECT_EQ(clock.busy(), 23);
  EXPECT_EQ(clock.submit(100, 0), 110);
  EXPECT_EQ(clock.busy(), 33);
}

}  // namespace
}  // namespace playproof::fleet_test
