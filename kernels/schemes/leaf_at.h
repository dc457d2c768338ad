// Where a leaf stands, as far as its scheme asks (kernels/schemes/scheme.h).
#pragma once

#include <cstdint>

#include "games/core/game.h"
#include "games/core/quads.h"
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
    if constexpr (HasQuads<G>) {
      leaf.own_groups = G::quad_groups(state, G::to_move(rules, state));
      leaf.other_groups = G::quad_groups(state, opponent(G::to_move(rules, state)));
    }
    if constexpr (AcyclicGame<G>) leaf.plies_left = G::max_plies_left(rules, state);
  }
  return leaf;
}

}  // namespace playproof
