// What random games of Lines of Action have in common wherever they are played:
// games/PLAYOUTS.md, "Lines of Action".
#pragma once

#include <cstdint>

#include "games/loa/rules.h"

namespace playproof {

inline constexpr std::uint32_t kLoaLongestPlayout = 1000;  // plies; then it is cut off
inline constexpr unsigned kLoaDirections = 8;

// Direction d leads from a cell to the one with a number so much greater; d ^ 4 is the opposite.
PP_HD constexpr int loa_step(unsigned direction) {
  const auto step = static_cast<int>(0x07080901u >> (8 * (direction & 3)) & 0xff);
  return direction < 4 ? step : -step;
}

// The cells of the board that lie in a direction from one of it, which is not among them.
PP_HD constexpr std::uint64_t loa_ray(int size, int cell, unsigned direction) {
  const int sign = direction < 4 ? 1 : -1;
  const unsigned line = direction & 3;
  const int rows = line == 0 ? 0 : sign;
  const int columns = line == 2 ? 0 : line == 3 ? -sign : sign;
  const auto inside = [size](int at) { return at >= 0 && at < size; };
  std::uint64_t ray = 0;
  int row = cell / 8;
  int column = cell % 8;
  while (inside(row) && inside(column)) {
    ray |= std::uint64_t{1} << (8 * row + column);
    row += rows;
    column += columns;
  }
  return ray & ~(std::uint64_t{1} << cell);
}

struct LoaRays {
  static constexpr unsigned kCount = 64 * kLoaDirections;
  std::uint64_t of[kCount];  // [8 * cell + direction]

  // Entries first, first + step, ...: what one of `step` threads makes.
  PP_HD constexpr void fill(int size, unsigned first, unsigned step) {
    for (unsigned i = first; i < kCount; i += step) {
      of[i] = loa_ray(size, static_cast<int>(i / kLoaDirections), i % kLoaDirections);
    }
  }
};

}  // namespace playproof
