// First numbers of a leaf by quads (games/core/quads.h). own and other are the groups of who is to
// move and of the other side, as their quads tell them; n are the legal moves:
//   phi = 2^(own - 1), delta = n 2^(other - 1)
// A side with g groups takes g - 1 moves to join them if each joins one, and what is to be looked
// at for that grows by a factor a move; where both sides have one it is mobility. The idea is that
// of Winands and Schadd (2011), who take first numbers from an evaluation; the form, and 2, are
// ours.
#pragma once

#include "games/core/game.h"
#include "kernels/numbers/phi_delta.h"

namespace playproof {

PP_HD inline PhiDeltaPair quad_numbers(int moves, int own, int other) {
  return {PhiDelta{1} << (own - 1), static_cast<PhiDelta>(moves) << (other - 1)};
}

}  // namespace playproof
