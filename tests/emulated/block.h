// The threads of a block on a CPU: fibers, each of which runs until it has to wait for others.
// Which goes on then is drawn, so another seed is another order.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <random>
#include <source_location>
#include <string>

namespace emulated {

// What comes is drawn from `seed`; before the first call, from PLAYPROOF_EMULATED_SEED, or 1.
void set_seed(std::uint64_t seed);
std::mt19937_64& random();

// Says what is wrong, and in which kernel, block and thread; does not return.
[[noreturn]] void fault(const std::string& what);

// Threads of a block, or lanes of a warp, that wait for each other, and what each brings along.
struct Meeting {
  enum Kind : std::uint8_t { kBlock, kWarp, kShuffle, kVote };
  Kind kind = kBlock;
  const char* call = "";  // "__shfl_sync"
  std::uint32_t mask = 0;
  std::uint64_t value = 0;
  unsigned source = 0;  // of a shuffle: the lane whose value is asked for
  std::source_location place;
};
// Waits for all who are named; the value of the lane asked for, or the lanes whose value is not 0.
std::uint64_t meet(const Meeting& meeting);

// One launch: all blocks one after the other, in an order that is drawn.
struct Launch {
  const char* name = "";
  std::function<void()> thread;  // what each thread runs
  unsigned blocks = 0;
  unsigned threads = 0;  // of a block
  std::size_t bytes = 0;
};
void run(const Launch& launch);

// Whether what asks is a kernel, not the host.
bool in_kernel();

}  // namespace emulated
