#include "tests/emulated/block.h"

#include <execinfo.h>
#include <sys/mman.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <numeric>
#include <string_view>
#include <vector>

#include "tests/emulated/cuda/cuda_runtime.h"
#include "tests/emulated/memory.h"

#if defined(__SANITIZE_ADDRESS__)
#include <sanitizer/common_interface_defs.h>
#endif

dim3 gridDim;
dim3 blockDim;
dim3 blockIdx;
dim3 threadIdx;

// Keeps what a call keeps on the stack and goes on where another stack was left. (swapcontext()
// asks the system each time, which is fifty times slower.)
extern "C" void emulated_switch(void** left, void* stack);
#if !defined(__x86_64__)
#error "tests/emulated: the change of stacks is written for x86-64"
#endif
asm(R"(
  .text
  .type emulated_switch, @function
emulated_switch:
  pushq %rbp
  pushq %rbx
  pushq %r12
  pushq %r13
  pushq %r14
  pushq %r15
  movq %rsp, (%rdi)
  movq %rsi, %rsp
  popq %r15
  popq %r14
  popq %r13
  popq %r12
  popq %rbx
  popq %rbp
  ret
  .size emulated_switch, .-emulated_switch
)");

namespace emulated {
namespace {

constexpr unsigned kWarpLanes = 32;
constexpr std::size_t kStack = 256 << 10;

struct Fiber {
  void* at = nullptr;  // where it was left
  const void* stack = nullptr;
  std::size_t bytes = 0;
  void* fake = nullptr;  // AddressSanitizer's
};

struct Thread {
  Fiber fiber;
  bool ended = false;
  const Meeting* waits = nullptr;
  std::uint64_t found = 0;  // what meet() returns
};

// What runs: one block at a time, on whichever thread of the host.
struct Running {
  const Launch* launch = nullptr;
  Fiber scheduler;
  std::vector<std::unique_ptr<Thread>> threads;  // kept from block to block
  std::vector<unsigned> ready;
  unsigned current = 0;
  unsigned left = 0;  // that have not ended
};
Running running;
thread_local bool runs_kernel = false;  // this thread of the host

// `last`: this one is left for good.
void go(Fiber& from, const Fiber& to, bool last = false) {
#if defined(__SANITIZE_ADDRESS__)
  __sanitizer_start_switch_fiber(last ? nullptr : &from.fake, to.stack, to.bytes);
#endif
  static_cast<void>(last);
  emulated_switch(&from.at, to.at);
#if defined(__SANITIZE_ADDRESS__)
  __sanitizer_finish_switch_fiber(from.fake, nullptr, nullptr);
#endif
}

void begin_fiber() {
#if defined(__SANITIZE_ADDRESS__)
  __sanitizer_finish_switch_fiber(nullptr, &running.scheduler.stack, &running.scheduler.bytes);
#endif
  running.launch->thread();
  Thread& self = *running.threads[running.current];
  self.ended = true;
  --running.left;
  go(self.fiber, running.scheduler, true);
}

// A stack on which emulated_switch() returns to begin_fiber().
void prepare(Fiber& fiber) {
  if (fiber.stack == nullptr) {
    constexpr std::size_t kGuard = 4096;  // below: a stack that is too small faults
    auto* memory =
        static_cast<std::byte*>(mmap(nullptr, kGuard + kStack, PROT_READ | PROT_WRITE,
                                     MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0));
    mprotect(memory, kGuard, PROT_NONE);
    fiber.stack = memory + kGuard;
    fiber.bytes = kStack;
  }
  void** top = reinterpret_cast<void**>(static_cast<std::byte*>(const_cast<void*>(fiber.stack)) +
                                        fiber.bytes);
  *--top = nullptr;
  *--top = reinterpret_cast<void*>(&begin_fiber);
  constexpr int kRegisters = 6;
  for (int i = 0; i < kRegisters; ++i) *--top = nullptr;
  fiber.at = top;
}

bool same(const Meeting& a, const Meeting& b) {
  const auto equal = [](const char* x, const char* y) { return x == y || !std::strcmp(x, y); };
  return a.kind == b.kind && a.mask == b.mask && a.place.line() == b.place.line() &&
         equal(a.place.file_name(), b.place.file_name()) && equal(a.call, b.call);
}

// Calls f(t) for the threads that meet where `thread` waits; stops and says false if f does.
template <class F>
bool each_named(unsigned thread, const F& f) {
  const Meeting& meeting = *running.threads[thread]->waits;
  const bool block = meeting.kind == Meeting::kBlock;
  const unsigned first = block ? 0 : thread / kWarpLanes * kWarpLanes;
  const unsigned end = block ? running.launch->threads : first + kWarpLanes;
  for (unsigned t = first; t < end; ++t) {
    if ((block || (meeting.mask >> (t - first) & 1) != 0) && !f(t)) return false;
  }
  return true;
}
bool waits_with(unsigned thread, const Meeting& meeting) {
  const Meeting* other = running.threads[thread]->waits;
  return other != nullptr && same(*other, meeting);
}

std::string text(const Meeting& meeting) {
  return std::string(meeting.call) + " at " + meeting.place.file_name() + ":" +
         std::to_string(meeting.place.line());
}

// Nobody can go on.
[[noreturn]] void deadlock() {
  unsigned thread = 0;
  while (running.threads[thread]->waits == nullptr) ++thread;
  running.current = thread;
  const Meeting& meeting = *running.threads[thread]->waits;
  std::string what = "waits for ever in " + text(meeting);
  each_named(thread, [&](unsigned t) {
    if (waits_with(t, meeting)) return true;
    const Thread& other = *running.threads[t];
    what += " for thread " + std::to_string(t);
    what += other.ended ? ", which has ended" : ", which is in " + text(*other.waits);
    return false;
  });
  fault(what);
}

void check(const Meeting& meeting) {
  if (meeting.kind == Meeting::kBlock) return;
  const unsigned lane = running.current % kWarpLanes;
  const unsigned first = running.current - lane;
  if ((meeting.mask >> lane & 1) == 0) fault("is not in the mask of its own " + text(meeting));
  if (running.launch->threads - first < kWarpLanes &&
      meeting.mask >> (running.launch->threads - first) != 0) {
    fault("names lanes that the block does not have in " + text(meeting));
  }
  if (meeting.kind == Meeting::kShuffle && (meeting.mask >> meeting.source & 1) == 0) {
    fault("asks lane " + std::to_string(meeting.source) + ", which is not in the mask, in " +
          text(meeting));
  }
}

// All are there: each gets its answer and can go on.
void part(const Meeting& meeting) {
  const std::size_t before = running.ready.size();
  const unsigned first = running.current / kWarpLanes * kWarpLanes;  // of the warp
  std::uint64_t votes = 0;
  each_named(running.current, [&](unsigned t) {
    const Meeting& own = *running.threads[t]->waits;
    if (own.value != 0) votes |= std::uint64_t{1} << t % kWarpLanes;
    if (meeting.kind == Meeting::kShuffle) {
      running.threads[t]->found = running.threads[first + own.source]->waits->value;
    }
    running.ready.push_back(t);
    return true;
  });
  for (std::size_t i = before; i < running.ready.size(); ++i) {
    Thread& thread = *running.threads[running.ready[i]];
    if (meeting.kind == Meeting::kVote) thread.found = votes;
    thread.waits = nullptr;
  }
  // Votes and shuffles put nothing in order that is in memory.
  if (meeting.kind == Meeting::kBlock) order_block();
  if (meeting.kind == Meeting::kWarp) order_warp(first, meeting.mask);
}

void run_block(unsigned number) {
  const Launch& launch = *running.launch;
  blockIdx = dim3(number);
  begin_block(launch.bytes);
  while (running.threads.size() < launch.threads) {
    running.threads.push_back(std::make_unique<Thread>());
  }
  running.left = launch.threads;
  running.ready.resize(launch.threads);
  std::iota(running.ready.begin(), running.ready.end(), 0u);
  for (const unsigned t : running.ready) {
    Thread& thread = *running.threads[t];
    thread.ended = false;
    prepare(thread.fiber);
  }
  while (running.left > 0) {
    if (running.ready.empty()) deadlock();
    std::swap(running.ready[random()() % running.ready.size()], running.ready.back());
    running.current = running.ready.back();
    running.ready.pop_back();
    threadIdx = dim3(running.current);
    set_thread(running.current);
    go(running.scheduler, running.threads[running.current]->fiber);
  }
}

// Of __PRETTY_FUNCTION__ of cudaLaunchKernelEx(): what the kernel is given.
std::string parameters(std::string_view name) {
  constexpr std::string_view kBegin = "Parameters = {";
  const std::size_t begin = name.find(kBegin);
  if (begin == std::string_view::npos) return std::string(name);
  name.remove_prefix(begin + kBegin.size());
  return std::string(name.substr(0, name.find("};")));
}

}  // namespace

std::mt19937_64& random() {
  static std::mt19937_64 numbers = [] {
    const char* seed = std::getenv("PLAYPROOF_EMULATED_SEED");
    return std::mt19937_64(seed == nullptr ? 1 : std::strtoull(seed, nullptr, 10));
  }();
  return numbers;
}
void set_seed(std::uint64_t seed) { random().seed(seed); }

void fault(const std::string& what) {
  std::string where;
  if (in_kernel()) {
    where = "block " + std::to_string(blockIdx.x) + ", thread " + std::to_string(running.current) +
            " of a kernel of (" + parameters(running.launch->name) + "): ";
  }
  std::fprintf(stderr, "emulated device: %s%s\n", where.c_str(), what.c_str());
  void* frames[16];  // for addr2line
  backtrace_symbols_fd(frames, backtrace(frames, 16), 2);
  std::abort();
}

bool in_kernel() { return runs_kernel; }

std::uint64_t meet(const Meeting& meeting) {
  Thread& self = *running.threads[running.current];
  check(meeting);
  self.waits = &meeting;
  const auto is_there = [&](unsigned t) { return waits_with(t, meeting); };
  if (each_named(running.current, is_there)) part(meeting);
  go(self.fiber, running.scheduler);
  return self.found;
}

void run(const Launch& launch) {
  running.launch = &launch;
  runs_kernel = true;
  gridDim = dim3(launch.blocks);
  blockDim = dim3(launch.threads);
  begin_launch();
  std::vector<unsigned> order(launch.blocks);
  std::iota(order.begin(), order.end(), 0u);
  std::shuffle(order.begin(), order.end(), random());
  for (const unsigned block : order) run_block(block);
  runs_kernel = false;
}

}  // namespace emulated
