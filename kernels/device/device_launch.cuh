// The host's side of a kernel: memory on both sides, streams, launches, and their errors.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>

#include "kernels/device/cuda_result.cuh"
#include "kernels/device/device_batches.h"

namespace playproof {

// Page-locked memory of the host, which the device reads and writes beside the processor, or memory
// of the device. Destructors ignore errors: there is nothing left to do about them.
struct FreeHost {
  void operator()(void* p) const { cudaFreeHost(p); }
};
struct FreeDevice {
  void operator()(void* p) const { cudaFree(p); }
};
template <class T>
using HostArray = std::unique_ptr<T[], FreeHost>;
template <class T>
using DeviceArray = std::unique_ptr<T[], FreeDevice>;

template <class T>
DeviceError allocate(std::size_t count, HostArray<T>* array) {
  void* p = nullptr;
  const DeviceError error = cuda_error(cudaMallocHost(&p, count * sizeof(T)), "cudaMallocHost");
  array->reset(static_cast<T*>(p));
  return error;
}
template <class T>
DeviceError allocate(std::size_t count, DeviceArray<T>* array) {
  void* p = nullptr;
  const DeviceError error = cuda_error(cudaMalloc(&p, count * sizeof(T)), "cudaMalloc");
  array->reset(static_cast<T*>(p));
  return error;
}

// Sums words[0 .. i] in place (CUB). `memory` is what it needs besides, memory_bytes of it; null
// asks how much that is.
DeviceError scan_words(void* memory, std::size_t* memory_bytes, std::uint64_t* words,
                       std::size_t count, cudaStream_t stream);

// Blocks of `threads` threads that `items` need.
inline unsigned blocks_of(std::uint64_t items, std::uint64_t threads) {
  return static_cast<unsigned>((items + threads - 1) / threads);
}

// Lets a kernel have more of an SM's memory than every device has.
template <class Kernel>
DeviceError allow_memory(Kernel* kernel, std::size_t bytes) {
  return cuda_error(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                         static_cast<int>(bytes)),
                    "cudaFuncSetAttribute");
}

// A Slot of DeviceBatches. Launch is a function object that a device's slots share:
//   DeviceError operator()(const DeviceBatch<G>&, const LeafRequest<G>* staged,
//                          const std::uint64_t* staged_words, cudaStream_t);
template <class G, class Launch>
class CudaSlot {
 public:
  CudaSlot(int ordinal, std::uint64_t seed, const Launch& launch)
      : ordinal_(ordinal), seed_(seed), launch_(launch) {}
  CudaSlot(const CudaSlot&) = delete;
  CudaSlot& operator=(const CudaSlot&) = delete;
  ~CudaSlot() {
    if (stream_ == nullptr) return;
    cudaStreamSynchronize(stream_);
    cudaStreamDestroy(stream_);
  }

  DeviceError reserve(std::size_t count) {
    DeviceError error = cuda_error(cudaSetDevice(ordinal_), "cudaSetDevice");
    if (!error && stream_ == nullptr) {
      error = cuda_error(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking),
                         "cudaStreamCreateWithFlags");
    }
    if (error || count <= capacity_) return error;
    // Room to grow, so that batches that become a little larger each time do not allocate each
    // time; without it if memory is short.
    const std::size_t needed = std::max<std::size_t>(count, kLeast);
    const std::size_t roomy = std::max(needed, 2 * capacity_);
    error = allocate_all(roomy);
    return error.out_of_memory && roomy > needed ? allocate_all(needed) : error;
  }
  LeafRequest<G>* requests() { return buffers_.requests.get(); }
  std::uint64_t* words() { return buffers_.words.get(); }
  const WordCounts* counts() const { return buffers_.counts.get(); }

  DeviceError start(std::size_t count, std::uint64_t words) {
    DeviceBatch<G> batch;
    batch.requests = buffers_.device_requests.get();
    batch.ends = buffers_.device_ends.get();
    batch.counts = buffers_.device_counts.get();
    batch.size = static_cast<std::uint32_t>(count);
    batch.words = words;
    batch.seed = seed_;
    DeviceError error = cuda_error(cudaSetDevice(ordinal_), "cudaSetDevice");
    if (!error) error = copy_in(count);
    if (!error) {
      error = scan_words(buffers_.scan.get(), &buffers_.scan_bytes, buffers_.device_ends.get(),
                         count, stream_);
    }
    if (!error) error = launch_(batch, buffers_.requests.get(), buffers_.words.get(), stream_);
    if (error) return error;
    return cuda_error(cudaMemcpyAsync(buffers_.counts.get(), batch.counts,
                                      count * sizeof(WordCounts), cudaMemcpyDeviceToHost, stream_),
                      "cudaMemcpyAsync");
  }
  DeviceError finish() {
    return cuda_error(cudaStreamSynchronize(stream_), "cudaStreamSynchronize");
  }

 private:
  static constexpr std::size_t kLeast = 64;  // requests: small batches do not allocate again

  struct Buffers {
    HostArray<LeafRequest<G>> requests;
    HostArray<std::uint64_t> words;
    HostArray<WordCounts> counts;
    DeviceArray<LeafRequest<G>> device_requests;
    DeviceArray<std::uint64_t> device_ends;
    DeviceArray<WordCounts> device_counts;
    DeviceArray<std::byte> scan;
    std::size_t scan_bytes = 0;
  };

  DeviceError allocate_all(std::size_t count) {
    buffers_ = {};
    capacity_ = 0;
    DeviceError error = allocate(count, &buffers_.requests);
    if (!error) error = allocate(count, &buffers_.words);
    if (!error) error = allocate(count, &buffers_.counts);
    if (!error) error = allocate(count, &buffers_.device_requests);
    if (!error) error = allocate(count, &buffers_.device_ends);
    if (!error) error = allocate(count, &buffers_.device_counts);
    if (!error) error = scan_words(nullptr, &buffers_.scan_bytes, nullptr, count, stream_);
    if (!error) error = allocate(buffers_.scan_bytes, &buffers_.scan);
    if (error) {
      buffers_ = {};
    } else {
      capacity_ = count;
    }
    return error;
  }
  DeviceError copy_in(std::size_t count) {
    DeviceError error =
        cuda_error(cudaMemcpyAsync(buffers_.device_requests.get(), buffers_.requests.get(),
                                   count * sizeof(LeafRequest<G>), cudaMemcpyHostToDevice, stream_),
                   "cudaMemcpyAsync");
    if (!error) {
      error = cuda_error(
          cudaMemcpyAsync(buffers_.device_ends.get(), buffers_.words.get(),
                          count * sizeof(std::uint64_t), cudaMemcpyHostToDevice, stream_),
          "cudaMemcpyAsync");
    }
    if (!error) {
      error = cuda_error(
          cudaMemsetAsync(buffers_.device_counts.get(), 0, count * sizeof(WordCounts), stream_),
          "cudaMemsetAsync");
    }
    return error;
  }

  int ordinal_;
  std::uint64_t seed_;
  Launch launch_;
  cudaStream_t stream_ = nullptr;
  std::size_t capacity_ = 0;  // requests
  Buffers buffers_;
};

// The name of device `ordinal`, which becomes the current one.
DeviceError select_device(int ordinal, std::string* name);

// open_playout_device() for a game with this Launch.
template <class G, class Launch>
void make_batches(int ordinal, const std::string& name, const typename G::Rules& rules,
                  std::uint64_t seed, const Launch& launch,
                  std::unique_ptr<PlayoutDevice<G>>* device) {
  using Slot = CudaSlot<G, Launch>;
  *device = std::make_unique<DeviceBatches<G, Slot>>(rules, name, [ordinal, seed, launch] {
    return std::make_unique<Slot>(ordinal, seed, launch);
  });
}

}  // namespace playproof
