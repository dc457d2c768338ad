#include "tests/emulated/memory.h"

#include <sys/mman.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "tests/emulated/block.h"

#if defined(__SANITIZE_ADDRESS__)
#include <sanitizer/asan_interface.h>
#else
#define ASAN_POISON_MEMORY_REGION(memory, bytes) static_cast<void>(memory)
#define ASAN_UNPOISON_MEMORY_REGION(memory, bytes) static_cast<void>(memory)
#endif

// What kernels declare as __shared__.
extern "C" {
__attribute__((weak)) extern std::byte __start_emulated_shared[];
__attribute__((weak)) extern std::byte __stop_emulated_shared[];
}

namespace emulated {
namespace {

// What a thread did to a word. Blocks are numbered through all launches, from 2.
struct Moment {
  std::uint32_t block = 0;
  std::uint32_t clock = 0;  // of the block: meetings so far that put memory in order
  std::uint16_t thread = 0;
  std::uint8_t bytes = 0;  // of the word, one bit each
  bool atomic = false;
};
constexpr std::size_t kWord = 4;
constexpr std::uint8_t kWholeWord = 15;
struct Cell {  // a word
  Moment written;
  Moment read[2];           // by the last thread, and by another before it
  std::uint32_t since = 0;  // the block from which on
  std::uint8_t there = 0;   // these bytes can be read
};
struct FreeCells {
  void operator()(Cell* cells) const { std::free(cells); }
};
struct Allocation {
  std::uintptr_t begin = 0;
  std::size_t bytes = 0;
  Kind kind = Kind::kDevice;
  std::unique_ptr<Cell[], FreeCells> cells;
};

// Addresses; memory only where it is used. One half is the device's, the other page-locked.
constexpr std::size_t kWindow = std::size_t{1} << 36;
constexpr std::size_t kHalf = kWindow / 2;
constexpr std::size_t kGap = 256;  // at least, between allocations
constexpr std::size_t kThreads = 1024;
constexpr std::size_t kLanes = 32;

std::uintptr_t number(const void* memory) { return reinterpret_cast<std::uintptr_t>(memory); }

std::unique_ptr<Cell[], FreeCells> make_cells(std::size_t bytes) {  // touched where they are used
  return std::unique_ptr<Cell[], FreeCells>(
      static_cast<Cell*>(std::calloc((bytes + kWord - 1) / kWord, sizeof(Cell))));
}

struct Memory {
  Memory()
      : window(number(mmap(nullptr, kWindow, PROT_READ | PROT_WRITE,
                           MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0))),
        bytes(kWindow),
        next{window + 2 * kMostSharedBytes, window + kHalf} {
    shared = {window + kGap, 0, Kind::kDevice, make_cells(kMostSharedBytes)};
    const std::size_t size = __stop_emulated_shared - __start_emulated_shared;
    declared = {number(__start_emulated_shared), size, Kind::kDevice, make_cells(size)};
  }

  std::uintptr_t window;
  std::size_t bytes;       // none before this is made
  std::uintptr_t next[2];  // what is not given out yet, of each kind
  std::size_t used = 0;
  Allocation shared;    // of the block, as the launch says
  Allocation declared;  // of the block, __shared__
  std::map<std::uintptr_t, Allocation> allocations;
  Allocation* last = nullptr;

  Moment now = {1, 0, 0, 0, false};
  std::uint32_t first_block = 1;  // of the launch
  std::uint32_t block_order = 0;  // what is before this clock is before all that comes
  // The same for what a lane did, as a thread of its warp sees it.
  std::array<std::array<std::uint32_t, kLanes>, kThreads> order = {};
};
Memory memory;

bool inside(const Allocation& allocation, std::uintptr_t address) {
  return address - allocation.begin < allocation.bytes;
}

// The allocation that has this byte, or null; not of a block.
Allocation* find(std::uintptr_t address) {
  if (memory.last != nullptr && inside(*memory.last, address)) return memory.last;
  const auto after = memory.allocations.upper_bound(address);
  if (after == memory.allocations.begin()) return nullptr;
  Allocation& allocation = std::prev(after)->second;
  if (!inside(allocation, address)) return nullptr;
  return memory.last = &allocation;
}

// Whether what happened then is before what the current thread does.
bool in_order(const Moment& then) {
  const Moment& now = memory.now;
  if (then.thread == now.thread || then.clock < memory.block_order) return true;
  return then.thread / kLanes == now.thread / kLanes &&
         then.clock < memory.order[now.thread][then.thread % kLanes];
}

std::string who(const Moment& moment) {
  if (moment.block == memory.now.block) return "thread " + std::to_string(moment.thread);
  return "another block";
}

// The same thread's own, at the same time, grows; another is kept behind it.
void note(Moment& last, Moment moment, Moment* before) {
  const bool own = last.thread == moment.thread && last.block == moment.block;
  if (own && last.clock == moment.clock && last.atomic == moment.atomic) moment.bytes |= last.bytes;
  if (!own && before != nullptr) *before = last;
  last = moment;
}

// `oldest`: the first block whose writes are there to be read, 0 if all is; `rival`: the first that
// could come in between.
void check(Cell& cell, std::uint8_t bytes, Access access, std::uint32_t oldest,
           std::uint32_t rival) {
  const bool atomic = access == Access::kAtomic;
  const auto collides = [&](const Moment& then) {
    if (then.block < rival || (then.bytes & bytes) == 0 || (then.atomic && atomic)) return false;
    return then.block != memory.now.block || !in_order(then);
  };
  if (cell.since < oldest) cell.there = 0;
  if (access != Access::kWrite && oldest != 0 && (bytes & ~cell.there) != 0) {
    fault("reads memory that nobody has written");
  }
  if (collides(cell.written)) {
    fault((access == Access::kRead ? "reads what " : "writes what ") + who(cell.written) +
          " has written, without order");
  }
  for (const Moment& read : cell.read) {
    if (access != Access::kRead && collides(read)) {
      fault("writes what " + who(read) + " has read, without order");
    }
  }
  Moment moment = memory.now;
  moment.bytes = bytes;
  moment.atomic = atomic;
  if (access != Access::kWrite) note(cell.read[0], moment, &cell.read[1]);
  if (access == Access::kRead) return;
  note(cell.written, moment, nullptr);
  cell.since = oldest;
  cell.there |= bytes;
}

}  // namespace

// ---- The device's ----

void* allocate(std::size_t bytes, Kind kind) {
  const bool device = kind == Kind::kDevice;
  const std::size_t room = (bytes + kGap - 1) / kGap * kGap + kGap;
  std::uintptr_t& next = memory.next[device ? 0 : 1];
  const std::uintptr_t end = memory.window + (device ? kHalf : kWindow);
  if (room > end - next || (device && bytes > kDeviceBytes - memory.used)) return nullptr;
  Allocation allocation = {next, bytes, kind, make_cells(bytes)};
  if (allocation.cells == nullptr) return nullptr;
  auto* begin = reinterpret_cast<std::byte*>(next);
  fill(begin, bytes);
  ASAN_POISON_MEMORY_REGION(begin + bytes, room - bytes);
  if (device) memory.used += bytes;
  next += room;
  memory.allocations[allocation.begin] = std::move(allocation);
  return begin;
}

void release(void* begin, Kind kind) {
  const auto found = memory.allocations.find(number(begin));
  if (found == memory.allocations.end() || found->second.kind != kind) {
    fault("frees what is not allocated");
  }
  const std::size_t bytes = found->second.bytes;
  if (kind == Kind::kDevice) memory.used -= bytes;
  memory.last = nullptr;
  memory.allocations.erase(found);
  constexpr std::uintptr_t kPage = 4096;
  const std::uintptr_t first = (number(begin) + kPage - 1) / kPage * kPage;
  const std::uintptr_t end = (number(begin) + bytes) / kPage * kPage;
  if (first < end) madvise(reinterpret_cast<void*>(first), end - first, MADV_DONTNEED);
  ASAN_POISON_MEMORY_REGION(begin, bytes);
}

void use(const void* begin, std::size_t bytes, Kind kind, bool writes) {
  if (bytes == 0) return;
  Allocation* allocation = find(number(begin));
  if (allocation == nullptr || allocation->kind != kind ||
      bytes > allocation->begin + allocation->bytes - number(begin)) {
    fault(kind == Kind::kDevice
              ? "a copy or memset that is not inside of one allocation of the device"
              : "an asynchronous copy from or to memory that is not page-locked");
  }
  if (!writes) return;
  const std::size_t at = number(begin) - allocation->begin;
  for (std::size_t i = at; i < at + bytes; ++i) {
    Cell& cell = allocation->cells[i / kWord];
    cell.written = {};
    cell.since = 1;
    cell.there |= static_cast<std::uint8_t>(1u << i % kWord);
  }
}

void fill(void* begin, std::size_t bytes) {
  auto* bytes_left = static_cast<std::byte*>(begin);
  for (; bytes > 0; bytes_left += sizeof(std::uint64_t)) {
    const std::uint64_t nonsense = random()();
    const std::size_t size = std::min(bytes, sizeof nonsense);
    std::copy_n(reinterpret_cast<const std::byte*>(&nonsense), size, bytes_left);
    bytes -= size;
  }
}

// ---- A block's ----

void begin_launch() { memory.first_block = memory.now.block + 1; }

void begin_block(std::size_t bytes) {
  ++memory.now.block;
  memory.now.clock = 1;
  memory.block_order = 0;
  memory.order = {};
  memory.shared.bytes = bytes;
  auto* begin = reinterpret_cast<std::byte*>(memory.shared.begin);
  ASAN_UNPOISON_MEMORY_REGION(begin, kMostSharedBytes);
  fill(begin, bytes);
  ASAN_POISON_MEMORY_REGION(begin - kGap, kGap);
  ASAN_POISON_MEMORY_REGION(begin + bytes, kMostSharedBytes + kGap - bytes);
  fill(reinterpret_cast<void*>(memory.declared.begin), memory.declared.bytes);
}

void* shared_memory() { return reinterpret_cast<void*>(memory.shared.begin); }
void set_thread(unsigned thread) { memory.now.thread = static_cast<std::uint16_t>(thread); }
void order_block() { memory.block_order = ++memory.now.clock; }

void order_warp(unsigned first, std::uint32_t mask) {
  const std::uint32_t clock = ++memory.now.clock;
  std::array<std::uint32_t, kLanes> all = {};
  for (unsigned lane = 0; lane < kLanes; ++lane) {
    if ((mask >> lane & 1) == 0) continue;
    const auto& one = memory.order[first + lane];
    for (unsigned i = 0; i < kLanes; ++i) all[i] = std::max(all[i], one[i]);
  }
  for (unsigned lane = 0; lane < kLanes; ++lane) {
    if ((mask >> lane & 1) != 0) all[lane] = clock;
  }
  for (unsigned lane = 0; lane < kLanes; ++lane) {
    if ((mask >> lane & 1) != 0) memory.order[first + lane] = all;
  }
}

void watch(const void* begin, std::size_t bytes, Access access) {
  const std::uintptr_t address = number(begin);
  const bool declared = inside(memory.declared, address);
  if (address - memory.window >= memory.bytes && !declared) return;
  if (!in_kernel()) {
    if (!declared && address < memory.window + kHalf)
      fault("the host touches memory of the device");
    return;
  }
  const bool shared = inside(memory.shared, address);
  Allocation* allocation = declared ? &memory.declared : shared ? &memory.shared : find(address);
  if (allocation == nullptr || bytes > allocation->begin + allocation->bytes - address) {
    fault("touches memory outside of any allocation");
  }
#if defined(__SANITIZE_ADDRESS__)
  if (shared) return;  // only atomic accesses are told: who wrote what they find is not known
#endif
  // What the host has written of its memory is not known.
  const bool of_block = shared || declared;
  const std::uint32_t oldest = of_block                            ? memory.now.block
                               : allocation->kind == Kind::kDevice ? 1
                                                                   : 0;
  const std::uint32_t rival = of_block ? memory.now.block : memory.first_block;
  std::size_t at = address - allocation->begin;
  for (std::size_t left = bytes; left > 0;) {
    const std::size_t size = std::min(left, kWord - at % kWord);
    const auto mask = static_cast<std::uint8_t>((kWholeWord >> (kWord - size)) << at % kWord);
    check(allocation->cells[at / kWord], mask, access, oldest, rival);
    at += size;
    left -= size;
  }
}

}  // namespace emulated

// ---- What g++ calls with -fsanitize=thread ----

#define EMULATED_ACCESS(name, bytes, access)                    \
  extern "C" void __tsan_##name##bytes(const void* begin) {     \
    emulated::watch(begin, bytes, emulated::Access::k##access); \
  }
#define EMULATED_ACCESSES(bytes)               \
  EMULATED_ACCESS(read, bytes, Read)           \
  EMULATED_ACCESS(write, bytes, Write)         \
  EMULATED_ACCESS(unaligned_read, bytes, Read) \
  EMULATED_ACCESS(unaligned_write, bytes, Write)
EMULATED_ACCESSES(1)
EMULATED_ACCESSES(2)
EMULATED_ACCESSES(4)
EMULATED_ACCESSES(8)
EMULATED_ACCESSES(16)

extern "C" {
void __tsan_read_range(const void* begin, std::size_t bytes) {
  emulated::watch(begin, bytes, emulated::Access::kRead);
}
void __tsan_write_range(const void* begin, std::size_t bytes) {
  emulated::watch(begin, bytes, emulated::Access::kWrite);
}
void __tsan_init() {}
void __tsan_func_entry(void*) {}
void __tsan_func_exit() {}
void __tsan_vptr_update(void**, void*) {}
void __tsan_vptr_read(void**) {}
// The host's: counts of owners, variables that are made once.
int __tsan_atomic32_fetch_add(int* to, int value, int) {
  return __atomic_fetch_add(to, value, __ATOMIC_SEQ_CST);
}
int __tsan_atomic32_fetch_sub(int* from, int value, int) {
  return __atomic_fetch_sub(from, value, __ATOMIC_SEQ_CST);
}
char __tsan_atomic8_load(const char* from, int) { return __atomic_load_n(from, __ATOMIC_SEQ_CST); }
void __tsan_atomic8_store(char* to, char value, int) {
  __atomic_store_n(to, value, __ATOMIC_SEQ_CST);
}
long __tsan_atomic64_load(const long* from, int) { return __atomic_load_n(from, __ATOMIC_SEQ_CST); }
void __tsan_atomic64_store(long* to, long value, int) {
  __atomic_store_n(to, value, __ATOMIC_SEQ_CST);
}
}
