// Hex as a device plays it: a thread, or two, have a word of 32 boards, one bit a board.
// games/PLAYOUTS.md, "Hex": a fill by random bits, its repair to the exact number of stones, and
// the reduction of the game of Y, in registers: those of one thread for up to 14 x 14 cells, of two
// for more.
#pragma once

#include <cstdint>

#include "games/hex/rules.h"
#include "kernels/common/playout.h"
#include "kernels/common/random_words.h"
#include "kernels/device/device_words.h"
#include "kernels/device/plane_sums.h"

namespace playproof {

// ---- The fill ----

// What the fill of a word starts from. Planes are numbered by empty cell, ascending, and say which
// lanes give the cell to the side to move.
struct HexWord {
  RandomKey key;
  std::uint32_t word = 0;
  std::uint32_t lanes = 0;
  std::uint32_t m = 0;       // empty cells, at least 1
  std::uint32_t whites = 0;  // all lanes if White moves, else none
};

inline constexpr int kHexCountBits = 9;  // of a number of cells and its sign
inline constexpr int kHexFewBits = 5;    // of a distance that is seldom larger

// How far a lane is from the right number of cells, and to which side.
struct HexDistance {
  std::uint32_t bits[kHexCountBits];
  std::uint32_t over;  // lanes in which the side to move has too many
};

// Writes the planes of kPlanes cells from e on and counts them. Four may be more than there are.
template <int kPlanes, class Planes>
PP_HD inline void hex_deal_some(const HexWord& w, std::uint32_t e, Planes planes, HexDistance& d) {
  std::uint32_t plane[kPlanes];
#pragma unroll
  for (std::uint32_t i = 0; i < kPlanes; i += 4) {
    const PhiloxCounter x = random_block(w.key, w.word, (e + i) / 4);
#pragma unroll
    for (std::uint32_t j = 0; j < 4; ++j) plane[i + j] = x.words[j];
  }
#pragma unroll
  for (std::uint32_t i = 0; i < kPlanes; ++i) {
    if (kPlanes > 4 || e + i < w.m) {
      planes[e + i] = plane[i];
    } else {
      plane[i] = 0;
    }
  }
  add_planes(d.bits, plane);
}

// Writes the planes of the m empty cells, or of two threads this one's part of them, and counts
// them. The first one counts from -1 - wanted on, so that the sign stays set in lanes with at most
// the wanted number.
template <std::uint32_t kThreads, class Planes>
PP_HD inline void hex_deal(const HexWord& w, Planes planes, std::uint32_t thread, HexDistance& d) {
  const std::uint32_t from = thread == 0 ? ~((w.m + 1) / 2) : 0;
#pragma unroll
  for (int j = 0; j < kHexCountBits; ++j) d.bits[j] = all_lanes(((from >> j) & 1) != 0);
  std::uint32_t e = 16 * thread;
#pragma unroll 1
  for (; e + 16 <= w.m; e += 16 * kThreads) hex_deal_some<16>(w, e, planes, d);
  if (kThreads > 1) e = w.m / 16 * 16 + 4 * thread;
#pragma unroll 1
  for (; e < w.m; e += 4 * kThreads) hex_deal_some<4>(w, e, planes, d);
}

// What is counted is now how far off the planes are.
PP_HD inline void hex_find_distance(HexDistance& d) {
  // It is count - wanted - 1: its complement is wanted - count.
  d.over = ~d.bits[kHexCountBits - 1];
  std::uint32_t carry = d.over;
#pragma unroll
  for (std::uint32_t& bit : d.bits) {
    bit ^= ~d.over;
    const std::uint32_t next = bit & carry;
    bit ^= carry;
    carry = next;
  }
}

// Turns one cell over in the lanes that are still wrong and have it on the wrong side; `passed`
// says that the draw stands for no cell.
template <int kBits>
PP_HD inline void hex_flip(std::uint32_t& plane, bool passed, HexDistance& d,
                           std::uint32_t& wrong) {
  const std::uint32_t x = plane;
  std::uint32_t borrow = passed ? 0 : wrong & ~(x ^ d.over);
  plane = x ^ borrow;
  std::uint32_t left = 0;
#pragma unroll
  for (int j = 0; j < kBits; ++j) {
    d.bits[j] ^= borrow;
    borrow &= d.bits[j];
    left |= d.bits[j];
  }
  wrong &= left;
}

// Draws cells from block `block` of the group on, eight at a time, and turns them over. Ends when
// no lane is wrong, or sooner: when all distances are below 2^kUntil.
template <int kBits, int kUntil, class Planes>
PP_HD inline void hex_repair(const HexWord& w, Planes planes, HexDistance& d, std::uint32_t& wrong,
                             std::uint32_t& block) {
  const std::uint32_t group = kGroupFlag | (w.word / kHexGroupWords);
  const std::uint32_t rejected = (65536 % w.m) << 16;
  for (;; ++block) {
    std::uint32_t many = kUntil == 0 ? wrong : 0;
#pragma unroll
    for (int j = kUntil; j < kBits && kUntil > 0; ++j) many |= d.bits[j] & wrong;
    if (many == 0) return;
    const PhiloxCounter random = random_block(w.key, group, block);
#pragma unroll
    for (int i = 0; i < 8; ++i) {
      // The number times 2^16: the cell is the upper half of the product.
      const std::uint32_t two = random.words[i / 2];
      const std::uint64_t product = multiply_wide(i % 2 == 0 ? two << 16 : two & 0xffff0000, w.m);
      hex_flip<kBits>(planes[static_cast<std::uint32_t>(product >> 32)],
                      static_cast<std::uint32_t>(product) < rejected, d, wrong);
    }
  }
}

// Turns planes over until each lane has the right number, from what was counted of them.
template <class Planes>
PP_HD inline void hex_repair(const HexWord& w, Planes planes, HexDistance& d) {
  hex_find_distance(d);
  std::uint32_t wrong = 0;
#pragma unroll
  for (const std::uint32_t bit : d.bits) wrong |= bit;
  wrong &= w.lanes;
  std::uint32_t block = 0;
  hex_repair<kHexCountBits, kHexFewBits>(w, planes, d, wrong, block);
  hex_repair<kHexFewBits, 0>(w, planes, d, wrong, block);
}

// Writes the planes of the m empty cells for good.
template <class Planes>
PP_HD inline void hex_fill(const HexWord& w, Planes planes) {
  HexDistance d;
  hex_deal<1>(w, planes, 0, d);
  hex_repair(w, planes, d);
}

// ---- The board ----

template <int W>
PP_HD inline HexWord hex_word(const typename Hex<W>::Rules& rules, const LeafRequest<Hex<W>>& leaf,
                              std::uint32_t word, std::uint32_t lanes) {
  HexWord w;
  w.key = leaf.key;
  w.word = word;
  w.lanes = lanes;
  w.m = static_cast<std::uint32_t>(rules.cells - leaf.state.count);
  w.whites = all_lanes(Hex<W>::to_move(rules, leaf.state) == Player::kSecond);
  return w;
}

// Cells from, from + 1, ... from + 18 of a set as bits; what follows is of no account.
template <int W>
PP_HD inline std::uint32_t hex_cells_from(const std::uint64_t (&set)[W], int from) {
  const int shift = from & 63;
  if constexpr (W == 1) {
    return static_cast<std::uint32_t>(set[0] >> shift);
  } else {
    const int word = from >> 6;
    std::uint64_t cells = set[word] >> shift;
    if (shift > 0 && word + 1 < W) cells |= set[word + 1] << (64 - shift);
    return static_cast<std::uint32_t>(cells);
  }
}

// One row of the leaf, as part of a larger board: below the board all is Black's, to its right
// White's.
struct HexRow {
  std::uint32_t empty = 0;
  std::uint32_t black = ~std::uint32_t{0};
};

template <int W>
PP_HD inline HexRow hex_row(const typename Hex<W>::Rules& rules,
                            const typename Hex<W>::State& state, int row) {
  HexRow found;
  if (row >= rules.rows) return found;
  const int from = row * rules.columns;
  const std::uint32_t board = (std::uint32_t{1} << rules.columns) - 1;
  found.black = hex_cells_from(state.stones[0], from) & board;
  found.empty = board & ~(found.black | hex_cells_from(state.stones[1], from));
  return found;
}

// ---- Reduction ----

// van Rijswijck's reduction of the game of Y: a triangle of side s becomes one of side s - 1 by
// taking the majority of each small triangle (row, column), (row + 1, column), (row, column + 1);
// that keeps the winner, and a single cell is its own winner. A Hex board is a corner of such a
// triangle, the rest of which is Black's below the board and White's to its right. Only the cells
// that still count are made: row + column < kLayer. A plane says which lanes give the cell to the
// side to move, so that the planes of the fill are taken as they are.
//
// Layers are templates: a loop over them stays a loop, whatever it is told, and tests of its number
// then cost two instructions a majority.
template <int kSide, int kLayer>
PP_HD inline void hex_reduce(std::uint32_t (&cell)[kSide * kSide], std::uint32_t whites) {
  if constexpr (kLayer > 0) {
#pragma unroll
    for (int row = 0; row < kSide; ++row) {
#pragma unroll
      for (int column = 0; column < kSide; ++column) {
        if (row + column >= kLayer) continue;
        const int at = row * kSide + column;
        const std::uint32_t below = row + 1 < kSide ? cell[at + kSide] : ~whites;
        const std::uint32_t right = column + 1 < kSide ? cell[at + 1] : whites;
        cell[at] = majority(cell[at], below, right);
      }
    }
    hex_reduce<kSide, kLayer - 1>(cell, whites);
  }
}

// The cells of a leaf with stones, as parts of a board of kSide rows and columns.
template <int W, int kSide, class Planes>
PP_HD inline void hex_gather(const typename Hex<W>::Rules& rules,
                             const typename Hex<W>::State& state, std::uint32_t whites,
                             Planes planes, std::uint32_t (&cell)[kSide * kSide]) {
  const std::uint32_t* plane = &planes[0];
  const auto stride = &planes[1] - &planes[0];
#pragma unroll
  for (int row = 0; row < kSide; ++row) {
    const HexRow found = hex_row<W>(rules, state, row);
    const std::uint32_t own = found.black ^ whites;
#pragma unroll
    for (int column = 0; column < kSide; ++column) {
      std::uint32_t x = all_lanes(((own >> column) & 1) != 0);
      if (((found.empty >> column) & 1) != 0) {
        x = *plane;
        plane += stride;
      }
      cell[row * kSide + column] = x;
    }
  }
}

// The lanes of a word that Black wins, on a board with at most kSide rows and columns. `planes` has
// room for kSide * kSide words.
template <int W, int kSide, class Planes>
PP_HD inline std::uint32_t hex_play(const typename Hex<W>::Rules& rules,
                                    const LeafRequest<Hex<W>>& leaf, std::uint32_t word,
                                    std::uint32_t lanes, Planes planes) {
  const HexWord w = hex_word<W>(rules, leaf, word, lanes);
  hex_fill(w, planes);
  std::uint32_t cell[kSide * kSide];
  if (w.m == kSide * kSide) {
#pragma unroll
    for (std::uint32_t at = 0; at < kSide * kSide; ++at) cell[at] = planes[at];
  } else {
    hex_gather<W, kSide>(rules, leaf.state, w.whites, planes, cell);
  }
  hex_reduce<kSide, 2 * kSide - 2>(cell, w.whites);
  return (cell[0] ^ w.whites) & lanes;
}

// ---- Reduction by two threads ----

// Larger boards have too many cells for the registers of one thread, not of two: the first one has
// the columns 0 .. kColumns - 1, the second one those to the right of them. After each step the
// two wait for each other; from_right(x) gives the first thread what the second one has as x, and
// the second one nothing in particular.
template <int kSide>
struct HexHalf {
  static constexpr int kColumns = (kSide + 1) / 2;
  std::uint32_t cell[kSide * kColumns];
};

// Writes this thread's part of the planes.
template <class Planes>
PP_HD inline void hex_deal_half(const HexWord& w, Planes planes, std::uint32_t thread,
                                HexDistance& d) {
  hex_deal<2>(w, planes, thread, d);
}

// The first thread makes the fill exact, with what both have counted.
template <class Planes, class FromRight>
PP_HD inline void hex_repair_halves(const HexWord& w, Planes planes, std::uint32_t thread,
                                    HexDistance& d, const FromRight& from_right) {
  std::uint32_t carry = 0;
#pragma unroll
  for (std::uint32_t& bit : d.bits) carry = add_two(bit, from_right(bit), carry);
  if (thread == 0) hex_repair(w, planes, d);
}

// This thread's cells of a leaf, as parts of a board of kSide rows and columns; as hex_gather().
template <int W, int kSide, class Planes>
PP_HD inline void hex_gather_half(const typename Hex<W>::Rules& rules,
                                  const typename Hex<W>::State& state, const HexWord& w,
                                  Planes planes, std::uint32_t thread, HexHalf<kSide>& half) {
  constexpr int kColumns = HexHalf<kSide>::kColumns;
  const auto first = static_cast<int>(thread) * kColumns;
  const auto stride = &planes[1] - &planes[0];
  // A column beyond those of the board is White's, also below a smaller board.
  const auto inside = lane_mask(thread == 0 ? kColumns : kSide - kColumns);
  std::uint32_t e = 0;
#pragma unroll
  for (int row = 0; row < kSide; ++row) {
    const HexRow found = hex_row<W>(rules, state, row);
    const std::uint32_t own = (((found.black ^ w.whites) >> first) & inside) | (w.whites & ~inside);
    const std::uint32_t empty = found.empty >> first;
    e += static_cast<std::uint32_t>(popcount64(found.empty) - popcount64(empty));
    const std::uint32_t* plane = &planes[e];
#pragma unroll
    for (int column = 0; column < kColumns; ++column) {
      std::uint32_t x = all_lanes(((own >> column) & 1) != 0);
      if (((empty >> column) & 1) != 0) {
        x = *plane;
        plane += stride;
      }
      half.cell[row * kColumns + column] = x;
    }
    e += static_cast<std::uint32_t>(popcount64(empty));
  }
}

// Does as hex_reduce() does, on the cells of both threads; in the first one's first cell is then
// who wins.
template <int kSide, int kLayer, class FromRight>
PP_HD inline void hex_reduce_half(HexHalf<kSide>& half, std::uint32_t whites, std::uint32_t thread,
                                  const FromRight& from_right) {
  constexpr int kColumns = HexHalf<kSide>::kColumns;
  if constexpr (kLayer > 0) {
#pragma unroll
    for (int row = 0; row < kSide; ++row) {
      std::uint32_t right = whites;
      if (row + kColumns <= kLayer) {
        right = from_right(half.cell[row * kColumns]);
        // If the second thread has a column beyond the board, which is White's, it stays so.
        if (kSide % 2 == 0 && thread != 0) right = whites;
      }
#pragma unroll
      for (int column = 0; column < kColumns; ++column) {
        if (row + column >= kLayer) continue;
        const int at = row * kColumns + column;
        const std::uint32_t below = row + 1 < kSide ? half.cell[at + kColumns] : ~whites;
        half.cell[at] =
            majority(half.cell[at], below, column + 1 < kColumns ? half.cell[at + 1] : right);
      }
    }
    hex_reduce_half<kSide, kLayer - 1>(half, whites, thread, from_right);
  }
}

// The lanes of a word that Black wins, for the first thread; the planes are exact.
template <int W, int kSide, class Planes, class FromRight>
PP_HD inline std::uint32_t hex_play_half(const typename Hex<W>::Rules& rules,
                                         const LeafRequest<Hex<W>>& leaf, const HexWord& w,
                                         Planes planes, std::uint32_t thread,
                                         const FromRight& from_right) {
  constexpr int kColumns = HexHalf<kSide>::kColumns;
  HexHalf<kSide> half;
  if (w.m == kSide * kSide) {
    const std::uint32_t first = thread * kColumns;
#pragma unroll
    for (std::uint32_t at = 0; at < kSide * kColumns; ++at) {
      const std::uint32_t column = at % kColumns;
      const bool beyond = 2 * kColumns > kSide && column + 1 == kColumns && thread != 0;
      half.cell[at] = beyond ? w.whites : planes[at / kColumns * kSide + first + column];
    }
  } else {
    hex_gather_half<W, kSide>(rules, leaf.state, w, planes, thread, half);
  }
  hex_reduce_half<kSide, 2 * kSide - 2>(half, w.whites, thread, from_right);
  return (half.cell[0] ^ w.whites) & w.lanes;
}

}  // namespace playproof
