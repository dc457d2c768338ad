// One P-game playout as one thread of a device plays it: games/PLAYOUTS.md, "P-games".
#pragma once

#include <cstdint>

#include "games/pgame/rules.h"
#include "kernels/common/random_words.h"
#include "kernels/device/device_words.h"

namespace playproof {

// ---- Random bits ----

// Random word number `index` of a word. (Registers cannot be indexed.)
PP_HD inline std::uint32_t pgame_random_word(const RandomKey& key, std::uint32_t word,
                                             std::uint32_t index) {
  const PhiloxCounter four = random_block(key, word, index / 4);
  const std::uint32_t low = (index & 1) == 0 ? four.words[0] : four.words[1];
  const std::uint32_t high = (index & 1) == 0 ? four.words[2] : four.words[3];
  return (index & 2) == 0 ? low : high;
}

// Which word a lane has to bring along for its bits of random words first .. first + 31.
PP_HD constexpr std::uint32_t pgame_index(std::uint32_t first, std::uint32_t lane) {
  return first + kLanes - 1 - lane;
}

// One of the five steps, 16, 8, 4, 2 and 1, in which 32 lanes transpose 32 words, one of each:
// afterwards bit b of lane l is what bit l of lane b was. `other` is the word of lane l ^ step.
PP_HD inline std::uint32_t transpose_step(std::uint32_t word, std::uint32_t other,
                                          std::uint32_t lane, std::uint32_t step) {
  // The bits whose numbers have `step` in them.
  const std::uint32_t upper = ~std::uint32_t{0} / ((1u << step) + 1) << step;
  const bool down = (lane & step) != 0;
  const std::uint32_t mine = down ? upper : ~upper;
  const std::uint32_t left = down ? kLanes - step : step;
  const std::uint32_t turned = other << left | other >> (kLanes - left);
  return (word & mine) | (turned & ~mine);
}

// The random bits and numbers of one lane of a word, by itself. (The lanes of a warp share the work
// of making them: pgame/playouts.cu.)
class LaneRandom {
 public:
  PP_HD LaneRandom(const RandomKey& key, std::uint32_t word, std::uint32_t lane)
      : key_(key), word_(word), lane_(lane) {}

  // The lane's bits of random words first .. first + 31 of the word, the first one on top.
  PP_HD std::uint32_t bits_from(std::uint32_t first) const {
    std::uint32_t bits = 0;
    for (std::uint32_t i = first; i < first + kLanes; ++i) {
      bits = bits << 1 | (random_word(key_, word_, i) >> lane_ & 1);
    }
    return bits;
  }
  // Random word 32 ply + lane of the word, for plies 0, 1, 2, ... one after the other.
  PP_HD std::uint32_t number_of(std::uint32_t ply) const {
    return random_word(key_, word_, kLanes * ply + lane_);
  }

 private:
  RandomKey key_;
  std::uint32_t word_;
  std::uint32_t lane_;
};

// ---- The game ----

// The way to a position: the sum is as the side sees it that has moved last, so that a ply takes
// one subtraction whoever moves.
struct PGamePath {
  std::uint64_t hash;
  std::int32_t ahead;

  // PGame::play() of the branch on top of bits * branching; what is below it remains of the bits.
  PP_HD std::uint32_t go(std::uint32_t bits, std::uint32_t branching) {
    const std::uint64_t product = multiply_wide(bits, branching);
    // One golden gamma is the game's, another one mix64()'s: added together, not one by one.
    std::uint32_t gammas = static_cast<std::uint32_t>(product >> 32) + 2;
    forget_origin(gammas);
    hash = finish_mix64(hash + gammas * kGoldenGamma);
    ahead = PGame::edge(hash) - ahead;
    return static_cast<std::uint32_t>(product);
  }
};

// Plies with B a power of two, whose branches are the topmost bits.
template <int kPlies>
PP_HD inline void pgame_plies(PGamePath& path, std::uint32_t branching, std::uint32_t& bits) {
#pragma unroll
  for (int i = 0; i < kPlies; ++i) bits = path.go(bits, branching);
}

// How many plies 32 bits are enough for: 32 / log2 B, a byte each for B = 2, 4, ... 64.
inline constexpr std::uint64_t kPGamePlies = 0x0506080a1020;

// The end of a playout from `leaf`; `random` as LaneRandom.
template <class Random>
PP_HD inline PGame::State pgame_play(const PGame::Rules& rules, const PGame::State& leaf,
                                     Random random) {
  if (PGame::finished(rules, leaf)) return leaf;
  const bool first = PGame::to_move(rules, leaf) == Player::kFirst;
  PGamePath path = {leaf.hash, first ? -leaf.sum : leaf.sum};
  const std::uint32_t branching = rules.branching;
  const std::uint32_t plies = rules.depth - leaf.ply;
  if ((branching & (branching - 1)) == 0) {
    const auto bits = static_cast<std::uint32_t>(lowest_bit64(branching));
    const std::uint32_t most = (kPGamePlies >> (8 * bits - 8)) & 0xff;
    std::uint32_t left = plies;
    for (std::uint32_t word = 0; left > 0; word += most * bits) {
      std::uint32_t r = random.bits_from(word);
      std::uint32_t n = left < most ? left : most;
      left -= n;
#pragma unroll 1
      for (; n >= 4; n -= 4) pgame_plies<4>(path, branching, r);
#pragma unroll 1
      for (; n > 0; --n) pgame_plies<1>(path, branching, r);
    }
  } else {
    for (std::uint32_t ply = 0; ply < plies; ++ply) {
      path.go(random.number_of(ply), branching);
    }
  }
  const bool last = ((leaf.ply + plies) & 1) == 0;  // the first player would move next
  return {path.hash, last ? -path.ahead : path.ahead, leaf.ply + plies};
}

}  // namespace playproof
