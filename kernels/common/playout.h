// What passes between the tree and the playouts. Two plain values, the same on host and device.
#pragma once

#include <cstdint>

#include "games/core/game.h"
#include "kernels/common/random_words.h"

namespace playproof {

// Results of random games, counted for the first player; they know no goal and prove nothing.
struct Tally {
  std::uint32_t wins = 0;
  std::uint32_t draws = 0;
  std::uint32_t losses = 0;
  std::uint32_t truncated = 0;  // games cut off by a ply bound: where positions can come again
  bool operator==(const Tally&) const = default;
  // Adds other playouts of the same position.
  Tally& operator+=(const Tally& other) {
    wins += other.wins;
    draws += other.draws;
    losses += other.losses;
    truncated += other.truncated;
    return *this;
  }
};

// All playouts of a finished position.
PP_HD constexpr Tally certain_tally(Value first_players, std::uint32_t playouts) {
  Tally tally;
  (first_players > 0 ? tally.wins : first_players < 0 ? tally.losses : tally.draws) = playouts;
  return tally;
}

// Playouts first .. first + playouts - 1 of a position's endless list of playouts. The list is a
// pure function of the key (seed of the search, stream) and the state; games/PLAYOUTS.md defines it
// to the bit. The stream is the key of the position, never a creation index, so tallies can be
// split, cached and recomputed. Requests of different searches may go in one batch.
template <class G>
struct LeafRequest {
  typename G::State state;  // not finished
  RandomKey key;            // its stream: G::key(rules, state)
  std::uint32_t first = 0;  // a multiple of 32
  std::uint32_t playouts = 0;
};

}  // namespace playproof
