// Playouts of any game, ply by ply on its fast rules: games/PLAYOUTS.md, "Other games". A new game
// works at once; engines of its own make it fast.
#pragma once

#include <cstdint>
#include <span>

#include "games/core/game.h"
#include "kernels/common/playout.h"
#include "kernels/common/random_words.h"
#include "kernels/common/scalar_playouts.h"

namespace playproof {

// One ply of a lane whose random number of this ply is `number`: of n legal moves, in ascending
// order, move floor(number n / 2^32).
template <Game G>
PP_HD inline void generic_ply(const typename G::Rules& rules, typename G::State& state,
                              std::uint32_t number) {
  Move moves[G::kMaxMoves];
  const auto count = static_cast<std::uint64_t>(G::moves(rules, state, moves));
  G::play(rules, state, moves[(count * number) >> 32]);
}

struct GenericTally {
  Tally tally;
  std::uint64_t plies = 0;  // of all playouts together
};

// The engine `cpu`: the lanes of a word in step, since four of them share a block of random words.
template <Game G>
GenericTally generic_playouts(const typename G::Rules& rules, const LeafRequest<G>& request) {
  if (G::finished(rules, request.state)) {
    return {certain_tally(G::value(rules, request.state), request.playouts), 0};
  }
  GenericTally played;
  Tally& tally = played.tally;
  for_each_word(request.first, request.playouts, [&](std::uint32_t word, std::uint32_t lanes) {
    typename G::State states[kLanes];
    for (std::uint32_t lane = 0; lane < lanes; ++lane) states[lane] = request.state;
    std::uint32_t open = lane_mask(lanes);  // lanes that go on
    for (std::uint32_t ply = 0; open != 0; ++ply) {
      std::uint32_t numbers[kLanes];
      random_blocks(request.key, word, ply * (kLanes / 4), kLanes / 4, numbers);
      for (std::uint32_t rest = open; rest != 0; rest &= rest - 1) {
        const auto lane = static_cast<std::uint32_t>(lowest_bit64(rest));
        generic_ply<G>(rules, states[lane], numbers[lane]);
        ++played.plies;
        if (!G::finished(rules, states[lane])) continue;
        const Value value = G::value(rules, states[lane]);
        ++(value > 0 ? tally.wins : value < 0 ? tally.losses : tally.draws);
        open &= ~(std::uint32_t{1} << lane);
      }
    }
  });
  return played;
}

// The engine `scalar`.
template <Game G>
class GenericLeaf {
 public:
  GenericLeaf(const typename G::Rules& rules, const typename G::State& state)
      : rules_(rules), state_(state) {}
  int play(Xoshiro& random) const {
    typename G::State state = state_;
    while (!G::finished(rules_, state)) {
      generic_ply<G>(rules_, state, static_cast<std::uint32_t>(random.next() >> 32));
    }
    return G::value(rules_, state);
  }

 private:
  typename G::Rules rules_;
  typename G::State state_;
};
template <Game G>
Tally generic_scalar_playouts(const typename G::Rules& rules, const LeafRequest<G>& request) {
  return play_scalar<G, GenericLeaf<G>>(rules, request);
}

}  // namespace playproof
