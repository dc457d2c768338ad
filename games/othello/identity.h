// What tells positions of Othello apart, and which are the same board turned or reflected.
#pragma once

#include <vector>

#include "games/core/identity.h"
#include "games/core/symmetry.h"
#include "games/othello/rules.h"

namespace playproof {

// Passes leave the discs as they are: who moves is the bit.
inline IdWords<2> position_id(const Othello&, const Othello::State& s) {
  return {{s.discs[0], s.discs[1]}, s.to_move != 0};
}

// The rules know no direction: the eight symmetries of the board.
template <>
struct SymmetryOf<Othello> {
  using Permutation = CellPermutation<1>;
  static constexpr bool kAddsStones = false;
  static std::vector<Permutation> all(const Othello::Rules& rules) {
    return board_symmetries<1>(rules.size, rules.size);
  }
  static void turn(const Permutation& to, Othello::State& state) {
    for (auto& discs : state.discs) to.apply(&discs);
    to.apply(&state.legal);
  }
};

}  // namespace playproof
