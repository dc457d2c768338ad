// One P-game playout as one thread of a device plays it: games/PLAYOUTS.md, "P-games".
#pragma once

#include <cstdint>

#include "games/pgame/rules.h"
#include "kernels/common/random_words.h"
#include "kernels/device/device_words.h"

namespace playproof {

// The random bits and numbers of one lane of a word, by itself. (The lanes of a warp share the work
// of making them: pgame_playouts.cu.)
class LaneRandom {
 public:
  PP_HD LaneRandom(const RandomKey& key, std::uint32_t word, std::uint32_t lane)
      : key_(key), word_(word), lane_(lane), planes_(key, word) {}

  // The lane's bit of random words 0, 1, 2, ... of the word.
  PP_HD std::uint32_t next_bit() { return (planes_.next() >> lane_) & 1; }
  // Random words lane, 32 + lane, 64 + lane, ... of the word.
  PP_HD std::uint32_t next_number() { return random_word(key_, word_, kLanes * ply_++ + lane_); }

 private:
  RandomKey key_;
  std::uint32_t word_;
  std::uint32_t lane_;
  std::uint32_t ply_ = 0;
  RollingWords planes_;
};

// The end of a playout from `leaf`; `random` as LaneRandom.
template <class Random>
PP_HD inline PGame::State pgame_play(const PGame::Rules& rules, const PGame::State& leaf,
                                     Random random) {
  PGame::State s = leaf;
  const std::uint32_t branching = rules.branching;
  if ((branching & (branching - 1)) == 0) {
    while (!PGame::finished(rules, s)) {
      std::uint32_t branch = 0;
      for (std::uint32_t size = 1; size < branching; size *= 2)
        branch = 2 * branch + random.next_bit();
      PGame::play(rules, s, static_cast<Move>(branch));
    }
  } else {
    while (!PGame::finished(rules, s)) {
      const std::uint64_t number = random.next_number();
      PGame::play(rules, s, static_cast<Move>((number * branching) >> 32));
    }
  }
  return s;
}

}  // namespace playproof
