// Several searchers of one question (host/jobs/shared_search.h): whatever their number and however
// small the table, the verdict is right and has a certificate; counts are a function of their
// number and of the seed.
#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "certified.h"
#include "games/core/error.h"
#include "games/hex/rules.h"
#include "games/list.h"
#include "host/drive/driver.h"
#include "host/jobs/shared_search.h"
#include "host/playouts/evaluator.h"
#include "host/table/check.h"
#include "host/table/depth_first.h"
#include "saved.h"
#include "several_searchers.h"
#include "support.h"

namespace playproof::searchers_test {
namespace {

constexpr int kNumbers[] = {2, 4, 8, 16};

std::string with_searchers(const std::string& algorithm, int searchers) {
  const char* join = algorithm.find(':') == std::string::npos ? ":" : ",";
  return algorithm + join + "searchers=" + std::to_string(searchers);
}

// Tables of 64 entries and less lose nearly all; the default one nothing.
const std::vector<std::string>& algorithms() {
  static const std::vector<std::string> all = {
      "dfpn:playouts=8",
      "dfpn:playouts=8,table=1KiB",
      "dfpn:leaf=unit,epsilon=0.25,table=2KiB",
      "dfpn:leaf=unit,increment=0,table=1KiB,places=1",
      "dfpn:leaf=mobility,edge=1,edges=moves,table=2KiB,gc=0.5",
      "dfpn:leaf=deep,E=3,D=3,table=2KiB",
      "dfpn:leaf=both,playouts=8,probe=none,symmetry=off,table=2KiB",
      "dfpn:playouts=8,zones=on,patterns=64,table=4KiB",
      "dfpn:leaf=mustplay,knowledge=full,table=4KiB",
      "dfpn:leaf=unit,order=resistance,widening=0.25",
      "pds:table=2KiB",
      "pds:deepen=child",
      "pnstar:table=2KiB",
      "alphabeta:table=2KiB",
      "alphabeta:leaf=playouts,playouts=8"};
  return all;
}

void expect_right_by_all(const std::string& game, const std::string& position,
                         const std::vector<std::string>& goals) {
  const Truth right = truth(game, position);
  for (const std::string& algorithm : algorithms()) {
    for (const int searchers : kNumbers) {
      SCOPED_TRACE(with_searchers(algorithm, searchers));
      for (const std::string& goal : goals) {
        expect_right(ask(game, with_searchers(algorithm, searchers), position, goal), right);
      }
      if (::testing::Test::HasFailure()) return;
    }
  }
}

TEST(Searchers, EveryGameOfTheList) { for_each_game_of_several(expect_right_by_all); }

TEST(Searchers, PGames) {
  std::uint64_t tree = 1;
  for (const char* shape : {"branching=2,depth=8", "branching=3,depth=5", "branching=8,depth=3"}) {
    for (int i = 0; i < (nightly() ? 17 : 3); ++i, ++tree) {
      expect_right_by_all(std::string("pgame:") + shape + ",tree=" + std::to_string(tree), "",
                          {"win", "value"});
    }
  }
}

TEST(Searchers, LateOthello) {
  for (std::uint64_t seed = 1; seed <= (nightly() ? 6 : 2); ++seed) {
    expect_right_by_all("othello:size=4", random_othello(4, 6, seed), {"win", "draw", "score>=3"});
    expect_right_by_all("othello", random_othello(8, 5, seed), {"win", "score"});
  }
}

TEST(Searchers, SmallConnectBoards) {
  expect_right_by_all("connect6:rows=3,columns=3,connect=3", "", {"win", "value"});
  expect_right_by_all("connect6:rows=3,columns=3,connect=3,stones=1", "BB AA", {"win", "draw"});
}

// tests/data/hex-openings.txt: White is to move.
void expect_right_openings(const std::string& size, const std::vector<std::string>& asked,
                           int every) {
  int i = 0;
  for (const std::string& line : data_lines("hex-openings.txt")) {
    const auto fields = words_of(line);
    if (fields[0] != size || i++ % every != 0) continue;
    for (const std::string& algorithm : asked) {
      for (const int searchers : kNumbers) {
        const std::string name = with_searchers(algorithm, searchers);
        SCOPED_TRACE(fields[1] + ' ' + name);
        SolveRequest request = ask("hex:size=" + size, name, fields[1]);
        request.limits.max_memory = std::uint64_t{1} << 30;
        const SolveResult result = solve(request);
        EXPECT_EQ(result.verdict, fields[2] == "W" ? Verdict::kProved : Verdict::kDisproved);
        expect_good_line(request, result, 1);
        if (::testing::Test::HasFailure()) return;
      }
    }
  }
}
TEST(Searchers, FirstMovesOfHex3x3) { expect_right_openings("3", algorithms(), 1); }
TEST(Searchers, FirstMovesOfHex4x4) {
  expect_right_openings("4",
                        {"dfpn", "dfpn:leaf=unit,epsilon=0.25,table=16KiB",
                         "dfpn:playouts=16,patterns=64,table=4KiB", "dfpn:knowledge=full"},
                        nightly() ? 1 : 16);
}

// What is counted does not depend on how the search is driven.
TEST(Searchers, AreAFunctionOfTheirNumberAndTheSeed) {
  for (const std::string& algorithm :
       {std::string("dfpn:playouts=16"), std::string("dfpn:playouts=16,zones=off,table=16KiB"),
        std::string("dfpn:leaf=unit,knowledge=full"), std::string("alphabeta")}) {
    for (const int searchers : {1, 2, 8}) {
      SCOPED_TRACE(with_searchers(algorithm, searchers));
      const SolveRequest request = ask("hex:size=4", with_searchers(algorithm, searchers), "a1");
      const auto at_once = make_solver(request);
      const SolveResult whole = finish(*at_once);
      for (const std::uint64_t step : {1, 3, 50}) {
        const auto solver = make_solver(request);
        while (solver->step(step) == StopReason::kRunning) {
        }
        expect_same_search(solver->result(), whole);
      }
      const auto solver = make_solver(request);
      solver->on_interim([](std::uint64_t, const std::vector<Move>&) {});
      expect_same_search(finish(*solver), whole);
    }
  }
}

// One searcher is the search without the option.
TEST(Searchers, OneIsAlone) {
  for (const std::string& algorithm : algorithms()) {
    expect_same_counters(solve(ask("hex:size=3", algorithm, "b1")).counters,
                         solve(ask("hex:size=3", with_searchers(algorithm, 1), "b1")).counters);
  }
}

// No more entries than were allowed, and checks pass in the middle of a search.
TEST(Searchers, StopAndStandInTheMiddle) {
  for (const int searchers : kNumbers) {
    for (const char* algorithm : {"dfpn:playouts=16", "dfpn:leaf=unit,patterns=64,zones=on",
                                  "dfpn:leaf=unit,zones=off,table=4KiB"}) {
      SolveRequest request = ask("hex:size=4", with_searchers(algorithm, searchers));
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
        // One entry has looked at the root; its children are there to be seen.
        EXPECT_GT(solver->nodes({.depth = 1, .most = 100}).size(), 1U);
        // An entry is a position's first, or comes again, or finds the position decided meanwhile.
        EXPECT_LE(result.counters.nodes_expanded + result.counters.re_entries,
                  result.counters.iterations);
      }
    }
  }
}

// A search that is saved goes on with what the question knows, and comes to the same verdict.
TEST(Searchers, SavedAndResumed) {
  for (const char* algorithm : {"dfpn:playouts=16", "dfpn:playouts=16,zones=off,table=4KiB",
                                "dfpn:leaf=unit,patterns=64,zones=on"}) {
    for (const int searchers : {2, 8}) {
      SolveRequest request = ask("hex:size=4", with_searchers(algorithm, searchers), "a1");
      request.certificate = true;
      const Verdict right = solve(request).verdict;
      auto solver = make_solver(request);
      int saves = 0;
      while (solver->step(40) == StopReason::kRunning && saves < 1000) {
        if (!solver->resumable()) continue;
        const std::string state = saved(*solver);
        if (++saves > 3) continue;
        solver = resumed(request, state);
        EXPECT_GT(solver->nodes({.depth = 1, .most = 100}).size(), 1U);
      }
      EXPECT_GE(saves, 3);
      EXPECT_EQ(finish(*solver).verdict, right);
      expect_certified(*solver, request, solver->result());
      const auto decided = resumed(request, saved(*solver));
      EXPECT_EQ(decided->result().verdict, right);
      expect_certified(*decided, request, decided->result());
    }
  }
}
TEST(Searchers, DamagedStatesAreRefused) {
  const SolveRequest request = ask("hex:size=3", "dfpn:leaf=unit,table=1KiB,searchers=4", "b1");
  const Verdict right = solve(request).verdict;
  const auto solver = make_solver(request);
  solver->step(30);
  ASSERT_TRUE(solver->resumable());
  const std::string state = saved(*solver);
  for (std::size_t i = 0; i < state.size(); ++i) {
    EXPECT_THROW(resumed(request, state.substr(0, i)), Error) << i;
    std::string damaged = state;
    damaged[i] = static_cast<char>(damaged[i] ^ 0x15);
    accepts_state(request, damaged, right);
  }
}

// Several enter no position for the first time that one of them has entered before.
TEST(Searchers, EnterAPositionForTheFirstTimeOnce) {
  SolveRequest request = ask("hex:size=4", "dfpn:leaf=unit,zones=off,searchers=8", "a1");
  const Counters many = solve(request).counters;
  // No position is lost from this table. (Two that are in a position at once enter it twice.)
  EXPECT_EQ(many.table_replaced, 0U);
  EXPECT_LE(many.nodes_expanded, many.table_stored + many.table_stored / 40);
  EXPECT_GT(many.re_entries, 0U);
}

// A tree of jobs and stacks that take more than may be had end a search as a table's do.
TEST(Searchers, StopForMemory) {
  SolveRequest request =
      ask("hex:size=5", "dfpn:leaf=unit,zones=off,table=64KiB,searchers=16", "b4");
  request.limits.max_memory = 256 << 10;
  request.limits.max_nodes = 10'000'000;
  const SolveResult result = solve(request);
  EXPECT_EQ(result.reason, StopReason::kMemory);
  EXPECT_LE(result.counters.peak_bytes, 2 * request.limits.max_memory);
}

TEST(Searchers, NotWherePositionsComeAgain) {
  try {
    make_solver(ask("graph", "dfpn:searchers=2"));
    ADD_FAILURE() << "made";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::kUsage);
    EXPECT_NE(std::string(error.what()).find("searchers"), std::string::npos);
  }
}

}  // namespace
}  // namespace playproof::searchers_test
