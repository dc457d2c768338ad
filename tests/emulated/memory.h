// The memory of the emulated device and of its blocks. For each byte it is known which threads have
// written and read it last: g++ instruments device code as for ThreadSanitizer, and the functions
// that it calls then are here (memory.cu). So faults are found that no order of threads would
// show: reads of what nobody wrote, accesses outside of an allocation, two without order of which
// one is a write. Builds with AddressSanitizer have no such calls: there the memory around is
// poisoned, and different nonsense in new memory and different orders show the rest.
#pragma once

#include <cstddef>
#include <cstdint>

namespace emulated {

inline constexpr std::size_t kSharedBytes = 48 << 10;       // of a block, without asking
inline constexpr std::size_t kMostSharedBytes = 163 << 10;  // as sm_80
inline constexpr std::size_t kDeviceBytes = std::size_t{2} << 30;

// Memory of the device, or page-locked memory of the host, which both may use. Null if there is no
// room. What is freed is not given out again.
enum class Kind : std::uint8_t { kDevice, kLocked };
void* allocate(std::size_t bytes, Kind kind);
void release(void* memory, Kind kind);
// A copy or memset reads or writes this: fails if it is not all of one allocation of that kind.
// What is written of the device's memory can be read from then on.
void use(const void* memory, std::size_t bytes, Kind kind, bool writes);

// Nonsense that is drawn.
void fill(void* memory, std::size_t bytes);

enum class Access : std::uint8_t { kRead, kWrite, kAtomic };
// What the current thread does; nothing for memory that is not the device's.
void watch(const void* memory, std::size_t bytes, Access access);

// ---- For block.cu ----
void begin_launch();
void begin_block(std::size_t bytes);  // of memory for it
void* shared_memory();
void set_thread(unsigned thread);
// All threads of the block, or the lanes `mask` of the warp of thread `first`, have met: what they
// did is before what they do.
void order_block();
void order_warp(unsigned first, std::uint32_t mask);

}  // namespace emulated
