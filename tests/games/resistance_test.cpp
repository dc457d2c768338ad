// Resistance of Hex (games/hex/resistance.h): currents worked out by hand, and what symmetry says
// of them.
#include "games/hex/resistance.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "games/core/random_position.h"
#include "games/hex/connection.h"
#include "games/hex/identity.h"

namespace playproof::resistance_test {
namespace {

using Board = Hex<1>;
using Cells = CellSet<1>;

// Of one player.
struct Circuit {
  HexLinks<1> links;
  HexResistance<1> resistance;
  Circuit(const Board::Rules& rules, int player) : links(rules, player) {}
  const std::vector<double>& currents(const Cells& own, const Cells& other) {
    links.search(own, other, HexLinks<1>::Goal::kAll);
    return resistance.currents(links);
  }
};

// Of two rows and columns. Black's links: touching ends; from the edges to the cells of the other
// row that two cells join them to (2 cells: 2/3), between a1 and b2 (2 cells: 1/3). With 1 at the
// edge and 0 at the other one a1 has 5/7 and b1 3/5, by symmetry b2 2/7 and a2 2/5, and 62/35 flow.
TEST(HexResistance, OfTwoByTwo) {
  const Board::Rules rules = Board::make_rules(2, 2);
  Circuit black(rules, 0);
  const std::vector<double> empty = black.currents({}, {});
  ASSERT_EQ(empty.size(), 4u);
  EXPECT_NEAR(empty[0], 40.0 / 62, 1e-6);
  EXPECT_NEAR(empty[1], 64.0 / 62, 1e-6);
  EXPECT_NEAR(empty[2], 64.0 / 62, 1e-6);
  EXPECT_NEAR(empty[3], 40.0 / 62, 1e-6);
}

// All that flows passes the only cell that is left between stones and edge, on its way in and out;
// nothing passes where a stone lies.
TEST(HexResistance, OfOneWay) {
  const Board::Rules rules = Board::make_rules(3, 3);
  Circuit black(rules, 0);
  Cells own;
  own.add(4);  // b2
  own.add(1);  // b1
  Cells other;
  other.add(6);  // a3
  other.add(5);  // c2
  const std::vector<double> currents = black.currents(own, other);
  EXPECT_NEAR(currents[7], 2, 1e-6);
  EXPECT_EQ(currents[4], 0);
  EXPECT_EQ(currents[6], 0);
}

// What the half turn makes of a position has the same currents, turned; so has White on the board
// mirrored in its diagonal. (On small boards, where nothing is left out for want of room.)
TEST(HexResistance, KnowsNoSides) {
  const Board::Rules rules = Board::make_rules(3, 3);
  Circuit black(rules, 0);
  Circuit white(rules, 1);
  int looked_at = 0;
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    const auto state = random_position<Board>(rules, static_cast<int>(seed % 6), seed);
    if (Board::finished(rules, state)) continue;
    ++looked_at;
    const Cells own = Connection<Board>::stones(state, Player::kFirst);
    const Cells other = Connection<Board>::stones(state, Player::kSecond);
    const auto moved = [](const Cells& cells, auto&& to) {
      Cells there;
      for_each_cell(cells, [&](int cell) { there.add(to(cell)); });
      return there;
    };
    const auto turned = [](int cell) { return 8 - cell; };
    const auto mirrored = [](int cell) { return cell % 3 * 3 + cell / 3; };
    const std::vector<double> here = black.currents(own, other);
    const std::vector<double> half = black.currents(moved(own, turned), moved(other, turned));
    const std::vector<double> exchanged =
        white.currents(moved(own, mirrored), moved(other, mirrored));
    for (int cell = 0; cell < 9; ++cell) {
      const double current = here[static_cast<std::size_t>(cell)];
      EXPECT_GE(current, 0);
      EXPECT_EQ(current > 0 && (own | other).has(cell), false);
      EXPECT_NEAR(half[static_cast<std::size_t>(turned(cell))], current, 1e-6) << seed;
      EXPECT_NEAR(exchanged[static_cast<std::size_t>(mirrored(cell))], current, 1e-6) << seed;
    }
  }
  EXPECT_GT(looked_at, 40);
}

// The acute corners are worth least on an empty board, the middle four times as much.
TEST(HexResistance, PrefersTheMiddle) {
  const Board::Rules rules = Board::make_rules(7, 7);
  Circuit black(rules, 0);
  const std::vector<double> currents = black.currents({}, {});
  const auto least = std::min_element(currents.begin(), currents.end()) - currents.begin();
  EXPECT_TRUE(least == 0 || least == 48) << least;
  EXPECT_GT(currents[24], 4 * std::max(currents[0], currents[48]));
}

}  // namespace
}  // namespace playproof::resistance_test
