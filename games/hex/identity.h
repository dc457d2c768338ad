// What tells positions of Hex apart, which are the same board turned, and (connection.h) what its
// won positions need.
#pragma once

#include <vector>

#include "games/core/identity.h"
#include "games/core/symmetry.h"
#include "games/hex/connection.h"
#include "games/hex/rules.h"

namespace playproof {

// Black moves if the number of stones is even, or, where the bit is set, if it is odd. Stones and
// mover tell all else: how many stones each side has, who has won.
template <int W>
IdWords<2 * W> position_id(const Hex<W>&, const typename Hex<W>::State& s) {
  IdWords<2 * W> id = stones_id(s.stones);
  id.turn = (s.lead & 1) != 0;
  return id;
}

// The half turn leaves each player's edges where they are.
template <int W>
struct SymmetryOf<Hex<W>> : StoneSymmetry<HalfTurn<W>> {
  static std::vector<HalfTurn<W>> all(const typename Hex<W>::Rules& rules) {
    return {HalfTurn<W>(rules.cells)};
  }
};

}  // namespace playproof
