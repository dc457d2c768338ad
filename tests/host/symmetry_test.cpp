// Symmetries: the same game played on the board turned or reflected comes to the same entry.
#include "games/core/symmetry.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <functional>
#include <vector>

#include "games/list.h"

namespace playproof::symmetry_test {
namespace {

using CellMap = std::function<Move(Move)>;

// Turns and reflections of a board, by what they do to rows and columns.
std::vector<CellMap> board_maps(int rows, int columns) {
  const auto map = [=](auto change) -> CellMap {
    return [=](Move cell) {
      if (cell >= rows * columns) return cell;  // a pass
      const auto [row, column] = change(cell / columns, cell % columns);
      return static_cast<Move>(row * columns + column);
    };
  };
  const int r = rows - 1;
  const int c = columns - 1;
  std::vector<CellMap> maps = {map([=](int y, int x) {
                                 return std::pair{r - y, c - x};
                               }),
                               map([=](int y, int x) {
                                 return std::pair{r - y, x};
                               }),
                               map([=](int y, int x) {
                                 return std::pair{y, c - x};
                               })};
  if (rows != columns) return maps;
  maps.push_back(map([=](int y, int x) { return std::pair{x, y}; }));
  maps.push_back(map([=](int y, int x) { return std::pair{c - x, r - y}; }));
  maps.push_back(map([=](int y, int x) { return std::pair{x, r - y}; }));
  maps.push_back(map([=](int y, int x) { return std::pair{c - x, y}; }));
  return maps;
}

// Plays random games; at every ply the turned game has the same canonical position, and it has as
// many moves, the same side to move and the same end.
template <class G>
void expect_same(const typename G::Rules& rules, const std::vector<CellMap>& maps,
                 const typename G::State& start, const std::vector<bool>& start_stays) {
  const Symmetry<G> symmetry(rules);
  for (std::size_t m = 0; m < maps.size(); ++m) {
    if (!start_stays[m]) continue;
    for (std::uint64_t game = 1; game <= 30; ++game) {
      typename G::State state = start;
      typename G::State turned = start;
      std::uint64_t draw = mix64(game);
      while (!G::finished(rules, state)) {
        Move moves[G::kMaxMoves];
        const int count = G::moves(rules, state, moves);
        draw = mix64(draw);
        const Move move = moves[draw % static_cast<std::uint64_t>(count)];
        const auto images = symmetry.images(state);
        const Player mover = G::to_move(rules, state);
        G::play(rules, state, move);
        G::play(rules, turned, maps[m](move));
        typename G::State a = state;
        typename G::State b = turned;
        typename G::State c = state;
        const bool symmetric = symmetry.to_canonical(a);
        EXPECT_EQ(symmetric, symmetry.to_canonical(b));
        ASSERT_EQ(a, b);
        EXPECT_EQ(symmetric, symmetry.to_canonical(c, images, mover, move));
        ASSERT_EQ(a, c);
        typename G::State again = a;
        symmetry.to_canonical(again);
        EXPECT_EQ(again, a);
        EXPECT_EQ(G::to_move(rules, a), G::to_move(rules, state));
        ASSERT_EQ(G::finished(rules, a), G::finished(rules, state));
        if (G::finished(rules, a)) {
          EXPECT_EQ(G::value(rules, a), G::value(rules, state));
        } else {
          EXPECT_EQ(G::moves(rules, a, moves), G::moves(rules, state, moves));
        }
      }
    }
  }
}

template <int W>
void expect_hex(int rows, int columns) {
  const auto rules = Hex<W>::make_rules(rows, columns);
  const CellMap half_turn = board_maps(rows, columns)[0];
  expect_same<Hex<W>>(rules, {half_turn}, Hex<W>::initial(rules), {true});
}
template <int W>
void expect_connect(int rows, int columns, int k, int p) {
  const auto rules = Connect<W>::make_rules(rows, columns, k, p);
  const auto maps = board_maps(rows, columns);
  expect_same<Connect<W>>(rules, maps, Connect<W>::initial(rules),
                          std::vector<bool>(maps.size(), true));
}

TEST(Symmetry, Hex) {
  expect_hex<1>(4, 4);
  expect_hex<1>(3, 7);
  expect_hex<1>(8, 8);
  expect_hex<6>(9, 11);
}

TEST(Symmetry, Connect) {
  expect_connect<1>(4, 4, 3, 2);
  expect_connect<1>(3, 6, 3, 1);
  expect_connect<1>(8, 8, 5, 2);
  expect_connect<6>(9, 9, 5, 2);
}

// The first position of Othello is its own image under the half turn and the two diagonals.
TEST(Symmetry, Othello) {
  for (const int size : {4, 6, 8}) {
    const auto rules = Othello::make_rules(size);
    expect_same<Othello>(rules, board_maps(size, size), Othello::initial(rules),
                         {true, false, false, true, true, false, false});
    Othello::State start = Othello::initial(rules);
    EXPECT_TRUE(Symmetry<Othello>(rules).to_canonical(start));
  }
}

TEST(Symmetry, TwinsOnlyWhereTheBoardIsItsOwnImage) {
  const auto rules = Hex<1>::make_rules(3, 3);
  const Symmetry<Hex<1>> symmetry(rules);
  auto state = Hex<1>::initial(rules);
  EXPECT_TRUE(symmetry.to_canonical(state));
  Hex<1>::play(rules, state, 0);
  EXPECT_FALSE(symmetry.to_canonical(state));
  PGame::State node;
  EXPECT_FALSE(Symmetry<PGame>(PGame::Rules()).to_canonical(node));
  state = Hex<1>::initial(rules);
  EXPECT_FALSE(Symmetry<Hex<1>>().to_canonical(state));
}

}  // namespace
}  // namespace playproof::symmetry_test
