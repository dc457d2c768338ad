// The inner loop of patterns (host/zone/patterns.h): which of many match a position?
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>

#include "games/core/cell_set.h"

namespace playproof {

// Patterns are looked at by the block.
inline constexpr std::size_t kMatchBlock = 16;

// `needed` and `zones` have `stride` numbers for each of the W words of a set; pattern i is number
// i of each. The first pattern, from number `from` on, that lacks at most `short_of` (0 or 1) of
// its needed stones in `own` and whose zone has no cell of `other`; `count` or more if there is
// none. Whole blocks are read: what stands beyond `count`, up to the end of its block, must match
// nothing.
std::size_t first_match_of_word(const std::uint64_t* needed, const std::uint64_t* zones,
                                std::size_t from, std::size_t count, std::uint64_t own,
                                std::uint64_t other, int short_of);

template <int W>
std::size_t first_match(const std::uint64_t* needed, const std::uint64_t* zones, std::size_t stride,
                        std::size_t from, std::size_t count, const CellSet<W>& own,
                        const CellSet<W>& other, int short_of) {
  if constexpr (W == 1) {
    return first_match_of_word(needed, zones, from, count, own.words[0], other.words[0], short_of);
  } else {
    for (std::size_t i = from; i < count; ++i) {
      std::uint64_t met = 0;
      int missing = 0;
      for (std::size_t w = 0; w < W; ++w) {
        met |= zones[w * stride + i] & other.words[w];
        missing += std::popcount(needed[w * stride + i] & ~own.words[w]);
      }
      if (met == 0 && missing <= short_of) return i;
    }
    return count;
  }
}

}  // namespace playproof
