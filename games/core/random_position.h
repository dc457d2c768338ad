// Positions of random play, for tests and benchmarks.
#pragma once

#include <cstdint>

#include "games/core/game.h"

namespace playproof {

// The position after `plies` random plies, or the last one before the game ended.
template <Game G>
typename G::State random_position(const typename G::Rules& rules, int plies, std::uint64_t seed) {
  typename G::State state = G::initial(rules);
  for (int i = 0; i < plies; ++i) {
    Move moves[G::kMaxMoves];
    const auto count = static_cast<std::uint64_t>(G::moves(rules, state, moves));
    typename G::State next = state;
    G::play(rules, next, moves[mix64(seed + static_cast<std::uint64_t>(i) * kGoldenGamma) % count]);
    if (G::finished(rules, next)) break;
    state = next;
  }
  return state;
}

}  // namespace playproof
