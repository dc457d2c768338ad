// The engine `scalar`: random games one by one, as they are written when there are no vectors of
// games: bitboards, a game ends as soon as it is won, random numbers from a stream of its own. It
// is the baseline that the other engines are measured against. Its playouts are other ones than
// those of games/PLAYOUTS.md, from the same distribution; tests/kernels compares them.
#pragma once

#include <bit>
#include <cstdint>

#include "games/core/game.h"
#include "kernels/common/playout.h"
#include "kernels/common/random_words.h"

namespace playproof {

// The tally of one request; first a multiple of 32, first + playouts at most 2^32. A pure function
// of (key, state) and the numbers of the playouts. Of games with engines of their own: in
// kernels/<game>/scalar.cpp.
template <class G>
Tally scalar_playouts(const typename G::Rules& rules, const LeafRequest<G>& request);

// xoshiro256** (Blackman, Vigna 2018). Each word of 32 playouts has a stream of its own, so that
// requests can be split.
class Xoshiro {
 public:
  Xoshiro(const RandomKey& key, std::uint32_t word) {
    std::uint64_t x = mix64(mix64(key.seed) ^ key.stream) + word;
    for (std::uint64_t& state : state_) state = x = mix64(x);
  }
  std::uint64_t next() {
    const std::uint64_t result = std::rotl(state_[1] * 5, 7) * 9;
    const std::uint64_t shifted = state_[1] << 17;
    state_[2] ^= state_[0];
    state_[3] ^= state_[1];
    state_[1] ^= state_[2];
    state_[0] ^= state_[3];
    state_[2] ^= shifted;
    state_[3] = std::rotl(state_[3], 45);
    return result;
  }
  // A number below n, all equally likely (Lemire 2019).
  std::uint32_t below(std::uint32_t n) {
    std::uint64_t product = (next() >> 32) * n;
    if (static_cast<std::uint32_t>(product) < n) {
      const std::uint32_t rejected = (0 - n) % n;  // 2^32 mod n
      while (static_cast<std::uint32_t>(product) < rejected) product = (next() >> 32) * n;
    }
    return static_cast<std::uint32_t>(product >> 32);
  }

 private:
  std::uint64_t state_[4];
};

// A Leaf has a constructor from rules and state, and play(random): the value of one random game,
// its sign alone.
template <class G, class Leaf>
Tally play_scalar(const typename G::Rules& rules, const LeafRequest<G>& request) {
  if (G::finished(rules, request.state)) {
    return certain_tally(G::value(rules, request.state), request.playouts);
  }
  const Leaf leaf(rules, request.state);
  Tally tally;
  for_each_word(request.first, request.playouts, [&](std::uint32_t word, std::uint32_t lanes) {
    Xoshiro random(request.key, word);
    for (std::uint32_t lane = 0; lane < lanes; ++lane) {
      const int value = leaf.play(random);
      tally.wins += value > 0 ? 1 : 0;
      tally.draws += value == 0 ? 1 : 0;
    }
  });
  tally.losses = request.playouts - tally.wins - tally.draws;
  return tally;
}

}  // namespace playproof
