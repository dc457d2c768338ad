// The two rule sets of one game (games/core/reference_of.h).
#pragma once

#include "games/connect/reference.h"
#include "games/connect/rules.h"
#include "games/core/reference_of.h"
#include "games/core/text_tools.h"

namespace playproof {

template <int W>
struct ReferenceOf<Connect<W>> {
  using Type = RefConnect;
  static Type::Rules rules(const typename Connect<W>::Rules& r) {
    return {r.rows, r.columns, r.connect, r.stones};
  }
  static Type::State state(const typename Connect<W>::Rules& r,
                           const typename Connect<W>::State& s) {
    return {board_text(s.stones, r.cells, '.', 'B', 'W')};
  }
};

}  // namespace playproof
