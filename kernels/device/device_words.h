// Words of 32 games as one thread of a device holds them, bit l for lane l. What is here is for
// device and host alike: the tests run on the CPU what the device runs.
#pragma once

#include <cstdint>

#include "games/core/game.h"
#include "kernels/common/random_words.h"

namespace playproof {

// Lanes that a thread has played of one word of 32.
struct WordOutcome {
  std::uint32_t won = 0;    // by Black
  std::uint32_t drawn = 0;  // won and drawn have no lane in common
};

// Each is one instruction of a device (LOP3).
PP_HD constexpr std::uint32_t majority(std::uint32_t a, std::uint32_t b, std::uint32_t c) {
  return (a & b) | (c & (a | b));
}
PP_HD constexpr std::uint32_t parity(std::uint32_t a, std::uint32_t b, std::uint32_t c) {
  return a ^ b ^ c;
}

// Adds two planes to one; returns what is carried.
PP_HD inline std::uint32_t add_two(std::uint32_t& plane, std::uint32_t a, std::uint32_t b) {
  const std::uint32_t carry = majority(plane, a, b);
  plane = parity(plane, a, b);
  return carry;
}

// All lanes, or none.
PP_HD constexpr std::uint32_t all_lanes(bool set) { return set ? ~std::uint32_t{0} : 0; }

// What was written to memory is read from there again: else the compiler would keep it in
// registers, of which a thread has 255.
PP_HD inline void read_memory_again() { asm volatile("" ::: "memory"); }

// Nothing that was computed from x before is kept in registers for later.
PP_HD inline void forget_origin(std::uint32_t& x) { asm volatile("" : "+r"(x)); }

// Random words 0, 1, 2, ... of a word or group. The one at hand moves down to place 0: registers
// cannot be indexed.
class RollingWords {
 public:
  PP_HD RollingWords(const RandomKey& key, std::uint32_t word_or_group)
      : key_(key), word_or_group_(word_or_group) {}

  PP_HD std::uint32_t next() {
    if (at_ % 4 == 0) {
      ahead_ = random_block(key_, word_or_group_, at_ / 4);
    } else {
      ahead_ = {{ahead_.words[1], ahead_.words[2], ahead_.words[3], 0}};
    }
    ++at_;
    return ahead_.words[0];
  }

 private:
  RandomKey key_;
  std::uint32_t word_or_group_;
  std::uint32_t at_ = 0;
  PhiloxCounter ahead_ = {};
};

// One thread's words in memory that the kStride threads of a block share: word i of all threads
// lies together, so that threads never wait for each other, whatever words they ask for.
template <int kStride>
class ThreadWords {
 public:
  PP_HD explicit ThreadWords(std::uint32_t* base) : base_(base) {}
  PP_HD std::uint32_t& operator[](std::uint32_t i) const {
    const std::uint32_t at = i * kStride;
    return base_[at];
  }

 private:
  std::uint32_t* base_;
};

}  // namespace playproof
