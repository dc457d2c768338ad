// Hex on the CPU: the 32 boards of a word at once, one bit a board. No cell is looked at twice:
// the fill is a random word a cell, the winner comes from majorities of three neighbouring cells.
#include <algorithm>
#include <bit>

#include "kernels/cpu_playouts.h"
#include "kernels/hex_fill.h"

namespace playproof {
namespace {

constexpr int kMaxSide = Hex<6>::kMaxSide;
constexpr int kMaxCells = kMaxSide * kMaxSide;
constexpr int kMaxGrid = (kMaxSide + 1) * (kMaxSide + 1);

// The board with a row and a column added, one bit a lane: set where Black has a stone. The added
// row is Black's, the added column White's: two corners of the triangle that makes Hex a game of Y.
struct Shape {
  int rows = 0;
  int columns = 0;

  int stride() const { return columns + 1; }
  int size() const { return (rows + 1) * stride(); }
};
using Grid = std::uint32_t[kMaxGrid];  // cell (row, column) at row * stride() + column

// What all words of a request have in common.
struct Leaf {
  RandomKey key;
  Shape shape;
  Grid grid;                 // stones of the leaf; empty cells are to be filled
  int empty[kMaxCells + 1];  // where the empty cells are in the grid, in ascending order
  std::uint32_t m = 0;       // how many
  bool black_moves = true;
};

template <int W>
void read_leaf(const typename Hex<W>::Rules& rules, std::uint64_t seed,
               const LeafRequest<Hex<W>>& request, Leaf& leaf) {
  constexpr std::uint32_t kAll = ~std::uint32_t{0};
  leaf.key = {seed, request.stream};
  leaf.black_moves = Hex<W>::to_move(rules, request.state) == Player::kFirst;
  leaf.shape = {rules.rows, rules.columns};
  int at = 0;
  int cell = 0;
  for (int row = 0; row < leaf.shape.rows; ++row, ++at) {
    for (int column = 0; column < leaf.shape.columns; ++column, ++at, ++cell) {
      const bool black = has_cell(request.state.stones[0], cell);
      const bool white = has_cell(request.state.stones[1], cell);
      leaf.grid[at] = black ? kAll : 0;
      leaf.empty[leaf.m] = at;
      leaf.m += !black && !white ? 1 : 0;
    }
    leaf.grid[at] = 0;
  }
  std::fill_n(leaf.grid + at, leaf.shape.stride(), kAll);
}

// The lanes that Black has won on a full board: van Rijswijck's reduction of the game of Y. A
// triangle of side s becomes one of side s - 1 by taking the majority of each small triangle
// (row, column), (row + 1, column), (row, column + 1); that keeps the winner, and a single cell is
// its own winner. The corners that the two added lines stand for never change.
std::uint32_t black_wins(const Shape& shape, Grid& grid) {
  for (int last = shape.rows + shape.columns - 3; last >= 0; --last) {  // row + column of the edge
    std::uint32_t* here = grid;
    for (int row = 0; row <= std::min(last, shape.rows - 1); ++row) {
      const std::uint32_t* __restrict below = here + shape.stride();
      const int end = std::min(last - row, shape.columns - 1);
      for (int c = 0; c <= end; ++c) {
        here[c] = ((here[c] ^ below[c]) & (here[c + 1] ^ below[c])) ^ below[c];
      }
      here += shape.stride();
    }
  }
  return grid[0];
}

std::uint32_t play_word(const Leaf& leaf, std::uint32_t word, std::uint32_t lanes) {
  std::uint32_t fill[kMaxCells + 3];
  hex_fill(leaf.key, leaf.m, word, lanes, fill);
  Grid grid;
  std::copy_n(leaf.grid, leaf.shape.size(), grid);
  const std::uint32_t whites = leaf.black_moves ? 0 : ~std::uint32_t{0};
  for (std::uint32_t e = 0; e < leaf.m; ++e) grid[leaf.empty[e]] = fill[e] ^ whites;
  return black_wins(leaf.shape, grid) & lanes;
}

template <int W>
Tally play(const typename Hex<W>::Rules& rules, std::uint64_t seed,
           const LeafRequest<Hex<W>>& request) {
  if (Hex<W>::finished(rules, request.state)) {
    return certain_tally(Hex<W>::value(rules, request.state), request.playouts);
  }
  Leaf leaf;
  read_leaf<W>(rules, seed, request, leaf);
  Tally tally;
  for_each_word(request.first, request.playouts, [&](std::uint32_t word, std::uint32_t lanes) {
    const std::uint32_t wins = play_word(leaf, word, lane_mask(lanes));
    tally.wins += static_cast<std::uint32_t>(std::popcount(wins));
  });
  tally.losses = request.playouts - tally.wins;
  return tally;
}

}  // namespace

template <>
Tally cpu_playouts<Hex<1>>(const Hex<1>::Rules& rules, std::uint64_t seed,
                           const LeafRequest<Hex<1>>& request) {
  return play<1>(rules, seed, request);
}

template <>
Tally cpu_playouts<Hex<6>>(const Hex<6>::Rules& rules, std::uint64_t seed,
                           const LeafRequest<Hex<6>>& request) {
  return play<6>(rules, seed, request);
}

}  // namespace playproof
