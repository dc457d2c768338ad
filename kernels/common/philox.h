// Philox4x32-10, a counter-based generator: four random words are a pure function of a counter and
// a key, so any word of any playout can be had at any time, in any order, on any device (Salmon,
// Moraes, Dror, Shaw: "Parallel random numbers: as easy as 1, 2, 3", SC 2011). The known answers of
// the authors' Random123 library are in tests/kernels/philox_test.cpp.
#pragma once

#include <cstdint>

#include "games/core/game.h"

namespace playproof {

struct PhiloxCounter {
  std::uint32_t words[4];
};

struct PhiloxKey {
  std::uint32_t words[2];
};

inline constexpr int kPhiloxRounds = 10;
inline constexpr std::uint64_t kPhiloxEven = 0xD2511F53u;  // multipliers of words 0 and 2
inline constexpr std::uint64_t kPhiloxOdd = 0xCD9E8D57u;
inline constexpr std::uint32_t kPhiloxStep0 = 0x9E3779B9u;  // what a round adds to the key
inline constexpr std::uint32_t kPhiloxStep1 = 0xBB67AE85u;

// The whole product. Left to itself a device's compiler multiplies 64 bits by 64 and adds what it
// does not know to be zero.
PP_HD inline std::uint64_t multiply_wide(std::uint32_t a, std::uint32_t b) {
#if defined(__CUDA_ARCH__)
  std::uint64_t product;
  asm("mul.wide.u32 %0, %1, %2;" : "=l"(product) : "r"(a), "r"(b));
  return product;
#else
  return std::uint64_t{a} * b;
#endif
}

PP_HD inline PhiloxCounter philox_round(const PhiloxCounter& c, const PhiloxKey& k) {
  const std::uint64_t even = multiply_wide(c.words[0], static_cast<std::uint32_t>(kPhiloxEven));
  const std::uint64_t odd = multiply_wide(c.words[2], static_cast<std::uint32_t>(kPhiloxOdd));
  return {{static_cast<std::uint32_t>(odd >> 32) ^ c.words[1] ^ k.words[0],
           static_cast<std::uint32_t>(odd),
           static_cast<std::uint32_t>(even >> 32) ^ c.words[3] ^ k.words[1],
           static_cast<std::uint32_t>(even)}};
}

PP_HD inline PhiloxCounter philox4x32_10(PhiloxCounter counter, PhiloxKey key) {
  for (int round = 0; round < kPhiloxRounds; ++round) {
    counter = philox_round(counter, key);
    key.words[0] += kPhiloxStep0;
    key.words[1] += kPhiloxStep1;
  }
  return counter;
}

}  // namespace playproof
