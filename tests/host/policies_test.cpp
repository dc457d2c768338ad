// Policies of several searchers (host/jobs/policy.h): by any of them, in turns or on threads, with
// tables that lose nearly all, the verdict is right and has a certificate, and nobody waits for
// ever; each of them is another search.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "certified.h"
#include "games/core/error.h"
#include "games/list.h"
#include "games/pgame/rules.h"
#include "host/jobs/policy.h"
#include "host/jobs/shared_search.h"
#include "host/table/depth_first.h"
#include "saved.h"
#include "several_searchers.h"
#include "support.h"

namespace playproof::policies_test {
namespace {

constexpr int kNumbers[] = {2, 4, 8, 16};

// Tables of 64 entries and less lose nearly all; the default one nothing.
const std::vector<std::string>& algorithms() {
  static const std::vector<std::string> all = {
      "dfpn:playouts=8",
      "dfpn:playouts=8,table=1KiB",
      "dfpn:leaf=unit,epsilon=0.25,table=2KiB",
      "dfpn:leaf=mobility,edge=1,edges=moves,table=2KiB,gc=0.5",
      "dfpn:playouts=8,form=log,S=1,table=2KiB",
      "dfpn:playouts=8,zones=on,patterns=64,table=4KiB",
      "dfpn:leaf=mustplay,knowledge=full,table=4KiB",
      "dfpn:leaf=unit,order=resistance,widening=0.25",
      "pds:table=2KiB",
      "pnstar:table=2KiB",
      "alphabeta:table=2KiB"};
  return all;
}

std::string by(const std::string& policy, const std::string& algorithm, int searchers = 1) {
  const char* join = algorithm.find(':') == std::string::npos ? ":" : ",";
  return algorithm + join + "policy=" + policy +
         (searchers == 1 ? "" : ",searchers=" + std::to_string(searchers));
}

// Every policy with every number of searchers, each time with another algorithm: `every` of them.
template <class F>
void for_each_search(std::size_t& next, std::size_t every, const F& f) {
  for (const JobPolicy& policy : kJobPolicies) {
    for (const int searchers : kNumbers) {
      for (std::size_t i = 0; i < every; ++i) {
        const std::string& algorithm = algorithms()[next++ % algorithms().size()];
        SCOPED_TRACE(by(policy.name, algorithm, searchers));
        f(policy.name, algorithm, searchers);
        if (::testing::Test::HasFailure()) return;
      }
    }
  }
}

void expect_right_by_all(const std::string& game, const std::string& position,
                         const std::vector<std::string>& goals) {
  static std::size_t next = 0;
  const Truth right = truth(game, position);
  for_each_search(next, nightly() ? algorithms().size() : 2,
                  [&](const char* policy, const std::string& algorithm, int searchers) {
                    for (const std::string& goal : goals) {
                      expect_right(ask(game, by(policy, algorithm, searchers), position, goal),
                                   right);
                    }
                  });
  for_each_search(next, 1, [&](const char* policy, const std::string& algorithm, int workers) {
    expect_right(ask_workers(workers, game, by(policy, algorithm), position, goals.front()), right);
  });
}

TEST(Policies, EveryGameOfTheList) { for_each_game_of_several(expect_right_by_all); }

TEST(Policies, PGamesLateOthelloAndConnect) {
  for (std::uint64_t tree = 1; tree <= (nightly() ? 20 : 2); ++tree) {
    expect_right_by_all("pgame:branching=3,depth=6,tree=" + std::to_string(tree), "", {"win"});
  }
  for (std::uint64_t seed = 1; seed <= (nightly() ? 6 : 1); ++seed) {
    expect_right_by_all("othello:size=4", random_othello(4, 6, seed), {"win", "score>=3"});
    expect_right_by_all("othello", random_othello(8, 5, seed), {"win", "score"});
  }
  expect_right_by_all("connect6:rows=3,columns=3,connect=3", "", {"win", "value"});
  expect_right_by_all("connect6:rows=3,columns=3,connect=3,stones=1", "BB AA", {"win", "draw"});
}

// tests/data/hex-openings.txt: White is to move. All verdicts are certified.
TEST(Policies, FirstMovesOfHex) {
  std::size_t next = 0;
  int i = 0;
  for (const std::string& line : data_lines("hex-openings.txt")) {
    const auto fields = words_of(line);
    const bool small = fields[0] == "3";
    if (!small && fields[0] != "4") continue;
    if (i++ % 5 != 0 && !nightly()) continue;
    const Verdict verdict = fields[2] == "W" ? Verdict::kProved : Verdict::kDisproved;
    const std::string game = "hex:size=" + fields[0];
    for_each_search(next, 1, [&](const char* policy, const std::string& algorithm, int searchers) {
      if (!small && algorithm.find("table") != std::string::npos) return;
      expect_solved_and_certified(ask(game, by(policy, algorithm, searchers), fields[1]), verdict);
      expect_solved_and_certified(ask_workers(searchers, game, by(policy, algorithm), fields[1]),
                                  verdict);
    });
  }
}

// What each policy enters, so many searchers taking turns: none is as another.
TEST(Policies, AreOtherSearches) {
  using Counts = std::array<std::uint64_t, 2>;
  const std::vector<std::pair<std::string, Counts>> golden = {
      {"likely", {32026, 71045}}, {"win", {32037, 47832}},   {"loss", {35906, 59234}},
      {"flag", {31193, 37375}},   {"plus", {33352, 57673}},  {"times", {36908, 54417}},
      {"random", {24486, 32391}}, {"depth", {45353, 38603}}, {"all", {36763, 84607}},
      {"seed", {24236, 45455}}};
  ASSERT_EQ(golden.size(), kJobPolicies.size());
  std::vector<std::uint64_t> seen[2];
  for (const auto& [policy, counts] : golden) {
    for (const std::size_t i : {0U, 1U}) {
      const std::string algorithm =
          by(policy, "dfpn:leaf=unit,zones=on,table=64MiB", i == 0 ? 4 : 8);
      const std::uint64_t count =
          solve(ask("hex:size=4", algorithm, i == 0 ? "d1" : "a2")).counters.iterations;
      EXPECT_EQ(count, counts[i]) << algorithm;
      EXPECT_TRUE(std::ranges::find(seen[i], count) == seen[i].end()) << algorithm;
      seen[i].push_back(count);
    }
  }
}

// Jobs at another depth are another search; at two plies they are what they always were.
TEST(Policies, DepthOfJobs) {
  const std::pair<int, std::uint64_t> golden[] = {{1, 34632}, {2, 45353}, {3, 35549}, {5, 27679}};
  for (const auto& [depth, count] : golden) {
    const std::string algorithm =
        by("depth", "dfpn:leaf=unit,zones=on,table=64MiB,jobdepth=" + std::to_string(depth), 4);
    const SolveResult result = solve(ask("hex:size=4", algorithm, "d1"));
    EXPECT_EQ(result.counters.iterations, count) << algorithm;
  }
  const auto name = [](const std::string& algorithm) {
    return make_solver(ask("hex:size=3", algorithm))->algorithm();
  };
  const std::string plain = name("dfpn:policy=depth,searchers=2");
  EXPECT_EQ(plain.find("jobdepth"), std::string::npos);
  EXPECT_EQ(name("dfpn:policy=depth,searchers=2,jobdepth=2"), plain);
  EXPECT_NE(name("dfpn:policy=depth,searchers=2,jobdepth=3"), plain);
  EXPECT_EQ(stored_algorithm(name("dfpn:jobdepth=2")), stored_algorithm(name("dfpn")));
}

// What is counted does not depend on how the search is driven.
TEST(Policies, AreAFunctionOfNumberAndSeed) {
  for (const JobPolicy& policy : kJobPolicies) {
    for (const int searchers : {2, 8}) {
      const std::string algorithm = by(policy.name, "dfpn:playouts=16", searchers);
      SCOPED_TRACE(algorithm);
      const SolveRequest request = ask("hex:size=4", algorithm, "a1");
      const SolveResult whole = solve(request);
      for (const std::uint64_t step : {3, 50}) {
        const auto solver = make_solver(request);
        while (solver->step(step) == StopReason::kRunning) {
        }
        expect_same_search(solver->result(), whole);
      }
    }
  }
}

// What would be played is told when it changes, and not only when the next step begins.
TEST(Policies, NewsAreToldInTime) {
  for (const JobPolicy& policy : kJobPolicies) {
    for (const int searchers : {2, 3, 4, 8}) {
      for (const char* position : {"a1", "a1 c3", "c3 a1", "b1"}) {
        const std::string algorithm = by(policy.name, "dfpn:leaf=unit", searchers);
        SCOPED_TRACE(algorithm + " after " + position);
        const auto solver = make_solver(ask("hex:size=3", algorithm, position));
        std::uint64_t last = 0;
        int late = 0;
        solver->on_interim([&](std::uint64_t iteration, const std::vector<Move>&) {
          late += iteration < last ? 1 : 0;
          last = iteration;
        });
        while (solver->step(3) == StopReason::kRunning) {
        }
        EXPECT_EQ(late, 0);
      }
    }
  }
}

// No more entries than were allowed, and checks pass in the middle: of virtual numbers none is in
// the table.
TEST(Policies, StopAndStandInTheMiddle) {
  for (const JobPolicy& policy : kJobPolicies) {
    for (const char* algorithm : {"dfpn:playouts=16", "dfpn:leaf=unit,patterns=64,zones=on"}) {
      for (const std::uint64_t most : {1, 20, 300}) {
        SolveRequest request = ask("hex:size=4", by(policy.name, algorithm, 8));
        request.limits.max_nodes = most;
        const auto solver = make_solver(request);
        const SolveResult result = finish(*solver);
        if (result.reason == StopReason::kDecided) continue;
        EXPECT_EQ(result.reason, StopReason::kNodes);
        EXPECT_EQ(result.counters.iterations, most);
        EXPECT_NO_THROW(solver->self_check()) << request.algorithm;
        EXPECT_FALSE(solver->interim_moves().empty());
        EXPECT_GT(solver->nodes({.depth = 1, .most = 100}).size(), 1U);
      }
    }
  }
}

// What the table has of the root, and its frame, are numbers of its children as they were found,
// while jobs that show others are under way.
TEST(Policies, VirtualNumbersAreKeptNowhere) {
  for (const JobPolicy& policy : kJobPolicies) {
    SCOPED_TRACE(policy.name);
    const PGame::Rules rules{5, 3, 12};
    DepthFirstOptions options;
    options.leaf = LeafNumbers::mobility();
    options.policy = policy.name;
    options.searchers = 8;
    options.max_nodes = 3000;
    const PGame::State start = PGame::initial(rules);
    SharedSearch<DepthFirstSearcher<PGame>> search(rules, start, {Player::kFirst, 1}, options);
    std::vector<LeafRequest<PGame>> requests;
    int looks = 0;
    while (search.question().stop_reason == StopReason::kRunning) {
      search.propose(5, requests);
      const auto& stack = search.tree().root();
      if (stack.empty() || search.question().stop_reason == StopReason::kDecided) continue;
      PhiDeltaPair real = {kPhiDeltaInfinity, 0};
      for (const auto& child : stack.children_of(stack.root())) {
        real.phi = std::min(real.phi, child.numbers.delta);
        real.delta += std::min(child.numbers.phi, kPhiDeltaCap);
      }
      EXPECT_EQ(search.tree().numbers(), real);
      const auto known = search.table().find(stack.root().hash, position_id(PGame{}, start),
                                             [](const auto&) { return false; });
      ASSERT_TRUE(known.has_value());
      EXPECT_EQ(known->numbers(), real);
      ++looks;
    }
    EXPECT_GT(looks, 10);
  }
}

TEST(Policies, SavedAndResumed) {
  for (const JobPolicy& policy : kJobPolicies) {
    for (const int workers : {1, 3}) {
      SolveRequest request = ask_workers(
          workers, "hex:size=4", by(policy.name, "dfpn:playouts=16", workers == 1 ? 4 : 1), "a1");
      SCOPED_TRACE(request.algorithm);
      request.certificate = true;
      auto solver = make_solver(request);
      for (int i = 0; i < 3; ++i) solver->step(20);
      ASSERT_TRUE(solver->resumable());
      request.workers_before = workers;
      solver = resumed(request, saved(*solver));
      EXPECT_EQ(finish(*solver).verdict, solve(ask("hex:size=4", "dfpn", "a1")).verdict);
      expect_certified(*solver, request, solver->result());
      request.workers = 1;  // one goes on with what several have begun
      EXPECT_EQ(resumed(request, saved(*solver))->result().verdict, solver->result().verdict);
    }
  }
}

void refuse(const SolveRequest& request, const std::string& words) {
  try {
    make_solver(request);
    ADD_FAILURE() << request.algorithm << " was made";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::kUsage);
    EXPECT_NE(std::string(error.what()).find(words), std::string::npos) << error.what();
  }
}
TEST(Policies, NeedSeveralSearchers) {
  const std::string several = "needs several searchers (searchers=N or --workers N)";
  for (const char* algorithm : {"dfpn", "pds", "pnstar", "alphabeta"}) {
    refuse(ask("hex:size=3", by("loss", algorithm)), std::string(algorithm) + ": policy=loss ");
    refuse(ask("hex:size=3", by("flag", algorithm)), several);
    solve(ask("hex:size=2", by("likely", algorithm)));
  }
  refuse(ask("hex:size=3", "dfpn:policy=loss,searchers=1"), several);
  refuse(ask("graph", "dfpn:policy=loss"), several);
  refuse(ask("hex:size=3", "dfpn:policy=mean,searchers=2"), "policy");
  refuse(ask("hex:size=3", "dfpn:jobdepth=3"), "jobdepth=3 needs policy=depth, not policy=likely");
  refuse(ask("hex:size=3", "pds:jobdepth=1,policy=win,searchers=2"), "not policy=win");
  refuse(ask_workers(2, "hex:size=3", "dfpn:jobdepth=3"), "jobdepth=3 needs policy=depth");
  refuse(ask("hex:size=3", "dfpn:jobdepth=3,policy=depth"), "policy=depth " + several);
  refuse(ask("hex:size=3", "dfpn:jobdepth=0,policy=depth,searchers=2"), "jobdepth");
  refuse(ask("graph", "dfpn:jobdepth=3"), "policy=depth");
  refuse(ask("connect6:size=4,connect=4,stones=2", "dfpn:turns=5,policy=win"), "policy=likely");
}

// What papers say of one leaf.
TEST(Policies, Rules) {
  const PhiDeltaPair hard = {7, 3};
  const PhiDeltaPair easy = {3, 7};
  EXPECT_EQ(job_policy("likely").shown(hard, true), kMoverLoses);
  EXPECT_EQ(job_policy("likely").shown(easy, false), kMoverWins);
  EXPECT_EQ(job_policy("win").shown(hard, true), kMoverWins);
  EXPECT_EQ(job_policy("win").shown(hard, false), kMoverLoses);
  EXPECT_EQ(job_policy("loss").shown(easy, true), kMoverLoses);
  EXPECT_EQ(job_policy("loss").shown(easy, false), kMoverWins);
  EXPECT_EQ(job_policy("flag").shown(hard, true), hard);
  EXPECT_EQ(job_policy("plus").shown(hard, true), (PhiDeltaPair{8, 3}));
  EXPECT_EQ(job_policy("plus").with_jobs(hard, 4), (PhiDeltaPair{11, 3}));
  EXPECT_EQ(job_policy("times").with_jobs(hard, 4), (PhiDeltaPair{35, 3}));
  EXPECT_EQ(job_policy("times").with_jobs(kMoverWins, 4), kMoverWins);
  EXPECT_EQ(job_policy("plus").with_jobs(kMoverLoses, 4), kMoverLoses);
  EXPECT_EQ(job_policy("times").with_jobs({kPhiDeltaCap, 1}, 256), (PhiDeltaPair{kPhiDeltaCap, 1}));
  EXPECT_FALSE(job_policy("random").draws(0));
  EXPECT_TRUE(job_policy("random").draws(1));
  EXPECT_FALSE(job_policy("depth").grows(JobPolicy::kFixedDepth));
  EXPECT_TRUE(job_policy("depth").grows(JobPolicy::kFixedDepth - 1));
  EXPECT_FALSE(job_policy("depth", 5).grows(5));
  EXPECT_TRUE(job_policy("depth", 5).grows(4));
  EXPECT_TRUE(job_policy("likely", 5).grows(6));
  EXPECT_THROW(job_policy("mean"), Error);
}

}  // namespace
}  // namespace playproof::policies_test
