// What tells positions of Connect6 apart, and which are the same board turned or reflected.
#pragma once

#include <vector>

#include "games/connect/rules.h"
#include "games/core/identity.h"
#include "games/core/symmetry.h"

namespace playproof {

// The first of n stones begins, and each turn after it has `stones` of them (rules.h): so n tells
// who moves and how many are left in the turn.
template <int W>
IdWords<2 * W> position_id(const Connect<W>&, const typename Connect<W>::State& s) {
  return stones_id(s.stones);
}

// The rules know no direction: all symmetries of the board, eight on square ones.
template <int W>
struct SymmetryOf<Connect<W>> : StoneSymmetry<CellPermutation<W>> {
  static std::vector<CellPermutation<W>> all(const typename Connect<W>::Rules& rules) {
    return board_symmetries<W>(rules.rows, rules.columns);
  }
};

}  // namespace playproof
