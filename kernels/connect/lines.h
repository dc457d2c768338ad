// Lines of a Connect board as masks of taken cells: whether a stone completes k in a row is a few
// shifts a direction.
#pragma once

#include <cstdint>

#include "games/connect/rules.h"

namespace playproof {

struct ConnectLines {
  static constexpr int kDirections = 4;
  static constexpr int kMaxSide = Connect<6>::kMaxSide;
  static constexpr int kMaxLines = 2 * kMaxSide;  // in one direction

  // Where a cell is in one direction: in which line, and where in it.
  struct Place {
    std::uint8_t line = 0;
    std::uint8_t bit = 0;
  };

  int connect = 0;
  int step[kDirections] = {};  // from a cell to the next one in its line
  Place place[kMaxSide * kMaxSide][kDirections];

  static ConnectLines of(int rows, int columns, int connect) {
    ConnectLines lines;
    lines.connect = connect;
    const int steps[kDirections] = {1, columns, columns + 1, columns - 1};
    for (int d = 0; d < kDirections; ++d) lines.step[d] = steps[d];
    for (int cell = 0; cell < rows * columns; ++cell) {
      const int row = cell / columns;
      const int column = cell % columns;
      const int line[kDirections] = {row, column, row - column + columns - 1, row + column};
      for (int d = 0; d < kDirections; ++d) {
        lines.place[cell][d].line = static_cast<std::uint8_t>(line[d]);
        lines.place[cell][d].bit = static_cast<std::uint8_t>(d == 0 ? column : row);
      }
    }
    return lines;
  }

  // Where, in a line's taken cells, `connect` of them on end begin that have cell `bit` among them.
  std::uint32_t starts(std::uint32_t taken, int bit) const {
    int length = 1;
    for (; 2 * length <= connect; length *= 2) taken &= taken >> length;
    taken &= taken >> (connect - length);
    const int first = bit < connect ? 0 : bit - connect + 1;
    return taken & (~std::uint32_t{0} << first) & (~std::uint32_t{0} >> (31 - bit));
  }
};

// The taken cells of every line, a bit each.
struct TakenCells {
  std::uint32_t line[ConnectLines::kDirections][ConnectLines::kMaxLines] = {};

  void add(const ConnectLines& lines, int cell) {
    for (int d = 0; d < ConnectLines::kDirections; ++d) {
      const ConnectLines::Place place = lines.place[cell][d];
      line[d][place.line] |= std::uint32_t{1} << place.bit;
    }
  }
  // Whether `cell`, which is taken, is in a line that is long enough.
  bool completes_line(const ConnectLines& lines, int cell) const {
    std::uint32_t starts = 0;
    for (int d = 0; d < ConnectLines::kDirections; ++d) {
      const ConnectLines::Place place = lines.place[cell][d];
      starts |= lines.starts(line[d][place.line], place.bit);
    }
    return starts != 0;
  }
};

}  // namespace playproof
