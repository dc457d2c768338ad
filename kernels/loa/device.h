// A random game of Lines of Action as a thread of a device plays it: games/PLAYOUTS.md, "Lines of
// Action".
#pragma once

#include <cstdint>

#include "kernels/common/random_words.h"
#include "kernels/loa/rays.h"

namespace playproof::loa_device {

// Halves, again and again: no loop whose length differs from lane to lane.
PP_HD inline unsigned select(std::uint64_t set, unsigned n) {
  const auto count = [](std::uint32_t half) { return static_cast<unsigned>(popcount64(half)); };
  auto half = static_cast<std::uint32_t>(set);
  unsigned at = 0;
  const unsigned low = count(half);
  if (n >= low) {
    n -= low;
    half = static_cast<std::uint32_t>(set >> 32);
    at = 32;
  }
#pragma unroll
  for (unsigned width = 16; width > 0; width /= 2) {
    const unsigned below = count(half & ((1u << width) - 1));
    if (n >= below) {
      n -= below;
      half >>= width;
      at += width;
    }
  }
  return at;
}

#include "kernels/loa/random_game.inc"

// Some bytes of a lane: block 32 j + lane of its word gives sixteen.
class Bytes {
 public:
  static constexpr unsigned kCount = 16;
  PP_HD Bytes(const RandomKey& key, std::uint32_t word, std::uint32_t block)
      : four_(random_block(key, word, block)) {}
  // They move down, since registers cannot be indexed.
  PP_HD unsigned next() {
    const unsigned byte = four_.words[0] & 255;
#pragma unroll
    for (int i = 0; i < 3; ++i) {
      four_.words[i] = four_.words[i] >> 8 | four_.words[i + 1] << 24;
    }
    four_.words[3] >>= 8;
    return byte;
  }

 private:
  PhiloxCounter four_;
};

}  // namespace playproof::loa_device
