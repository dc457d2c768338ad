// Every engine on every game, on small boards, with playouts that know nothing: the tree it leaves
// is a proof by the reference rules, and its verdict is that of minimax. Othello and boards of
// several words: integrity_wide_test.cpp.
#include "integrity.h"
#include "tests/nightly.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <vector>

namespace playproof::integrity_test {
namespace {

TEST(Integrity, PGames) {
  for (std::uint64_t tree = 1; tree <= 20; ++tree) {
    const PGame::Rules rules{tree, static_cast<std::uint8_t>(2 + tree % 4),
                             static_cast<std::uint8_t>(5)};
    check_everything<PGame>(rules, PGame::initial(rules), {1, 0}, "tree " + std::to_string(tree));
    // From a node where MIN is to move.
    check_everything<PGame>(rules, after_random_moves<PGame>(rules, 1, tree), {1, 0},
                            "below tree " + std::to_string(tree));
  }
}

TEST(Integrity, Hex) {
  const auto two = Hex<1>::make_rules(2, 2);
  check_everything<Hex<1>>(two, Hex<1>::initial(two), {1, 0}, "hex 2x2");
  const auto wide = Hex<1>::make_rules(2, 4);
  check_everything<Hex<1>>(wide, Hex<1>::initial(wide), {1}, "hex 2x4");
  const auto three = Hex<1>::make_rules(3, 3);
  for (const Move first : std::vector<Move>{0, 1, 4, 7}) {
    auto state = Hex<1>::initial(three);
    Hex<1>::play(three, state, first);
    check_everything<Hex<1>>(three, state, {1}, "hex 3x3 " + std::to_string(first));
  }
}

TEST(Integrity, Connect) {
  const auto rules = Connect<1>::make_rules(3, 3, 3, 2);
  check_everything<Connect<1>>(rules, Connect<1>::initial(rules), {1, 0}, "connect 3x3x3");
  const auto four = Connect<1>::make_rules(3, 4, 4, 1);
  for (std::uint64_t seed = 1; seed <= (nightly() ? 6u : 2u); ++seed) {
    check_everything<Connect<1>>(four, after_random_moves<Connect<1>>(four, 5, seed), {1, 0},
                                 "connect 3x4x4 seed " + std::to_string(seed));
  }
}

}  // namespace
}  // namespace playproof::integrity_test
