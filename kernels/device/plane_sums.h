// Sums of planes: how many of them each lane is in, as a number of a bit a plane.
#pragma once

#include <cstdint>

#include "kernels/device/device_words.h"

namespace playproof {

// Adds planes of weight 2^kBit to a number, which has room for the sum. Two at a time, and what
// they carry again two at a time, so that few carries run through the bits above.
template <int kBit = 0, int kBits, int kPlanes>
PP_HD inline void add_planes(std::uint32_t (&number)[kBits],
                             const std::uint32_t (&plane)[kPlanes]) {
  if constexpr (kPlanes % 2 == 1) {
    std::uint32_t carry = plane[kPlanes - 1];
#pragma unroll
    for (int i = kBit; i < kBits; ++i) {
      const std::uint32_t next = number[i] & carry;
      number[i] ^= carry;
      carry = next;
    }
  }
  if constexpr (kPlanes > 1 && kBit < kBits) {
    std::uint32_t carried[kPlanes / 2];
#pragma unroll
    for (int i = 0; i < kPlanes / 2; ++i) {
      carried[i] = add_two(number[kBit], plane[2 * i], plane[2 * i + 1]);
    }
    add_planes<kBit + 1>(number, carried);
  }
}

}  // namespace playproof
