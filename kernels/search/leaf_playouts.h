// The playouts of a leaf as the thread plays them that searches its tree: the same tallies as those
// of every engine (games/PLAYOUTS.md). A game whose playouts are its own specialises it.
#pragma once

#include <cstdint>

#include "games/core/game.h"
#include "kernels/common/own_playouts.h"
#include "kernels/common/playout.h"
#include "kernels/common/random_words.h"
#include "kernels/device/device_words.h"
#include "kernels/generic/playouts.h"

namespace playproof {

PP_HD inline void count_value(Value value, Tally& tally) {
  tally.wins += value > 0;
  tally.draws += value == 0;
  tally.losses += value < 0;
}

// Playouts 0 .. playouts - 1 of a game of which whole words are played: play(word, lanes) says how
// those lanes end.
template <class Play>
PP_HD Tally play_words(std::uint32_t playouts, const Play& play) {
  Tally tally;
#pragma unroll 1
  for (std::uint32_t word = 0; word * kLanes < playouts; ++word) {
    const std::uint32_t left = playouts - word * kLanes;
    const WordOutcome outcome = play(word, lane_mask(left < kLanes ? left : kLanes));
    tally.wins += static_cast<std::uint32_t>(popcount64(outcome.won));
    tally.draws += static_cast<std::uint32_t>(popcount64(outcome.drawn));
  }
  tally.losses = playouts - tally.wins - tally.draws;
  return tally;
}

// "Other games": ply by ply.
template <Game G>
struct LeafPlayouts {
  static_assert(!kOwnPlayouts<G>, "playouts of its own");
  PP_HD static Tally play(const typename G::Rules& rules, const typename G::State& leaf,
                          const RandomKey& key, std::uint32_t playouts) {
    Tally tally;
    for (std::uint32_t i = 0; i < playouts; ++i) {
      typename G::State state = leaf;
      for (std::uint32_t ply = 0; !G::finished(rules, state); ++ply) {
        generic_ply<G>(rules, state, random_word(key, i / kLanes, ply * kLanes + i % kLanes));
      }
      count_value(G::value(rules, state), tally);
    }
    return tally;
  }
};

}  // namespace playproof
