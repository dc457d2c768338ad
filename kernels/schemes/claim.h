// What is asked of a search, and how playouts and rules look from there.
#pragma once

#include "games/core/game.h"
#include "kernels/common/playout.h"
#include "kernels/numbers/bounds.h"

namespace playproof {

// What a search needs to know of the question: whose goal, and how much is enough.
struct Claim {
  Player attacker = Player::kFirst;
  Value threshold = 1;  // value for the attacker >= threshold
};

// A tally as the attacker sees it: playouts that reached the goal. Playouts know win, draw and loss
// only, so a score goal counts wins (N > 0) or wins and draws (N <= 0): an estimate, not a proof.
PP_HD inline double reached(const Tally& tally, const Claim& claim) {
  const std::uint32_t wins = claim.attacker == Player::kFirst ? tally.wins : tally.losses;
  return claim.threshold > 0 ? wins : wins + tally.draws;
}

// What the rules say of every position.
template <class G>
PP_HD Bounds unknown_bounds(const typename G::Rules& rules, Player attacker) {
  const Value a = value_for(attacker, G::min_value(rules));
  const Value b = value_for(attacker, G::max_value(rules));
  return a < b ? Bounds::unknown(a, b) : Bounds::unknown(b, a);
}

}  // namespace playproof
