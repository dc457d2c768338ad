// The two rule sets of one game (games/core/reference_of.h).
#pragma once

#include <cstddef>
#include <vector>

#include "games/core/reference_of.h"
#include "games/loa/reference.h"
#include "games/loa/rules.h"

namespace playproof {

template <>
struct ReferenceOf<Loa> {
  using Type = RefLoa;
  static Type::Rules rules(const Loa::Rules& r) { return {r.size, r.mover_wins}; }
  static Type::State state(const Loa::Rules& r, const Loa::State& s) {
    Type::State state{std::vector<char>(static_cast<std::size_t>(r.size * r.size), '-'),
                      s.to_move == 0 ? 'X' : 'O'};
    for (int row = 0; row < r.size; ++row) {
      for (int column = 0; column < r.size; ++column) {
        char& cell = state.cells[static_cast<std::size_t>(row * r.size + column)];
        if ((s.stones[0] >> (8 * row + column) & 1) != 0) cell = 'X';
        if ((s.stones[1] >> (8 * row + column) & 1) != 0) cell = 'O';
      }
    }
    return state;
  }
};

}  // namespace playproof
