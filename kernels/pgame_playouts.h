// One P-game playout as one thread of a device plays it: games/PLAYOUTS.md, "P-games".
#pragma once

#include <cstdint>

#include "games/pgame.h"
#include "kernels/random_words.h"

namespace playproof {

// The bits of one lane in random words 0, 1, 2, ... of its word.
class LaneBits {
 public:
  PP_HD LaneBits(const RandomKey& key, std::uint32_t word, std::uint32_t lane)
      : key_(key), word_(word), lane_(lane) {}

  // The word at hand moves down to place 0: registers cannot be indexed.
  PP_HD std::uint32_t next() {
    if (at_ % 4 == 0) {
      ahead_ = random_block(key_, word_, at_ / 4);
    } else {
      ahead_ = {{ahead_.words[1], ahead_.words[2], ahead_.words[3], 0}};
    }
    ++at_;
    return (ahead_.words[0] >> lane_) & 1;
  }

 private:
  RandomKey key_;
  std::uint32_t word_;
  std::uint32_t lane_;
  std::uint32_t at_ = 0;
  PhiloxCounter ahead_ = {};
};

// The end of the playout of lane `lane` of word `word` from `leaf`.
PP_HD inline PGame::State pgame_playout(const PGame::Rules& rules, const PGame::State& leaf,
                                        const RandomKey& key, std::uint32_t word,
                                        std::uint32_t lane) {
  PGame::State s = leaf;
  const std::uint32_t branching = rules.branching;
  if ((branching & (branching - 1)) == 0) {
    LaneBits bits(key, word, lane);
    while (!PGame::finished(rules, s)) {
      std::uint32_t branch = 0;
      for (std::uint32_t size = 1; size < branching; size *= 2) branch = 2 * branch + bits.next();
      PGame::play(rules, s, static_cast<Move>(branch));
    }
  } else {
    for (std::uint32_t at = lane; !PGame::finished(rules, s); at += kLanes) {
      const std::uint64_t random = random_word(key, word, at);
      PGame::play(rules, s, static_cast<Move>((random * branching) >> 32));
    }
  }
  return s;
}

}  // namespace playproof
