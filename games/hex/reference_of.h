// The two rule sets of one game (games/core/reference_of.h).
#pragma once

#include "games/core/reference_of.h"
#include "games/core/text_tools.h"
#include "games/hex/reference.h"
#include "games/hex/rules.h"

namespace playproof {

template <int W>
struct ReferenceOf<Hex<W>> {
  using Type = RefHex;
  static Type::Rules rules(const typename Hex<W>::Rules& r) { return {r.rows, r.columns}; }
  static Type::State state(const typename Hex<W>::Rules& r, const typename Hex<W>::State& s) {
    return {board_text(s.stones, r.cells, '.', 'B', 'W'), Hex<W>::to_move(r, s)};
  }
};

}  // namespace playproof
