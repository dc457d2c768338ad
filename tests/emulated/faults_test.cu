// Kernels with a fault each: the emulated device finds every one. A build with AddressSanitizer
// does not know who wrote what (memory.h): where that is needed, results that differ from order to
// order show the fault.
#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <string>
#include <vector>

#include "kernels/device/collectives.cuh"
#include "kernels/device/device_launch.cuh"

namespace playproof {
namespace {

#if defined(__SANITIZE_ADDRESS__)
constexpr bool kWatched = false;
#else
constexpr bool kWatched = true;
#endif

using Word = std::uint32_t;
using Kernel = void (*)(Word*);

constexpr unsigned kThreads = 64;
constexpr unsigned kBlocks = 2;
constexpr unsigned kShared = 64;  // words
constexpr unsigned kAll = ~0u;
constexpr std::uint64_t kSeeds = 20;

// What two blocks write into as many words as they have threads together, which are 0 before.
std::vector<Word> results(Kernel kernel, std::uint64_t seed) {
  constexpr std::size_t kCount = std::size_t{kBlocks} * kThreads;
  emulated::set_seed(seed);
  DeviceArray<Word> device;
  HostArray<Word> host;
  EXPECT_FALSE(allocate(kCount, &device));
  EXPECT_FALSE(allocate(kCount, &host));
  EXPECT_EQ(cudaMemsetAsync(device.get(), 0, kCount * sizeof(Word), nullptr), cudaSuccess);
  EXPECT_FALSE(launch_kernel("kernel", kernel, kBlocks, kThreads, kShared * sizeof(Word), nullptr,
                             device.get()));
  EXPECT_EQ(cudaMemcpyAsync(host.get(), device.get(), kCount * sizeof(Word), cudaMemcpyDeviceToHost,
                            nullptr),
            cudaSuccess);
  EXPECT_EQ(cudaStreamSynchronize(nullptr), cudaSuccess);
  return {host.get(), host.get() + kCount};
}

void expect_same(Kernel kernel) {
  const std::vector<Word> first = results(kernel, 1);
  for (std::uint64_t seed = 2; seed <= kSeeds; ++seed) EXPECT_EQ(results(kernel, seed), first);
}
void expect_death(Kernel kernel, const std::string& said) {
  EXPECT_DEATH(results(kernel, 1), said);
}
// A fault that no single order shows for certain.
void expect_disorder(Kernel kernel, const std::string& said) {
  if (kWatched) {
    for (std::uint64_t seed = 1; seed <= 3; ++seed) EXPECT_DEATH(results(kernel, seed), said);
    return;
  }
  std::set<std::vector<Word>> seen;
  for (std::uint64_t seed = 1; seed <= kSeeds; ++seed) seen.insert(results(kernel, seed));
  EXPECT_GT(seen.size(), 1u);
}

__device__ Word& own(Word* out) { return out[blockIdx.x * kThreads + threadIdx.x]; }

// ---- Order of memory ----

constexpr const char* kDisorder = "without order|nobody has written";

enum class Missing { kNothing, kFirst, kSecond };

// Two rounds: thread 0 writes what its warp reads.
template <Missing kMissing>
__global__ void lead_warp(Word* out) {
  const unsigned warp = threadIdx.x / 32;
  Word* shared = block_memory() + warp;
  Word sum = 0;
  for (Word round = 1; round <= 2; ++round) {
    if (threadIdx.x % 32 == 0) *shared = round;
    if (kMissing != Missing::kFirst) __syncwarp();
    sum = 10 * sum + *shared;
    if (kMissing != Missing::kSecond) __syncwarp();
  }
  own(out) = sum;
}
TEST(EmulatedFaults, MissingSyncwarp) {
  expect_same(lead_warp<Missing::kNothing>);
  expect_disorder(lead_warp<Missing::kFirst>, kDisorder);
  expect_disorder(lead_warp<Missing::kSecond>, kDisorder);
}

template <bool kBarrier>
__global__ void lead_block(Word* out) {
  Word* shared = block_memory();
  shared[threadIdx.x] = threadIdx.x;
  kBarrier ? __syncthreads() : __syncwarp();
  own(out) = shared[kThreads - 1 - threadIdx.x];
}
TEST(EmulatedFaults, MissingSyncthreads) {
  expect_same(lead_block<true>);
  expect_disorder(lead_block<false>, kDisorder);
}

// A vote makes threads wait, but puts nothing in order that is in memory.
__global__ void vote_instead(Word* out) {
  Word* shared = block_memory();
  shared[threadIdx.x] = threadIdx.x;
  __ballot_sync(kAll, true);
  own(out) = shared[threadIdx.x ^ 1];
}
TEST(EmulatedFaults, VotesOrderNoMemory) {
  if (!kWatched) GTEST_SKIP() << "no order of threads shows this";
  expect_disorder(vote_instead, kDisorder);
}

template <bool kAtomic>
__global__ void count(Word* out) {
  if (kAtomic) {
    atomicAdd(out, 1);
  } else if (threadIdx.x == 0) {
    out[1] = 2 * out[1] + blockIdx.x;
  }
}
TEST(EmulatedFaults, BlocksThatShareMemory) {
  expect_same(count<true>);
  EXPECT_EQ(results(count<true>, 1)[0], kBlocks * kThreads);
  expect_disorder(count<false>, "another block has");
}

// Neighbours in one word of memory are none of each other's business.
template <int kNext>
__global__ void halves(Word* out) {
  auto* shared = reinterpret_cast<std::uint16_t*>(block_memory());
  shared[threadIdx.x] = static_cast<std::uint16_t>(threadIdx.x);
  __ballot_sync(kAll, true);
  own(out) = shared[threadIdx.x ^ kNext];
}
TEST(EmulatedFaults, HalfWords) {
  expect_same(halves<0>);
  if (kWatched) expect_disorder(halves<1>, kDisorder);
}

// The host's memory, too: blocks count in it, without a copy.
TEST(EmulatedFaults, BlocksThatShareTheHostsMemory) {
  HostArray<Word> host;
  ASSERT_FALSE(allocate(2, &host));
  std::fill_n(host.get(), 2, 0);
  const auto counted = [&](Kernel kernel) {
    EXPECT_FALSE(launch_kernel("count", kernel, kBlocks, kThreads, 0, nullptr, host.get()));
    EXPECT_EQ(cudaStreamSynchronize(nullptr), cudaSuccess);
    return host[0];
  };
  EXPECT_EQ(counted(count<true>), kBlocks * kThreads);
  if (!kWatched) return;
  EXPECT_DEATH(counted(count<false>), "another block has");
}

// ---- Bounds, and what nobody has written ----

__global__ void read_unwritten(Word* out) { own(out) = block_memory()[threadIdx.x]; }
__global__ void read_declared(Word* out) {
  __shared__ Word shared[2];
  if (threadIdx.x == 0) shared[0] = 5;
  __syncthreads();
  own(out) = shared[threadIdx.x / kThreads];
}
__global__ void read_declared_unwritten(Word* out) {
  __shared__ Word shared[2];
  if (threadIdx.x == 0) shared[0] = 5;
  __syncthreads();
  own(out) = shared[threadIdx.x % 2];
}
TEST(EmulatedFaults, ReadBeforeWritten) {
  expect_disorder(read_unwritten, "nobody has written");
  expect_same(read_declared);
  expect_disorder(read_declared_unwritten, "nobody has written");
}

constexpr const char* kOutside = "outside of any allocation|AddressSanitizer";

template <int kOffset>
__global__ void touch_shared(Word* out) {
  block_memory()[static_cast<int>(threadIdx.x) + kOffset] = 1;
  own(out) = 1;
}
template <int kOffset>
__global__ void touch_device(Word* out) {
  out[static_cast<int>(blockIdx.x * kThreads + threadIdx.x) + kOffset] = 1;
}
TEST(EmulatedFaults, Bounds) {
  expect_same(touch_shared<0>);
  expect_death(touch_shared<1>, kOutside);
  expect_death(touch_shared<-1>, kOutside);
  expect_same(touch_device<0>);
  expect_death(touch_device<1>, kOutside);
  expect_death(touch_device<-1>, kOutside);
}

__global__ void write_there(Word* there) { *there = 1; }
TEST(EmulatedFaults, MemoryThatIsFreed) {
  DeviceArray<Word> memory;
  ASSERT_FALSE(allocate(1, &memory));
  Word* freed = memory.get();
  memory.reset();
  EXPECT_DEATH(
      {
        static_cast<void>(launch_kernel("kernel", write_there, 1, 1, 0, nullptr, freed));
        cudaDeviceSynchronize();
      },
      kOutside);
}

TEST(EmulatedFaults, HostTouchesTheDevice) {
  if (!kWatched) GTEST_SKIP() << "the host's accesses are not seen";
  DeviceArray<Word> memory;
  ASSERT_FALSE(allocate(1, &memory));
  EXPECT_DEATH(memory[0] = 1, "the host touches");
}

// ---- Threads that do not meet ----

__global__ void shuffle_outside(Word* out) {
  if (threadIdx.x % 32 < 16) own(out) = __shfl_sync(0xffffu, threadIdx.x, 16);
}
__global__ void vote_outside(Word* out) { own(out) = __ballot_sync(0xffffu, true); }
__global__ void shuffle_absent(Word* out) {
  if (threadIdx.x != 40) own(out) = __shfl_up_sync(kAll, threadIdx.x, 1);
}
TEST(EmulatedFaults, LanesThatAreNotThere) {
  expect_death(shuffle_outside,
               "asks lane 16, which is not in the mask, in __shfl_sync at .*test.cu");
  expect_death(vote_outside, "is not in the mask of its own __ballot_sync");
  expect_death(shuffle_absent, "__shfl_up_sync at .* for thread 40, which has ended");
}

__global__ void skip_barrier(Word* out) {
  if (threadIdx.x != 7) __syncthreads();
  own(out) = 1;
}
__global__ void skip_syncwarp(Word* out) {
  if (threadIdx.x % 32 < 31) __syncwarp();
  own(out) = __shfl_sync(kAll, threadIdx.x, 0);
}
__global__ void two_barriers(Word* out) {
  if (threadIdx.x < 32) {
    __syncthreads();
    own(out) = 1;
  } else {
    __syncthreads();
    own(out) = 2;
  }
}
__global__ void half_warps(Word* out) {
  const unsigned half = threadIdx.x % 32 < 16 ? 0xffffu : 0xffff0000u;
  const unsigned lanes = __ballot_sync(half, true);
  own(out) = lanes + __shfl_xor_sync(half, threadIdx.x, 3);
}
TEST(EmulatedFaults, BarriersThatSomeSkip) {
  expect_death(skip_barrier, "__syncthreads at .* for thread 7, which has ended");
  expect_death(skip_syncwarp, "waits for ever in __(syncwarp|shfl_sync) at .*, which is in");
  expect_death(two_barriers, "waits for ever in __syncthreads at .*, which is in __syncthreads");
  expect_same(half_warps);
}

__global__ void trap(Word*) { __trap(); }
__global__ void vote(Word* out) { out[threadIdx.x] = __ballot_sync(kAll, true); }
TEST(EmulatedFaults, TrapsAndHalfAWarp) {
  expect_death(trap, "block [01], thread [0-9]+ of a kernel of \\(unsigned int\\*\\): __trap");
  DeviceArray<Word> out;
  ASSERT_FALSE(allocate(16, &out));
  EXPECT_DEATH(
      {
        static_cast<void>(launch_kernel("vote", vote, 1, 16, 0, nullptr, out.get()));
        cudaDeviceSynchronize();
      },
      "lanes that the block does not have");
}

// ---- Launches ----

__global__ void nothing(Word*) {}
__global__ void nothing_much(Word*) {}
int launched(Kernel kernel, unsigned blocks, unsigned threads, std::size_t bytes) {
  const int code = launch_kernel("kernel", kernel, blocks, threads, bytes, nullptr, nullptr).code;
  cudaDeviceSynchronize();
  return code;
}
cudaError_t allow(std::size_t bytes) {
  return cudaFuncSetAttribute(nothing, cudaFuncAttributeMaxDynamicSharedMemorySize,
                              static_cast<int>(bytes));
}
TEST(EmulatedFaults, Launches) {
  constexpr std::size_t kFree = 48 << 10;
  EXPECT_EQ(launched(nothing, 1, 1, kFree), cudaSuccess);
  EXPECT_EQ(launched(nothing, 1, 1, kFree + 1), cudaErrorInvalidValue);
  EXPECT_EQ(allow(kFree + 8), cudaSuccess);
  EXPECT_EQ(launched(nothing, 1, 1, kFree + 8), cudaSuccess);
  EXPECT_EQ(launched(nothing, 1, 1, kFree + 9), cudaErrorInvalidValue);
  EXPECT_EQ(launched(nothing_much, 1, 1, kFree + 8), cudaErrorInvalidValue);
  int most = 0;
  ASSERT_EQ(cudaDeviceGetAttribute(&most, cudaDevAttrMaxSharedMemoryPerBlockOptin, 0), cudaSuccess);
  EXPECT_EQ(allow(static_cast<std::size_t>(most)), cudaSuccess);
  EXPECT_EQ(allow(static_cast<std::size_t>(most) + 1), cudaErrorInvalidValue);
  EXPECT_EQ(launched(nothing, 0, 1, 0), cudaErrorInvalidConfiguration);
  EXPECT_EQ(launched(nothing, 1, 1025, 0), cudaErrorInvalidConfiguration);
}

// ---- Streams ----

struct TwoStreams {
  TwoStreams() {
    for (cudaStream_t& stream : streams) {
      EXPECT_EQ(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking), cudaSuccess);
    }
    EXPECT_EQ(cudaEventCreateWithFlags(&event, cudaEventDisableTiming), cudaSuccess);
    EXPECT_FALSE(allocate(1, &device));
    EXPECT_FALSE(allocate(1, &host));
  }
  ~TwoStreams() {
    cudaEventDestroy(event);
    for (cudaStream_t stream : streams) cudaStreamDestroy(stream);
  }
  TwoStreams(const TwoStreams&) = delete;
  TwoStreams& operator=(const TwoStreams&) = delete;

  void copy_in(int stream) const {
    EXPECT_EQ(cudaMemcpyAsync(device.get(), host.get(), sizeof(Word), cudaMemcpyHostToDevice,
                              streams[stream]),
              cudaSuccess);
  }
  void copy_out(int stream) const {
    EXPECT_EQ(cudaMemcpyAsync(host.get(), device.get(), sizeof(Word), cudaMemcpyDeviceToHost,
                              streams[stream]),
              cudaSuccess);
  }

  cudaStream_t streams[2] = {};
  cudaEvent_t event = nullptr;
  DeviceArray<Word> device;
  HostArray<Word> host;
};

// What comes out of `steps` in all orders that are tried.
template <class Steps>
std::set<Word> outcomes(const Steps& steps) {
  std::set<Word> seen;
  for (std::uint64_t seed = 1; seed <= kSeeds; ++seed) {
    emulated::set_seed(seed);
    const TwoStreams at;
    seen.insert(steps(at));
  }
  return seen;
}

__global__ void twice(Word* word) { *word *= 2; }

TEST(EmulatedStreams, HostThatDoesNotWait) {
  EXPECT_EQ(outcomes([](const TwoStreams& at) {  // changes what is not copied yet
              at.host[0] = 3;
              at.copy_in(0);
              at.host[0] = 4;
              at.copy_out(0);
              cudaStreamSynchronize(at.streams[0]);
              return at.host[0];
            }),
            (std::set<Word>{3, 4}));
  EXPECT_GT(outcomes([](const TwoStreams& at) {  // reads what has not come yet
              at.host[0] = 3;
              at.copy_in(0);
              cudaStreamSynchronize(at.streams[0]);
              at.host[0] = 5;
              at.copy_out(0);
              const Word seen = at.host[0];
              cudaStreamSynchronize(at.streams[0]);
              return seen;
            })
                .size(),
            1u);
}

TEST(EmulatedStreams, OrderIsWhatEventsMake) {
  const auto steps = [](const TwoStreams& at, bool waits) {
    at.host[0] = 3;
    at.copy_in(0);
    cudaStreamSynchronize(at.streams[0]);
    EXPECT_FALSE(launch_kernel("twice", twice, 1, 1, 0, at.streams[0], at.device.get()));
    EXPECT_EQ(cudaEventRecord(at.event, at.streams[0]), cudaSuccess);
    if (waits) cudaStreamWaitEvent(at.streams[1], at.event);
    at.copy_out(1);
    EXPECT_EQ(cudaStreamSynchronize(at.streams[1]), cudaSuccess);
    return at.host[0];
  };
  EXPECT_EQ(outcomes([&](const TwoStreams& at) { return steps(at, true); }), std::set<Word>{6});
  EXPECT_EQ(outcomes([&](const TwoStreams& at) { return steps(at, false); }),
            (std::set<Word>{3, 6}));
}

TEST(EmulatedStreams, CopiesAreOfTheRightMemory) {
  const TwoStreams at;
  Word pageable = 1;
  EXPECT_DEATH(cudaMemcpyAsync(at.device.get(), &pageable, sizeof(Word), cudaMemcpyHostToDevice,
                               at.streams[0]),
               "not page-locked");
  EXPECT_DEATH(cudaMemcpy(at.device.get(), &pageable, 2 * sizeof(Word), cudaMemcpyHostToDevice),
               "not inside of one allocation");
  EXPECT_DEATH(cudaMemcpy(at.host.get(), at.host.get(), sizeof(Word), cudaMemcpyHostToDevice),
               "not inside of one allocation");
}

}  // namespace
}  // namespace playproof
