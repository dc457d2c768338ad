// Where a leaf stands, as far as its scheme asks (kernels/schemes/scheme.h).
#pragma once

#include <cstdint>

#include "games/core/game.h"
#include "kernels/schemes/claim.h"
#include "kernels/schemes/scheme.h"

namespace playproof {

// `depth` plies below the root.
template <Game G, Scheme S>
PP_HD Leaf leaf_at(const typename G::Rules& rules, const Claim& claim, const S& scheme,
                   const typename G::State& state, std::uint32_t depth) {
  Leaf leaf;
  leaf.depth = depth;
  if (scheme.needs_mobility()) {
    Move moves[G::kMaxMoves];
    leaf.or_node = G::to_move(rules, state) == claim.attacker;
    leaf.mobility = G::moves(rules, state, moves);
    if constexpr (AcyclicGame<G>) leaf.plies_left = G::max_plies_left(rules, state);
  }
  return leaf;
}

}  // namespace playproof
