// Threads of one search (host/jobs/shared_search.h, host/drive/crew.h): whatever their number and
// however small the table, the verdict is right and has a certificate; limits hold, and a search
// that is saved goes on with any number of them.
#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <vector>

#include "certified.h"
#include "games/core/error.h"
#include "games/list.h"
#include "host/table/kept_table.h"
#include "saved.h"
#include "several_searchers.h"
#include "support.h"

namespace playproof::workers_test {
namespace {

// Tables of 64 entries and less lose nearly all; the default one nothing.
const std::vector<std::string>& algorithms() {
  static const std::vector<std::string> all = {
      "dfpn:playouts=8",
      "dfpn:playouts=8,table=1KiB",
      "dfpn:leaf=unit,epsilon=0.25,table=2KiB",
      "dfpn:leaf=mobility,edge=1,edges=moves,table=2KiB,gc=0.5",
      "dfpn:playouts=8,zones=on,patterns=64,table=4KiB",
      "dfpn:leaf=mustplay,knowledge=full",
      "pds:table=2KiB",
      "pnstar",
      "alphabeta:table=2KiB"};
  return all;
}

void expect_right_by_all(const std::string& game, const std::string& position,
                         const std::vector<std::string>& goals) {
  const Truth right = truth(game, position);
  for (const std::string& algorithm : algorithms()) {
    for (const int workers : {2, 5}) {
      SCOPED_TRACE(algorithm + " by " + std::to_string(workers));
      for (const std::string& goal : goals) {
        expect_right(ask_workers(workers, game, algorithm, position, goal), right);
      }
      if (::testing::Test::HasFailure()) return;
    }
  }
}

TEST(Workers, EveryGameOfTheList) { for_each_game_of_several(expect_right_by_all); }

TEST(Workers, PGamesAndLateOthello) {
  for (std::uint64_t tree = 1; tree <= (nightly() ? 20 : 3); ++tree) {
    expect_right_by_all("pgame:branching=3,depth=6,tree=" + std::to_string(tree), "", {"win"});
    expect_right_by_all("othello", random_othello(8, 5, tree), {"win", "score"});
  }
}

// tests/data/hex-openings.txt: White is to move.
TEST(Workers, FirstMovesOfHex) {
  int i = 0;
  for (const std::string& line : data_lines("hex-openings.txt")) {
    const auto fields = words_of(line);
    if ((fields[0] != "3" && fields[0] != "4") || (i++ % 4 != 0 && !nightly())) continue;
    for (const std::string& algorithm : algorithms()) {
      for (const int workers : {2, 4}) {
        SCOPED_TRACE(fields[1] + ' ' + algorithm + " by " + std::to_string(workers));
        if (fields[0] == "4" && algorithm.find("table") != std::string::npos) continue;
        expect_solved_and_certified(
            ask_workers(workers, "hex:size=" + fields[0], algorithm, fields[1]),
            fields[2] == "W" ? Verdict::kProved : Verdict::kDisproved);
        if (::testing::Test::HasFailure()) return;
      }
    }
  }
}

// Steps of a few entries change who does what at each of them: none hangs, none is wrong.
TEST(Workers, StepsOfAFewEntries) {
  for (const std::uint64_t step : {1, 2, 7, 30}) {
    for (int run = 0; run < (nightly() ? 50 : 4); ++run) {
      const auto solver = make_solver(
          ask_workers(1 + static_cast<int>(step) % 4 + run % 3, "hex:size=3", "dfpn", "b1"));
      while (solver->step(step) == StopReason::kRunning) {
      }
      EXPECT_EQ(solver->result().verdict, solve(ask("hex:size=3", "dfpn", "b1")).verdict);
    }
  }
}

// One worker is the search without the option.
TEST(Workers, OneIsAlone) {
  for (const std::string& algorithm : algorithms()) {
    expect_same_counters(solve(ask("hex:size=3", algorithm, "b1")).counters,
                         solve(ask_workers(1, "hex:size=3", algorithm, "b1")).counters);
  }
}

// No more entries than were allowed, and all of these; then the search can be looked at.
TEST(Workers, StopAndStandInTheMiddle) {
  for (const int workers : {2, 3, 8}) {
    for (const char* algorithm : {"dfpn:playouts=16", "dfpn:leaf=unit,patterns=64,zones=on",
                                  "dfpn:leaf=unit,zones=off,table=4KiB"}) {
      SolveRequest request = ask_workers(workers, "hex:size=4", algorithm);
      for (const std::uint64_t most : {1, 20, 300}) {
        request.limits.max_nodes = most;
        const auto solver = make_solver(request);
        const SolveResult result = finish(*solver);
        EXPECT_LE(result.counters.iterations, most);
        if (result.reason == StopReason::kDecided) continue;
        EXPECT_EQ(result.reason, StopReason::kNodes);
        EXPECT_EQ(result.counters.iterations, most);
        EXPECT_NO_THROW(solver->self_check());
        EXPECT_FALSE(solver->interim_moves().empty());
        EXPECT_FALSE(solver->nodes({}).empty());
      }
      request.limits = {};
      request.limits.max_seconds = 1e-4;
      EXPECT_NE(solve(request).reason, StopReason::kNodes);
    }
  }
}

// A leaf of very many playouts does not hold up who wants to stop.
TEST(Workers, PauseWithinALeaf) {
  SolveRequest request = ask_workers(2, "hex:size=5", "dfpn:playouts=1048576");
  request.limits.max_seconds = 0.05;
  const auto solver = make_solver(request);
  EXPECT_EQ(finish(*solver).reason, StopReason::kSeconds);
  EXPECT_LT(solver->result().seconds, 30);
}

// At a limit of nodes what was begun is finished, however many playouts it takes.
TEST(Workers, LeavesAreFinishedAtALimit) {
  SolveRequest request = ask_workers(2, "hex:size=5", "dfpn:playouts=131072");
  request.limits.max_nodes = 2;
  const auto solver = make_solver(request);
  int steps = 0;
  while (solver->step(1000) == StopReason::kRunning) ++steps;
  EXPECT_EQ(solver->result().reason, StopReason::kNodes);
  EXPECT_TRUE(solver->finish_leaf(0));
  EXPECT_GT(steps, 0) << "nothing was cut";
  EXPECT_EQ(solver->result().counters.playouts, 131072 * solver->result().counters.evaluations);
  EXPECT_GE(solver->result().counters.evaluations, 25u);
}

// What one worker or several have saved goes on with one or several.
TEST(Workers, SavedAndResumedByOthers) {
  for (const char* algorithm : {"dfpn:playouts=16", "dfpn:playouts=16,zones=off,table=4KiB",
                                "dfpn:leaf=unit,patterns=64,zones=on"}) {
    const SolveRequest alone = ask("hex:size=4", algorithm, "a1");
    const Verdict right = solve(alone).verdict;
    std::string state;
    int before = 1;
    for (const int workers : {1, 2, 4, 1, 3}) {
      SolveRequest request = ask_workers(workers, "hex:size=4", algorithm, "a1");
      request.certificate = true;
      request.workers_before = before;
      auto solver = state.empty() ? make_solver(request) : resumed(request, state);
      for (int i = 0; i < 3; ++i) solver->step(20);
      ASSERT_TRUE(solver->resumable());
      const std::uint64_t made = solver->result().counters.iterations;
      state = saved(*solver);
      before = workers > 1 ? workers : before;  // as src/io/checkpoint.cpp says it
      request.workers_before = before;
      const auto same = resumed(request, state);
      EXPECT_EQ(same->result().counters.iterations, made);
      EXPECT_EQ(finish(*same).verdict, right);
      expect_certified(*same, request, same->result());
      const auto decided = resumed(request, saved(*same));
      EXPECT_EQ(decided->result().verdict, right);
    }
  }
}

TEST(Workers, DamagedStatesAreRefused) {
  SolveRequest request = ask_workers(3, "hex:size=3", "dfpn:leaf=unit,table=1KiB", "b1");
  const Verdict right = solve(request).verdict;
  const auto solver = make_solver(request);
  solver->step(30);
  request.workers_before = 3;
  ASSERT_TRUE(solver->resumable());
  const std::string state = saved(*solver);
  for (std::size_t i = 0; i < state.size(); i += nightly() ? 1 : 7) {
    EXPECT_THROW(resumed(request, state.substr(0, i)), Error) << i;
    std::string damaged = state;
    damaged[i] = static_cast<char>(damaged[i] ^ 0x15);
    accepts_state(request, damaged, right);
  }
}

// A table that is kept goes from search to search, also to one with another number of workers.
TEST(Workers, KeepTheTable) {
  TableKeeper keeper;
  for (const int workers : {2, 1, 3, 1}) {
    for (const char* position : {"a1", "b1", "b2"}) {
      SolveRequest request = ask_workers(workers, "hex:size=3", "dfpn:playouts=8", position);
      const Verdict right = solve(request).verdict;
      request.keeper = &keeper;
      EXPECT_EQ(solve(request).verdict, right) << position << ' ' << workers;
    }
  }
}

void refuse(const SolveRequest& request, const std::string& word) {
  try {
    make_solver(request);
    ADD_FAILURE() << "made, but should name " << word;
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::kUsage);
    EXPECT_NE(std::string(error.what()).find(word), std::string::npos) << error.what();
  }
}
TEST(Workers, OnlyWhereThereMayBeSeveral) {
  refuse(ask_workers(2, "hex:size=3", "pn"), "dfpn, pds, pnstar");
  refuse(ask_workers(2, "hex:size=3", "dfppn"), "workers");
  refuse(ask_workers(2, "graph", "dfpn"), "come again");
  refuse(ask_workers(2, "hex:size=3", "dfpn:searchers=2"), "take turns");
  refuse(ask_workers(0, "hex:size=3", "dfpn"), "1..");
  refuse(ask_workers(kMostWorkers + 1, "hex:size=3", "dfpn"), "1..");
}

}  // namespace
}  // namespace playproof::workers_test
