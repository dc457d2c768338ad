// Hex on the CPU: the 32 boards of a word at once, one bit a board. No cell is looked at twice:
// the fill is a random word a cell, the winner comes from majorities of three neighbouring cells.
#include <algorithm>
#include <bit>

#include "kernels/cpu_playouts.h"
#include "kernels/random_words.h"

namespace playproof {
namespace {

constexpr int kMaxSide = Hex<6>::kMaxSide;
constexpr int kMaxCells = kMaxSide * kMaxSide;
constexpr int kMaxGrid = (kMaxSide + 1) * (kMaxSide + 1);
constexpr int kCountBits = 9;  // of a number of cells

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
  int at = 0, cell = 0;
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

// One number a lane, bit j of all of them in planes[j].
using Counter = std::uint32_t[kCountBits];

void add(Counter& counter, std::uint32_t lanes, int from = 0) {
  for (int j = from; lanes != 0 && j < kCountBits; ++j) {
    const std::uint32_t carry = counter[j] & lanes;
    counter[j] ^= lanes;
    lanes = carry;
  }
}

void subtract(Counter& counter, std::uint32_t lanes) {
  for (int j = 0; lanes != 0 && j < kCountBits; ++j) {
    const std::uint32_t borrow = ~counter[j] & lanes;
    counter[j] ^= lanes;
    lanes = borrow;
  }
}

std::uint32_t not_zero(const Counter& counter) {
  std::uint32_t lanes = 0;
  for (const std::uint32_t plane : counter) lanes |= plane;
  return lanes;
}

// How far each lane's number of set bits is from `wanted`; the lanes with too many in `over`.
void count_excess(const std::uint32_t* fill, std::uint32_t m, std::uint32_t wanted,
                  Counter& distance, std::uint32_t& over) {
  // Starts at -1 - wanted, so that the sign bit stays set in lanes with at most `wanted` bits.
  for (int j = 0; j < kCountBits; ++j) distance[j] = 0 - ((~wanted >> j) & 1);
  std::uint32_t e = 0;
  for (; e + 2 < m; e += 3) {  // three bits are a sum and a carry
    const std::uint32_t a = fill[e], b = fill[e + 1], c = fill[e + 2];
    add(distance, a ^ b ^ c);
    add(distance, (a & b) | (c & (a ^ b)), 1);
  }
  for (; e < m; ++e) add(distance, fill[e]);
  over = ~distance[kCountBits - 1];
  // Now count - wanted - 1: its complement is wanted - count.
  for (std::uint32_t& plane : distance) plane ^= ~over;
  add(distance, over);
}

// Flips bits at cells drawn for the whole group until every lane below `lanes` has its count.
void repair(const Leaf& leaf, std::uint32_t word, std::uint32_t lanes, std::uint32_t* fill) {
  Counter distance;
  std::uint32_t over;
  count_excess(fill, leaf.m, (leaf.m + 1) / 2, distance, over);
  RandomWords random(leaf.key, kGroupFlag | (word / kHexGroupWords));
  const std::uint32_t rejected = 65536 % leaf.m;
  std::uint32_t two = 0;
  std::uint32_t wrong = not_zero(distance) & lanes;
  for (bool high = false; wrong != 0; high = !high) {
    two = high ? two >> 16 : random.next();
    const std::uint32_t product = (two & 0xffff) * leaf.m;
    if ((product & 0xffff) < rejected) continue;
    std::uint32_t& cell = fill[product >> 16];
    const std::uint32_t flipped = wrong & ~(cell ^ over);
    cell ^= flipped;
    subtract(distance, flipped);
    wrong &= not_zero(distance);
  }
}

// The lanes that Black has won on a full board: van Rijswijck's reduction of the game of Y. A
// triangle of side s becomes one of side s - 1 by taking the majority of each small triangle
// (row, column), (row + 1, column), (row, column + 1); that keeps the winner, and a single cell is
// its own winner. The corners that the two added lines stand for never change.
std::uint32_t black_wins(const Shape& shape, Grid& grid) {
  for (int last = shape.rows + shape.columns - 3; last >= 0; --last) {  // row + column of the edge
    for (int row = 0; row <= std::min(last, shape.rows - 1); ++row) {
      std::uint32_t* here = grid + row * shape.stride();
      const std::uint32_t* __restrict below = here + shape.stride();
      const int end = std::min(last - row, shape.columns - 1);
      for (int c = 0; c <= end; ++c) {
        here[c] = ((here[c] ^ below[c]) & (here[c + 1] ^ below[c])) ^ below[c];
      }
    }
  }
  return grid[0];
}

std::uint32_t play_word(const Leaf& leaf, std::uint32_t word, std::uint32_t lanes) {
  std::uint32_t fill[kMaxCells + 3];
  random_words(leaf.key, word, leaf.m, fill);
  repair(leaf, word, lanes, fill);
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
