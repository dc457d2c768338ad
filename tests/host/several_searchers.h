// What the tests of several searchers of one question share, in turns (searchers_test.cpp), on
// threads (workers_test.cpp) and by other policies (policies_test.cpp).
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "certified.h"
#include "games/list.h"
#include "support.h"

namespace playproof {

inline SolveRequest ask_workers(int workers, const std::string& game, const std::string& algorithm,
                                const std::string& position = "", const std::string& goal = "win") {
  SolveRequest request = ask(game, algorithm, position, goal);
  request.workers = workers;
  return request;
}

// Calls f(game, position, goals) of every game of the list but those whose positions come again, as
// long as nothing fails.
template <class F>
void for_each_game_of_several(const F& f) {
  AllGames::for_each([&]<class Entry>() {
    if (repeats(Entry::kSmall) || ::testing::Test::HasFailure()) return;
    f(Entry::kSmall, Entry::kPosition, std::vector<std::string>{"win", "draw", "value"});
  });
}

// Solves it, and expects this verdict with its line and certificate, and that what is stored
// agrees.
inline void expect_solved_and_certified(SolveRequest request, Verdict verdict) {
  request.certificate = true;
  const auto solver = make_solver(request);
  const SolveResult result = finish(*solver);
  EXPECT_EQ(result.verdict, verdict);
  expect_good_line(request, result, 1);
  expect_certified(*solver, request, result);
  EXPECT_NO_THROW(solver->self_check());
}

}  // namespace playproof
