// The little of CUDA that kernels/ use, on a CPU: in the preset cuda-emulated g++ builds the same
// .cu files with this header in place of CUDA's, and the kernels themselves run in tests. Each
// thread of a block is a fiber (block.h); what is given to a stream runs late, in an order that is
// drawn (streams.cu); memory knows who has written it (memory.h). A fault ends the program with a
// message.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <functional>
#include <source_location>
#include <tuple>
#include <type_traits>
#include <utility>

#include "tests/emulated/block.h"
#include "tests/emulated/memory.h"

// ---- What the compiler knows ----

#define __host__
#define __device__
#define __global__
#define __forceinline__ inline __attribute__((always_inline))
#define __grid_constant__
#define __launch_bounds__(...)
// Of all kernels in one place, where a block finds it filled with nonsense. `extern __shared__` has
// no counterpart: block_memory().
#define __shared__ [[gnu::section("emulated_shared")]] static

struct dim3 {
  unsigned x = 1;
  unsigned y = 1;
  unsigned z = 1;
  constexpr dim3() = default;
  constexpr explicit dim3(unsigned size) : x(size) {}
};
extern dim3 gridDim;
extern dim3 blockDim;
extern dim3 blockIdx;
extern dim3 threadIdx;

// ---- Device code ----

using EmulatedPlace = std::source_location;

inline int __popc(unsigned x) { return std::popcount(x); }
inline int __clz(int x) { return std::countl_zero(static_cast<unsigned>(x)); }
inline int __ffs(int x) { return x == 0 ? 0 : std::countr_zero(static_cast<unsigned>(x)) + 1; }
[[noreturn]] inline void __trap() { emulated::fault("__trap()"); }

inline void __syncthreads(EmulatedPlace place = EmulatedPlace::current()) {
  emulated::meet({emulated::Meeting::kBlock, "__syncthreads", 0, 0, 0, place});
}
inline void __syncwarp(unsigned mask = ~0u, EmulatedPlace place = EmulatedPlace::current()) {
  emulated::meet({emulated::Meeting::kWarp, "__syncwarp", mask, 0, 0, place});
}
inline unsigned __ballot_sync(unsigned mask, bool set,
                              EmulatedPlace place = EmulatedPlace::current()) {
  return static_cast<unsigned>(
      emulated::meet({emulated::Meeting::kVote, "__ballot_sync", mask, set, 0, place}));
}
inline bool __any_sync(unsigned mask, bool set, EmulatedPlace place = EmulatedPlace::current()) {
  return emulated::meet({emulated::Meeting::kVote, "__any_sync", mask, set, 0, place}) != 0;
}
inline bool __all_sync(unsigned mask, bool set, EmulatedPlace place = EmulatedPlace::current()) {
  return emulated::meet({emulated::Meeting::kVote, "__all_sync", mask, set, 0, place}) == mask;
}

// The value of lane `source`; beyond the ends of the warp, the thread's own.
template <class T>
T emulated_shuffle(const char* call, unsigned mask, T value, unsigned source, EmulatedPlace place) {
  static_assert(std::is_trivially_copyable_v<T> && sizeof(T) <= sizeof(std::uint64_t));
  std::uint64_t bits = 0;
  std::memcpy(&bits, &value, sizeof value);
  if (source >= 32) source = threadIdx.x % 32;
  bits = emulated::meet({emulated::Meeting::kShuffle, call, mask, bits, source, place});
  std::memcpy(&value, &bits, sizeof value);
  return value;
}
template <class T>
T __shfl_sync(unsigned mask, T value, unsigned source,
              EmulatedPlace place = EmulatedPlace::current()) {
  return emulated_shuffle("__shfl_sync", mask, value, source % 32, place);
}
template <class T>
T __shfl_up_sync(unsigned mask, T value, unsigned by,
                 EmulatedPlace place = EmulatedPlace::current()) {
  return emulated_shuffle("__shfl_up_sync", mask, value, threadIdx.x % 32 - by, place);
}
template <class T>
T __shfl_down_sync(unsigned mask, T value, unsigned by,
                   EmulatedPlace place = EmulatedPlace::current()) {
  return emulated_shuffle("__shfl_down_sync", mask, value, threadIdx.x % 32 + by, place);
}
template <class T>
T __shfl_xor_sync(unsigned mask, T value, unsigned with,
                  EmulatedPlace place = EmulatedPlace::current()) {
  return emulated_shuffle("__shfl_xor_sync", mask, value, threadIdx.x % 32 ^ with, place);
}

template <class T>
[[gnu::no_sanitize_thread, gnu::noinline]] T atomicAdd(T* to, std::type_identity_t<T> value) {
  emulated::watch(to, sizeof *to, emulated::Access::kAtomic);
  const T before = *to;
  *to += value;
  return before;
}

template <class T>
[[gnu::no_sanitize_thread, gnu::noinline]] T atomicOr(T* in, std::type_identity_t<T> bits) {
  emulated::watch(in, sizeof *in, emulated::Access::kAtomic);
  const T before = *in;
  *in |= bits;
  return before;
}

template <class T>
[[gnu::no_sanitize_thread, gnu::noinline]] T atomicExch(T* to, std::type_identity_t<T> value) {
  emulated::watch(to, sizeof *to, emulated::Access::kAtomic);
  const T before = *to;
  *to = value;
  return before;
}
inline void __threadfence() {}  // what threads do is in order

// ---- The host's side ----

enum cudaError_t {
  cudaSuccess = 0,
  cudaErrorInvalidValue = 1,
  cudaErrorMemoryAllocation = 2,
  cudaErrorInvalidConfiguration = 9,
  cudaErrorStubLibrary = 34,
  cudaErrorInsufficientDriver = 35,
  cudaErrorNoDevice = 100,
  cudaErrorInvalidDevice = 101,
  cudaErrorNotReady = 600
};
enum cudaMemcpyKind { cudaMemcpyHostToDevice = 1, cudaMemcpyDeviceToHost = 2 };
enum cudaFuncAttribute { cudaFuncAttributeMaxDynamicSharedMemorySize = 8 };
enum cudaDeviceAttr {
  cudaDevAttrClockRate = 13,
  cudaDevAttrMultiProcessorCount = 16,
  cudaDevAttrMaxSharedMemoryPerBlockOptin = 97
};
inline constexpr unsigned cudaStreamNonBlocking = 1;
inline constexpr unsigned cudaEventDefault = 0;
inline constexpr unsigned cudaEventDisableTiming = 2;
inline constexpr unsigned cudaHostAllocDefault = 0;
inline constexpr unsigned cudaHostAllocMapped = 2;

using cudaStream_t = struct EmulatedStream*;
using cudaEvent_t = struct EmulatedEvent*;

struct cudaDeviceProp {
  char name[256];
  int major;
  int minor;
  int multiProcessorCount;
  int warpSize;
  int maxThreadsPerBlock;
  std::size_t sharedMemPerBlock;
  std::size_t sharedMemPerBlockOptin;
  std::size_t totalGlobalMem;
};
struct cudaFuncAttributes {
  std::size_t sharedSizeBytes;
};
struct cudaLaunchConfig_t {
  dim3 gridDim;
  dim3 blockDim;
  std::size_t dynamicSmemBytes;
  cudaStream_t stream;
};

cudaError_t cudaGetLastError();
const char* cudaGetErrorString(cudaError_t error);
cudaError_t cudaGetDeviceCount(int* count);
cudaError_t cudaGetDeviceProperties(cudaDeviceProp* properties, int ordinal);
cudaError_t cudaDeviceGetAttribute(int* value, cudaDeviceAttr attribute, int ordinal);
cudaError_t cudaSetDevice(int ordinal);

cudaError_t cudaMalloc(void** memory, std::size_t bytes);
cudaError_t cudaFree(void* memory);
cudaError_t cudaMallocHost(void** memory, std::size_t bytes);
cudaError_t cudaHostAlloc(void** memory, std::size_t bytes, unsigned flags);
cudaError_t cudaHostGetDevicePointer(void** device, void* host, unsigned flags);
cudaError_t cudaFreeHost(void* memory);
cudaError_t cudaMemcpy(void* to, const void* from, std::size_t bytes, cudaMemcpyKind kind);
cudaError_t cudaMemcpyAsync(void* to, const void* from, std::size_t bytes, cudaMemcpyKind kind,
                            cudaStream_t stream);
cudaError_t cudaMemsetAsync(void* to, int byte, std::size_t bytes, cudaStream_t stream);

cudaError_t cudaStreamCreateWithFlags(cudaStream_t* stream, unsigned flags);
cudaError_t cudaStreamDestroy(cudaStream_t stream);
cudaError_t cudaStreamSynchronize(cudaStream_t stream);
cudaError_t cudaStreamQuery(cudaStream_t stream);
cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event, unsigned flags = 0);
cudaError_t cudaDeviceSynchronize();
cudaError_t cudaEventCreate(cudaEvent_t* event);
cudaError_t cudaEventCreateWithFlags(cudaEvent_t* event, unsigned flags);
cudaError_t cudaEventDestroy(cudaEvent_t event);
cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream);
cudaError_t cudaEventSynchronize(cudaEvent_t event);
cudaError_t cudaEventQuery(cudaEvent_t event);
// A microsecond for each copy, kernel or event that ran: nothing here takes a device's time.
cudaError_t cudaEventElapsedTime(float* milliseconds, cudaEvent_t begin, cudaEvent_t end);

namespace emulated {
// Calls of these functions so far, but for those that ask what devices there are.
std::uint64_t host_calls();
cudaError_t allow_shared(const void* kernel, int bytes);
// `name` ends up in messages.
cudaError_t launch(const cudaLaunchConfig_t& config, const void* kernel, const char* name,
                   std::function<void()> thread);
}  // namespace emulated

template <class Kernel>
cudaError_t cudaFuncSetAttribute(Kernel* kernel, cudaFuncAttribute, int value) {
  return emulated::allow_shared(reinterpret_cast<const void*>(kernel), value);
}

// How much a kernel declares itself is not known.
template <class Kernel>
cudaError_t cudaFuncGetAttributes(cudaFuncAttributes* attributes, Kernel*) {
  *attributes = {};
  return cudaSuccess;
}

// The arguments are copied at once, and again for each thread, as a device has them.
template <class... Parameters, class... Arguments>
cudaError_t cudaLaunchKernelEx(const cudaLaunchConfig_t* config, void (*kernel)(Parameters...),
                               Arguments&&... arguments) {
  static_assert((0 + ... + sizeof(Parameters)) <= 32764, "parameters of a kernel, with CUDA");
  std::tuple<Parameters...> copies(std::forward<Arguments>(arguments)...);
  return emulated::launch(*config, reinterpret_cast<const void*>(kernel), __PRETTY_FUNCTION__,
                          [kernel, copies] { std::apply(kernel, copies); });
}
