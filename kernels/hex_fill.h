// Who gets which empty cell of a Hex board, for the 32 playouts of a word at once:
// games/PLAYOUTS.md, "Hex". Bit l of a cell's word is lane l's.
#pragma once

#include <cstdint>

#include "kernels/random_words.h"

namespace playproof {

inline constexpr int kLaneCountBits = 9;  // of a number of cells and its sign

// One number a lane; element j holds bit j of all of them.
using LaneCounter = std::uint32_t[kLaneCountBits];

inline void add_lanes(LaneCounter& counter, std::uint32_t lanes, int from = 0) {
  for (int j = from; lanes != 0 && j < kLaneCountBits; ++j) {
    const std::uint32_t carry = counter[j] & lanes;
    counter[j] ^= lanes;
    lanes = carry;
  }
}

inline void subtract_lanes(LaneCounter& counter, std::uint32_t lanes) {
  for (int j = 0; lanes != 0 && j < kLaneCountBits; ++j) {
    const std::uint32_t borrow = ~counter[j] & lanes;
    counter[j] ^= lanes;
    lanes = borrow;
  }
}

inline std::uint32_t not_zero(const LaneCounter& counter) {
  std::uint32_t lanes = 0;
  for (const std::uint32_t plane : counter) lanes |= plane;
  return lanes;
}

// How far each lane's number of set bits is from `wanted`; the lanes with too many in `over`.
inline void count_excess(const std::uint32_t* fill, std::uint32_t m, std::uint32_t wanted,
                         LaneCounter& distance, std::uint32_t& over) {
  // Starts at -1 - wanted, so that the sign bit stays set in lanes with at most `wanted` bits.
  for (int j = 0; j < kLaneCountBits; ++j) distance[j] = 0 - ((~wanted >> j) & 1);
  std::uint32_t e = 0;
  for (; e + 2 < m; e += 3) {  // three bits are a sum and a carry
    const std::uint32_t a = fill[e];
    const std::uint32_t b = fill[e + 1];
    const std::uint32_t c = fill[e + 2];
    add_lanes(distance, a ^ b ^ c);
    add_lanes(distance, (a & b) | (c & (a ^ b)), 1);
  }
  for (; e < m; ++e) add_lanes(distance, fill[e]);
  over = ~distance[kLaneCountBits - 1];
  // Now count - wanted - 1: its complement is wanted - count.
  for (std::uint32_t& plane : distance) plane ^= ~over;
  add_lanes(distance, over);
}

// Random words 0 .. m - 1 of playout word `word`, then flips at cells drawn for the whole group of
// words until every lane of `lanes` has its number of set bits: ceil(m / 2), the cells of the side
// to move. Other lanes are left unfinished. m is 1 .. 361; fill has room for m + 3 words.
inline void hex_fill(const RandomKey& key, std::uint32_t m, std::uint32_t word, std::uint32_t lanes,
                     std::uint32_t* fill) {
  random_words(key, word, m, fill);
  LaneCounter distance;
  std::uint32_t over;
  count_excess(fill, m, (m + 1) / 2, distance, over);
  RandomWords random(key, kGroupFlag | (word / kHexGroupWords));
  const std::uint32_t rejected = 65536 % m;
  std::uint32_t two = 0;
  std::uint32_t wrong = not_zero(distance) & lanes;
  for (bool high = false; wrong != 0; high = !high) {
    two = high ? two >> 16 : random.next();
    const std::uint32_t product = (two & 0xffff) * m;
    if ((product & 0xffff) < rejected) continue;
    std::uint32_t& cell = fill[product >> 16];
    const std::uint32_t flipped = wrong & ~(cell ^ over);
    cell ^= flipped;
    subtract_lanes(distance, flipped);
    wrong &= not_zero(distance);
  }
}

}  // namespace playproof
