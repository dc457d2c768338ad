// The symmetries of Hex boards as a group, and what they do to who wins.
#include "host/zone/board_maps.h"

#include <gtest/gtest.h>

#include "games/hex/connection.h"
#include "games/hex/entry.h"
#include "support.h"
#include "tests/conformance.h"

namespace playproof::board_maps_test {
namespace {

using Board = Hex<1>;
using Maps = BoardMaps<Board>;

TEST(BoardMaps, AreAGroup) {
  const std::pair<int, int> boards[] = {{2, 2}, {3, 3}, {3, 4}, {8, 8}, {5, 2}};
  for (const auto& [rows, columns] : boards) {
    const auto rules = Board::make_rules(rows, columns);
    const Maps maps(rules);
    ASSERT_EQ(maps.size(), rows == columns ? 4u : 2u);
    for (Maps::Map a = 0; a < maps.size(); ++a) {
      EXPECT_EQ(maps.exchanges(a), a >= 2);
      for (int cell = 0; cell < rules.cells; ++cell) {
        const int there = maps.turned(a, cell);
        EXPECT_EQ(maps.turned(a, CellSet<1>::one(cell)), CellSet<1>::one(there));
        EXPECT_EQ(maps.turned(maps.inverse(a), there), cell);
      }
      for (Maps::Map b = 0; b < maps.size(); ++b) {
        const Maps::Map both = maps.joined(a, b);
        EXPECT_EQ(maps.exchanges(both), maps.exchanges(a) != maps.exchanges(b));
        for (int cell = 0; cell < rules.cells; ++cell) {
          EXPECT_EQ(maps.turned(both, cell), maps.turned(b, maps.turned(a, cell)));
        }
      }
    }
  }
}

// A finished board, turned with its players, is won by whom the map makes of the winner.
TEST(BoardMaps, TurnWhatIsWon) {
  Draws draws(5);
  for (int i = 0; i < 200; ++i) {
    const int rows = 2 + static_cast<int>(draws.below(4));
    const int columns = i % 2 == 0 ? rows : 2 + static_cast<int>(draws.below(4));
    const auto rules = Board::make_rules(rows, columns);
    const Maps maps(rules);
    auto state = Board::initial(rules);
    while (!Board::finished(rules, state)) {
      Move moves[Board::kMaxMoves];
      Board::play(rules, state, moves[draws.below(Board::moves(rules, state, moves))]);
    }
    const Player winner = Board::value(rules, state) > 0 ? Player::kFirst : Player::kSecond;
    const auto chain = Connection<Board>::winning_set(rules, state);
    for (Maps::Map map = 0; map < maps.size(); ++map) {
      const Player there = maps.turned(map, winner);
      auto turned = Board::initial(rules);
      for (int player = 0; player < 2; ++player) {
        const auto stones = Connection<Board>::stones(state, static_cast<Player>(player));
        const auto to = static_cast<int>(maps.turned(map, static_cast<Player>(player)));
        turned.stones[to][0] = maps.turned(map, stones).words[0];
      }
      turned.winner = static_cast<std::uint8_t>(1 + static_cast<int>(there));
      const auto joined = Connection<Board>::winning_set(rules, turned);
      EXPECT_EQ(joined.size(), chain.size());
      EXPECT_TRUE(joined.within(Connection<Board>::stones(turned, there)));
    }
  }
}

}  // namespace
}  // namespace playproof::board_maps_test
