// Boards for the kernels of games that have several: as the list of games chooses their types, so
// that what is tested is what is played. tests/emulated/test_instances.py holds the kernels that
// they reach against those that are compiled.
#pragma once

#include "games/connect/entry.h"
#include "games/core/board_size.h"
#include "games/hex/entry.h"

namespace playproof {

// Calls f.template operator()<Hex<W>>(rules) for a square board.
template <class F>
void hex_square(int side, const F& f) {
  HexEntry::visit(BoardSize{side, side},
                  [&]<class G>() { f.template operator()<G>(G::make_rules(side, side)); });
}

// The same for squares of all sizes, then for boards whose longer side is beyond that of the
// squares of their type.
template <class F>
void each_hex_board(const F& f) {
  for (int side = 2; side <= 19; ++side) hex_square(side, f);
  constexpr BoardSize kOthers[] = {{3, 19}, {4, 6},  {5, 12}, {17, 5},
                                   {5, 17}, {9, 12}, {8, 13}, {18, 11}};
  for (const BoardSize& size : kOthers) {
    HexEntry::visit(
        size, [&]<class G>() { f.template operator()<G>(G::make_rules(size.rows, size.columns)); });
  }
}

// Calls f.template operator()<Connect<W>>(rules).
template <class F>
void each_connect_board(const F& f) {
  struct Shape {
    BoardSize size;
    int connect;
    int stones;
  };
  constexpr Shape kShapes[] = {{{3, 3}, 3, 8}, {{5, 6}, 4, 3},  {{7, 7}, 4, 2},  {{2, 19}, 2, 5},
                               {{4, 9}, 9, 7}, {{9, 13}, 6, 2}, {{19, 5}, 5, 4}, {{19, 19}, 6, 2}};
  for (const Shape& shape : kShapes) {
    ConnectEntry::visit(shape.size, [&]<class G>() {
      f.template operator()<G>(
          G::make_rules(shape.size.rows, shape.size.columns, shape.connect, shape.stones));
    });
  }
}

}  // namespace playproof
