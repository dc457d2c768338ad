// What tells positions of Lines of Action apart, and which are the same board turned or reflected.
#pragma once

#include <vector>

#include "games/core/identity.h"
#include "games/core/symmetry.h"
#include "games/loa/rules.h"

namespace playproof {

inline IdWords<2> position_id(const Loa&, const Loa::State& s) {
  return {{s.stones[0], s.stones[1]}, s.to_move != 0};
}

// The rules know no direction: the eight symmetries of the board.
template <>
struct SymmetryOf<Loa> {
  using Permutation = CellPermutation<1>;
  static constexpr bool kAddsStones = false;
  static std::vector<Permutation> all(const Loa::Rules& rules) {
    std::vector<Permutation> all;
    const int last = rules.size - 1;
    for (int i = 1; i < 8; ++i) {
      all.emplace_back(64, [=](int cell) {
        int row = cell / 8;
        int column = cell % 8;
        if (row > last || column > last) return cell;  // beyond the board
        if ((i & 1) != 0) row = last - row;
        if ((i & 2) != 0) column = last - column;
        return (i & 4) != 0 ? column * 8 + row : row * 8 + column;
      });
    }
    return all;
  }
  static void turn(const Permutation& to, Loa::State& state) {
    for (auto& stones : state.stones) to.apply(&stones);
  }
};

}  // namespace playproof
