// Which cells of a Hex board touch.
#pragma once

#include <cstdint>

#include "games/core/cell_set.h"
#include "games/hex/rules.h"

namespace playproof {

// Calls f(cell) with the cells that touch this one, in ascending order.
template <int W, class F>
void for_each_hex_neighbour(const typename Hex<W>::Rules& rules, int cell, F&& f) {
  const int c = rules.columns;
  const int row = rules.by_columns.quotient(cell);
  const int column = cell - row * c;
  if (row > 0) f(cell - c);
  if (row > 0 && column + 1 < c) f(cell - c + 1);
  if (column > 0) f(cell - 1);
  if (column + 1 < c) f(cell + 1);
  if (row + 1 < rules.rows && column > 0) f(cell + c - 1);
  if (row + 1 < rules.rows) f(cell + c);
}

// All cells that touch one of the set.
template <int W>
CellSet<W> hex_neighbours(const typename Hex<W>::Rules& rules, const CellSet<W>& set) {
  CellSet<W> around;
  if constexpr (W == 1) {
    const int c = rules.columns;
    const std::uint64_t s = set.words[0];
    around.words[0] = (((s << 1) | (s >> (c - 1))) & rules.not_first) |
                      (((s >> 1) | (s << (c - 1))) & rules.not_last) |
                      ((s << c) & (rules.not_first | rules.not_last)) | (s >> c);
  } else {
    for_each_cell(set, [&](int cell) {
      for_each_hex_neighbour<W>(rules, cell, [&](int next) { around.add(next); });
    });
  }
  return around;
}

// Those of `stones` that hang together with `group`, some of them.
template <int W>
CellSet<W> hex_group(const typename Hex<W>::Rules& rules, CellSet<W> group,
                     const CellSet<W>& stones) {
  for (CellSet<W> before; !(group == before);) {
    before = group;
    group |= hex_neighbours<W>(rules, group) & stones;
  }
  return group;
}

// The cells of a row along the edges of a player: the first one is at his first edge, the last one
// at his second.
template <int W>
CellSet<W> hex_row(const typename Hex<W>::Rules& rules, int player, int row) {
  CellSet<W> cells;
  for (int i = 0; i < rules.length[1 - player]; ++i) {
    cells.add(player == 0 ? row * rules.columns + i : i * rules.columns + row);
  }
  return cells;
}
template <int W>
CellSet<W> hex_edge(const typename Hex<W>::Rules& rules, int player, int which) {
  return hex_row<W>(rules, player, which == 0 ? 0 : rules.length[player] - 1);
}

}  // namespace playproof
