// Exact values of P-games by Thrust, against the search that tries everything. Built once for each
// of Thrust's CPU systems; with a device, tests/kernels/device_test.cpp asks that.
#include "kernels/pgame/values.h"

#include <gtest/gtest.h>

#include <string>
#include <thread>
#include <vector>

#include "games/list.h"
#include "host/solve/solver.h"
#include "kernels/pgame/search.h"

namespace playproof {
namespace {

PGame::Rules rules_of(int branching, int depth, std::uint64_t tree) {
  PGame::Rules rules;
  rules.tree = tree;
  rules.branching = static_cast<std::uint8_t>(branching);
  rules.depth = static_cast<std::uint8_t>(depth);
  return rules;
}

// The value for MAX of the position after a path, by the solver `minimax`.
int minimax(const PGame::Rules& rules, const std::string& path, bool max_moves) {
  SolveRequest request;
  request.game = GameText<PGame>::canonical(rules);
  request.position = path;
  request.algorithm = "minimax";
  request.goal = "value";
  const auto solver = make_solver(request);
  while (solver->step(std::uint64_t{1} << 20) == StopReason::kRunning) {
  }
  const SolveResult result = solver->result();
  EXPECT_EQ(result.lower, result.upper);
  return max_moves ? result.lower : -result.lower;
}

// All positions `plies` after the start, and their paths.
void make_layer(const PGame::Rules& rules, int plies, std::vector<PGame::State>& states,
                std::vector<std::string>& paths) {
  states = {PGame::initial(rules)};
  paths = {""};
  for (int ply = 0; ply < plies; ++ply) {
    std::vector<PGame::State> next_states;
    std::vector<std::string> next_paths;
    for (std::size_t i = 0; i < states.size(); ++i) {
      for (Move branch = 0; branch < rules.branching; ++branch) {
        next_states.push_back(states[i]);
        PGame::play(rules, next_states.back(), branch);
        next_paths.push_back(paths[i] + std::to_string(branch) + ' ');
      }
    }
    states = next_states;
    paths = next_paths;
  }
}

void expect_values(const PGame::Rules& rules, int plies, std::size_t width) {
  std::vector<PGame::State> states;
  std::vector<std::string> paths;
  make_layer(rules, plies, states, paths);
  std::vector<Value> values(states.size());
  const DeviceError error = pgame_values(0, rules, states, values.data(), width);
  ASSERT_FALSE(error) << error.text;
  for (std::size_t i = 0; i < states.size(); ++i) {
    ASSERT_EQ(values[i], minimax(rules, paths[i], plies % 2 == 0)) << paths[i];
  }
}

TEST(PGameValues, EqualMinimax) {
  int wins = 0;
  for (std::uint64_t tree = 1; tree <= 12; ++tree) {
    expect_values(rules_of(2, 12, tree), 0, kPGameWidth);
    expect_values(rules_of(8, 4, tree), 1, kPGameWidth);
    const PGame::State root = PGame::initial(rules_of(2, 12, tree));
    Value value = 0;
    ASSERT_FALSE(pgame_values(0, rules_of(2, 12, tree), {&root, 1}, &value));
    wins += value > 0 ? 1 : 0;
  }
  EXPECT_GT(wins, 0);
  EXPECT_LT(wins, 12);
  expect_values(rules_of(3, 7, 5), 2, kPGameWidth);
  expect_values(rules_of(64, 3, 2), 1, kPGameWidth);
  expect_values(rules_of(2, 6, 9), 6, kPGameWidth);  // leaves
  expect_values(rules_of(2, 6, 9), 5, kPGameWidth);
}

TEST(PGameValues, NarrowLayersChangeNothing) {
  for (const std::size_t width : {1u, 3u, 64u}) {
    expect_values(rules_of(2, 7, 3), 1, width);
    expect_values(rules_of(5, 4, 4), 1, width);
  }
}

TEST(PGameValues, LargeTree) {
  expect_values(rules_of(2, 18, 1), 3, std::size_t{1} << 12);
  expect_values(rules_of(2, 18, 1), 3, kPGameWidth);
}

// Many calls at once, of several sizes: all of them share the memory that is kept.
TEST(PGameValues, ThreadsShareOnePool) {
  std::vector<std::thread> threads;
  std::vector<int> wrong(4);
  for (std::size_t t = 0; t < wrong.size(); ++t) {
    threads.emplace_back([t, &wrong] {
      for (std::uint64_t tree = 1; tree <= 20; ++tree) {
        const PGame::Rules rules = rules_of(2, static_cast<int>(10 + t), tree);
        const PGame::State root = PGame::initial(rules);
        PGameSearch search(rules, root, -1, 1);
        search.run(~std::uint64_t{0});
        Value value = 0;
        const DeviceError error = pgame_values(0, rules, {&root, 1}, &value);
        wrong[t] += error || value != search.value() ? 1 : 0;
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(wrong, std::vector<int>(4));
}

TEST(PGameValues, NothingIsAsked) { EXPECT_FALSE(pgame_values(0, rules_of(2, 4, 1), {}, nullptr)); }

}  // namespace
}  // namespace playproof
