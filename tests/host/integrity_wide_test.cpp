// Every engine on Othello and on boards of several words, with playouts that know nothing: the tree
// it leaves is a proof by the reference rules, and its verdict is that of minimax.
#include "integrity.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <string>

namespace playproof::integrity_wide_test {
namespace {

TEST(Integrity, Othello) {
  const auto rules = Othello::make_rules(4);
  for (std::uint64_t seed = 1; seed <= 12; ++seed) {
    check_everything<Othello>(rules, after_random_moves<Othello>(rules, 6, seed),
                              {1, 0, -4, 3, 10, 16, -15}, "othello seed " + std::to_string(seed));
  }
}

// Boards of several words take other paths through the rules.
TEST(Integrity, WideBoards) {
  const auto rules = Connect<6>::make_rules(3, 3, 3, 2);
  check_everything<Connect<6>>(rules, after_random_moves<Connect<6>>(rules, 2, 1), {1, 0},
                               "wide connect");
  const auto hex = Hex<6>::make_rules(3, 3);
  check_everything<Hex<6>>(hex, after_random_moves<Hex<6>>(hex, 2, 2), {1}, "wide hex");
}

}  // namespace
}  // namespace playproof::integrity_wide_test
