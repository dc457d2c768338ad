// Which random word means what, for every game: games/PLAYOUTS.md, "Random words". Playout i is
// lane i mod 32 of word i div 32; the random words of a word (or of a group of words) are the
// outputs of Philox in counter order.
#pragma once

#include <cstdint>

#include "kernels/common/philox.h"

namespace playproof {

inline constexpr std::uint32_t kLanes = 32;  // playouts a word

// Words that share one order of cells, chosen by measurement: games/PLAYOUTS.md, "Groups".
inline constexpr std::uint32_t kHexGroupWords = 4;
inline constexpr std::uint32_t kConnectGroupWords = 16;

// Counter word 2 of what group g shares is kGroupFlag | g; of what belongs to word w alone it is w,
// which stays below 2^27.
inline constexpr std::uint32_t kGroupFlag = 0x80000000u;

// The lanes 0 .. lanes - 1 (1 .. 32 of them) as bits.
PP_HD constexpr std::uint32_t lane_mask(std::uint32_t lanes) {
  return ~std::uint32_t{0} >> (kLanes - lanes);
}

// Calls f(word, lanes) for each word of playouts first .. first + playouts - 1: lanes 0 .. lanes -
// 1 of it are played.
template <class F>
void for_each_word(std::uint32_t first, std::uint32_t playouts, const F& f) {
  for (std::uint32_t left = playouts, word = first / kLanes; left > 0; ++word) {
    const std::uint32_t lanes = left < kLanes ? left : kLanes;
    f(word, lanes);
    left -= lanes;
  }
}

// A number below `choices` (at least 1) from as many random words as it takes, random.next() each:
// Lemire's method (2019), exact.
template <class Random>
PP_HD std::uint32_t draw_below(Random& random, std::uint32_t choices) {
  std::uint64_t product = std::uint64_t{random.next()} * choices;
  if (static_cast<std::uint32_t>(product) < choices) {
    const std::uint32_t rejected = (0 - choices) % choices;  // 2^32 mod choices
    while (static_cast<std::uint32_t>(product) < rejected) {
      product = std::uint64_t{random.next()} * choices;
    }
  }
  return static_cast<std::uint32_t>(product >> 32);
}

struct RandomKey {
  std::uint64_t seed = 0;
  std::uint64_t stream = 0;
};

// Random words 4 * block .. 4 * block + 3 of a word or group.
PP_HD inline PhiloxCounter random_block(const RandomKey& key, std::uint32_t word_or_group,
                                        std::uint32_t block) {
  return philox4x32_10(
      {{static_cast<std::uint32_t>(key.stream), static_cast<std::uint32_t>(key.stream >> 32),
        word_or_group, block}},
      {{static_cast<std::uint32_t>(key.seed), static_cast<std::uint32_t>(key.seed >> 32)}});
}

// Random word number `index` of a word or group.
PP_HD inline std::uint32_t random_word(const RandomKey& key, std::uint32_t word_or_group,
                                       std::uint32_t index) {
  return random_block(key, word_or_group, index / 4).words[index % 4];
}

// Writes random words 4 * block .. 4 * (block + blocks) - 1 of a word or group.
PP_HD inline void random_blocks(const RandomKey& key, std::uint32_t word_or_group,
                                std::uint32_t block, std::uint32_t blocks, std::uint32_t* out) {
  for (std::uint32_t b = 0; b < blocks; ++b) {
    const PhiloxCounter four = random_block(key, word_or_group, block + b);
    for (std::uint32_t i = 0; i < 4; ++i) out[4 * b + i] = four.words[i];
  }
}

// Writes random words 0 .. count - 1, rounded up to whole blocks: out has room for count + 3.
PP_HD inline void random_words(const RandomKey& key, std::uint32_t word_or_group,
                               std::uint32_t count, std::uint32_t* out) {
  random_blocks(key, word_or_group, 0, (count + 3) / 4, out);
}

// Reads random words 0, 1, 2, ... of a word or group one after the other.
class RandomWords {
 public:
  PP_HD RandomWords(const RandomKey& key, std::uint32_t word_or_group)
      : key_(key), word_or_group_(word_or_group) {}

  PP_HD std::uint32_t next() {
    if (at_ == 4 * kBlocks) refill();
    return ahead_[at_++];
  }

 private:
  static constexpr std::uint32_t kBlocks = 4;  // made at a time: the compiler makes vectors of them

  PP_HD void refill() {
    random_blocks(key_, word_or_group_, block_, kBlocks, ahead_);
    block_ += kBlocks;
    at_ = 0;
  }

  RandomKey key_;
  std::uint32_t word_or_group_;
  std::uint32_t block_ = 0;
  std::uint32_t at_ = 4 * kBlocks;
  std::uint32_t ahead_[4 * kBlocks];
};

}  // namespace playproof
