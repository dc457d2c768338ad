// What tells positions of Hex apart, which are the same board turned, and (connection.h) what its
// won positions need.
#pragma once

#include <vector>

#include "games/core/identity.h"
#include "games/core/symmetry.h"
#include "games/hex/connection.h"
#include "games/hex/rules.h"

namespace playproof {

// Black moves exactly if both have as many stones.
template <int W>
IdWords<2 * W> position_id(const Hex<W>&, const typename Hex<W>::State& s) {
  return stones_id(s.stones);
}

// The half turn leaves each player's edges where they are.
template <int W>
struct SymmetryOf<Hex<W>> : StoneSymmetry<HalfTurn<W>> {
  static std::vector<HalfTurn<W>> all(const typename Hex<W>::Rules& rules) {
    return {HalfTurn<W>(rules.cells)};
  }
};

}  // namespace playproof
