// Sets of cells as W 64-bit words: cell i is bit i mod 64 of word i div 64. Plain arrays, so that
// states stay aggregates that host and device read alike. W is 1 (up to 64 cells), 6 (19 x 19) or,
// where a game has it, between them.
#pragma once

#include <cstdint>

#include "games/core/game.h"

namespace playproof {

template <int W>
PP_HD inline bool has_cell(const std::uint64_t (&words)[W], int cell) {
  if constexpr (W == 1) {
    return ((words[0] >> cell) & 1) != 0;
  } else {
    return ((words[cell >> 6] >> (cell & 63)) & 1) != 0;
  }
}

template <int W>
PP_HD inline void add_cell(std::uint64_t (&words)[W], int cell) {
  if constexpr (W == 1) {
    words[0] |= std::uint64_t{1} << cell;
  } else {
    words[cell >> 6] |= std::uint64_t{1} << (cell & 63);
  }
}

// The cells 0 .. cells - 1 that fall into word `word`.
PP_HD inline std::uint64_t board_word(int cells, int word) {
  const int here = cells - 64 * word;
  if (here >= 64) return ~std::uint64_t{0};
  return here <= 0 ? 0 : (std::uint64_t{1} << here) - 1;
}

// Writes the cells of `set`, all of them in word number `word`, in ascending order; returns the
// end.
PP_HD inline Move* append_cells(std::uint64_t set, int word, Move* out) {
  for (; set != 0; set &= set - 1) *out++ = static_cast<Move>(64 * word + lowest_bit64(set));
  return out;
}

// Writes the cells of a board of `cells` cells that neither player holds, in ascending order.
template <int W>
PP_HD inline int empty_cells(const std::uint64_t (&stones)[2][W], int cells, Move* out) {
  Move* end = out;
  for (int i = 0; i < W; ++i) {
    end = append_cells(board_word(cells, i) & ~(stones[0][i] | stones[1][i]), i, end);
  }
  return static_cast<int>(end - out);
}

// Key of two sets of cells: mix of the sum over the words w_0, w_1, ... (the first player's words,
// then the second's) of mix(w_i + (i + 1) * 0xd1b54a32d192ed03), all mod 2^64, mix = splitmix64.
// Each player has one word on boards of at most 64 cells, six on all others, those beyond W empty.
template <int W>
PP_HD inline std::uint64_t cells_key(const std::uint64_t (&stones)[2][W]) {
  constexpr int kWords = W == 1 ? 1 : 6;
  std::uint64_t sum = 0;
  for (int i = 0; i < 2 * kWords; ++i) {
    const std::uint64_t salt = (static_cast<std::uint64_t>(i) + 1) * 0xd1b54a32d192ed03ull;
    const int word = i % kWords;
    sum += mix64((word < W ? stones[i / kWords][word] : 0) + salt);
  }
  return mix64(sum);
}

// Division by a small constant that is known only at run time: exact for x * divisor < 2^16.
struct SmallDivisor {
  std::uint32_t reciprocal = 65536;
  PP_HD static constexpr SmallDivisor of(int divisor) {
    return {static_cast<std::uint32_t>((65536 + divisor - 1) / divisor)};
  }
  PP_HD constexpr int quotient(int x) const {
    return static_cast<int>((static_cast<std::uint32_t>(x) * reciprocal) >> 16);
  }
};

}  // namespace playproof
