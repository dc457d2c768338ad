// The order in which the children of a node are generated, where it is not that of the moves.
#pragma once

#include <cstdint>

#include "games/core/game.h"

namespace playproof {

// The seed of the order of a search whose playouts have this seed.
PP_HD inline std::uint64_t order_seed_of(std::uint64_t seed) {
  return mix64(seed ^ 0x6f726465725f6f66ull);
}

// Draws one of all orders uniformly from (seed, key of the position), so that a position has one
// order in the whole search.
PP_HD inline void shuffle_moves(std::uint64_t seed, std::uint64_t key, Move* moves, int count) {
  std::uint64_t draw = mix64(seed ^ mix64(key));
  for (int i = count - 1; i > 0; --i) {
    draw = mix64(draw);
    // The bias of a multiply over 32 bits is below 361/2^32.
    const auto j = static_cast<int>(((draw >> 32) * static_cast<std::uint64_t>(i + 1)) >> 32);
    const Move other = moves[j];
    moves[j] = moves[i];
    moves[i] = other;
  }
}

}  // namespace playproof
