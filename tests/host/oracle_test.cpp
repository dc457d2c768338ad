// The oracle of P-games, a search of their own for exact values, against the memoised search that
// every game has.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <string>

#include "games/core/error.h"
#include "games/pgame/rules.h"
#include "games/pgame/text.h"
#include "host/solve/minimax.h"
#include "kernels/device/device_info.h"
#include "kernels/pgame/search.h"
#include "support.h"

namespace playproof::oracle_test {
namespace {

PGame::Rules rules_of(int branching, int depth, std::uint64_t tree) {
  PGame::Rules rules;
  rules.tree = tree;
  rules.branching = static_cast<std::uint8_t>(branching);
  rules.depth = static_cast<std::uint8_t>(depth);
  return rules;
}

// One question of both; true if the attacker reaches the goal.
bool expect_equal(const PGame::Rules& rules, const std::string& path, const std::string& goal) {
  const PGame::State position = GameText<PGame>::parse(rules, path);
  const OracleAnswer answer = oracle(GameText<PGame>::canonical(rules), path, goal);
  const Claim claim{PGame::to_move(rules, position), static_cast<Value>(threshold_of(goal))};
  Minimax<PGame> minimax(rules, claim);
  EXPECT_TRUE(answer.complete);
  EXPECT_EQ(answer.reached, minimax.ask(position)) << path << ' ' << goal;
  EXPECT_EQ(answer.moves.size(), PGame::finished(rules, position) ? 0u : rules.branching);
  for (const auto& [move, reached] : answer.moves) {
    PGame::State child = position;
    PGame::play(rules, child, move);
    EXPECT_EQ(reached, minimax.ask(child)) << path << ' ' << goal << ' ' << move;
  }
  return answer.reached;
}

// Paths of both sides to move, to the leaves.
TEST(Oracle, OfPGamesEqualsMinimax) {
  struct Shape {
    int branching, depth, trees;
  };
  for (const Shape& shape : {Shape{2, 12, 60}, Shape{3, 8, 40}, Shape{8, 5, 40}, Shape{64, 2, 40},
                             Shape{2, 1, 20}, Shape{7, 4, 40}, Shape{2, 64, 0}}) {
    int reached = 0;
    for (int i = 0; i < shape.trees; ++i) {
      const auto tree = static_cast<std::uint64_t>(1000 * shape.branching + i);
      const PGame::Rules rules = rules_of(shape.branching, shape.depth, tree);
      for (const char* goal : {"win", "draw"}) {
        std::string path;
        for (int ply = 0; ply <= std::min(shape.depth, 3); ++ply) {
          reached += expect_equal(rules, path, goal) ? 1 : 0;
          path += std::to_string((i + ply) % shape.branching) + ' ';
        }
        if (HasFailure()) return;
      }
    }
    EXPECT_TRUE(shape.trees == 0 || reached > shape.trees / 2);
    EXPECT_LE(reached, 7 * shape.trees);
  }
}

// With -1 and 1 the search gives the value; in pieces it is the same search.
TEST(Oracle, SearchGivesValuesAndCanBeStopped) {
  int draws = 0;
  for (std::uint64_t tree = 1; tree <= 300; ++tree) {
    const PGame::Rules rules = rules_of(2, 5, tree);
    const PGame::State root = PGame::initial(rules);
    const auto at_least = [&](int threshold) {
      return Minimax<PGame>(rules, {Player::kFirst, static_cast<Value>(threshold)}).ask(root);
    };
    PGameSearch search(rules, root, -1, 1);
    int pieces = 1;
    while (!search.run(3)) ++pieces;
    EXPECT_EQ(search.value(), (at_least(1) ? 1 : 0) - (at_least(0) ? 0 : 1)) << tree;
    EXPECT_GE(pieces, 2);
    draws += search.value() == 0 ? 1 : 0;
  }
  EXPECT_GT(draws, 0);
}

TEST(Oracle, OfPGamesEndsWhenItIsToldTo) {
  int asked = 0;
  OracleLimits limits;
  limits.stop = [&] { return ++asked == 3; };
  EXPECT_FALSE(oracle("pgame:branching=2,depth=64", "", "win", limits).complete);
  EXPECT_EQ(asked, 3);
  EXPECT_TRUE(oracle("pgame:branching=2,depth=8", "", "win", limits).complete);
}

// A device is for large trees; where there is none, it says so.
TEST(Oracle, OnADevice) {
  OracleLimits limits;
  limits.device = 0;
  const std::string small = "pgame:branching=2,depth=20";
  EXPECT_EQ(oracle(small, "", "win", limits).moves, oracle(small, "", "win").moves);
  const std::string large = "pgame:branching=8,depth=10";
  if (list_devices().empty()) {
    EXPECT_THROW(oracle(large, "", "win", limits), Error);
  } else {
    EXPECT_EQ(oracle(large, "", "win", limits).moves, oracle(large, "", "win").moves);
  }
  limits.device = 63;  // this one, and no other
  EXPECT_THROW(oracle(large, "", "win", limits), Error);
  const std::string other = "hex:size=3";
  EXPECT_EQ(oracle(other, "", "win", limits).moves, oracle(other, "", "win").moves);
}

}  // namespace
}  // namespace playproof::oracle_test
