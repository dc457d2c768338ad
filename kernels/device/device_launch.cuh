// The host's side of a kernel: memory on both sides, streams, launches, and their errors.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <type_traits>
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

// Blocks of `threads` threads that `items` need.
inline unsigned blocks_of(std::uint64_t items, std::uint64_t threads) {
  return static_cast<unsigned>((items + threads - 1) / threads);
}

// Lets the blocks of a kernel have all the memory that the device's SMs have for one. The limit is
// of all that use the kernel on this device, and every caller sets the same, so none can lower what
// another one counts on. Once, when a device is opened.
template <class Kernel>
DeviceError allow_memory(int ordinal, Kernel* kernel) {
  int most = 0;
  DeviceError error =
      cuda_error(cudaDeviceGetAttribute(&most, cudaDevAttrMaxSharedMemoryPerBlockOptin, ordinal),
                 "cudaDeviceGetAttribute");
  cudaFuncAttributes attributes = {};
  if (!error) {
    error = cuda_error(cudaFuncGetAttributes(&attributes, kernel), "cudaFuncGetAttributes");
  }
  if (error) return error;
  return cuda_error(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                         most - static_cast<int>(attributes.sharedSizeBytes)),
                    "cudaFuncSetAttribute");
}

// Does kernel<<<blocks, threads, bytes, stream>>>(arguments...) in C++; `call` is a literal.
template <class... Parameters>
DeviceError launch_kernel(const char* call, void (*kernel)(Parameters...), unsigned blocks,
                          unsigned threads, std::size_t bytes, cudaStream_t stream,
                          const std::type_identity_t<Parameters>&... arguments) {
  cudaLaunchConfig_t config = {};
  config.gridDim = dim3(blocks);
  config.blockDim = dim3(threads);
  config.dynamicSmemBytes = bytes;
  config.stream = stream;
  return cuda_error(cudaLaunchKernelEx(&config, kernel, arguments...), call);
}

// Puts two parts into the device's memory at `to`, which is aligned to 16 bytes: together at most
// kParameterBytes. They are parameters of a launch, so the host may write there again at once.
DeviceError send_parameters(std::span<const std::byte> first, std::span<const std::byte> second,
                            void* to, cudaStream_t stream);

// An event of a stream, for its time.
class TimedEvent {
 public:
  TimedEvent() = default;
  TimedEvent(const TimedEvent&) = delete;
  TimedEvent& operator=(const TimedEvent&) = delete;
  ~TimedEvent() {
    if (event_ != nullptr) cudaEventDestroy(event_);
  }
  DeviceError record(cudaStream_t stream) {
    if (event_ == nullptr) {
      const DeviceError error = cuda_error(cudaEventCreate(&event_), "cudaEventCreate");
      if (error) return error;
    }
    return cuda_error(cudaEventRecord(event_, stream), "cudaEventRecord");
  }
  // Seconds from an event to this one; both are over.
  DeviceError since(const TimedEvent& before, double* seconds) const {
    float milliseconds = 0;
    const DeviceError error = cuda_error(cudaEventElapsedTime(&milliseconds, before.event_, event_),
                                         "cudaEventElapsedTime");
    *seconds = 1e-3 * static_cast<double>(milliseconds);
    return error;
  }
  void swap(TimedEvent& other) { std::swap(event_, other.event_); }

 private:
  cudaEvent_t event_ = nullptr;
};

// A device's clock, which its slots share. Times of events are single precision: the clock's zero
// moves on, so that they stay short.
class DeviceTimer {
 public:
  // The time of a batch whose events are over; they may be recorded again, and nothing else.
  DeviceError time_of(TimedEvent& begin, TimedEvent& end, BatchTime* time) {
    if (!started_) {
      started_ = true;
      zero_.swap(begin);
      return end.since(zero_, &time->end);
    }
    DeviceError error = begin.since(zero_, &time->begin);
    if (!error) error = end.since(zero_, &time->end);
    const double after_zero = time->end;
    time->begin += zero_seconds_;
    time->end += zero_seconds_;
    if (!error && after_zero > kMostSeconds) {
      zero_.swap(end);
      zero_seconds_ = time->end;
    }
    return error;
  }

 private:
  static constexpr double kMostSeconds = 1;  // 24 bits of them are 0.06 microseconds

  bool started_ = false;
  TimedEvent zero_;
  double zero_seconds_ = 0;
};

// A Slot of DeviceBatches. Launch is a function object that a device's slots share:
//   DeviceError operator()(const DeviceBatch<G>&, const LeafRequest<G>* staged,
//                          const std::uint64_t* staged_ends, cudaStream_t);
template <class G, class Launch>
class CudaSlot {
 public:
  CudaSlot(int ordinal, const Launch& launch, std::shared_ptr<DeviceTimer> timer)
      : ordinal_(ordinal), launch_(launch), timer_(std::move(timer)) {}
  CudaSlot(const CudaSlot&) = delete;
  CudaSlot& operator=(const CudaSlot&) = delete;
  ~CudaSlot() {
    if (stream_ == nullptr) return;
    cudaStreamSynchronize(stream_);
    cudaStreamDestroy(stream_);
  }

  DeviceError reserve(std::size_t count) {
    DeviceError error = make_current(ordinal_);
    if (!error && stream_ == nullptr) {
      error = cuda_error(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking),
                         "cudaStreamCreateWithFlags");
    }
    if (!error && parameters_ == nullptr) error = allocate(kParameterBytes, &parameters_);
    if (!error) error = zero_small_counts();
    if (error || count <= capacity_) return error;
    // There is room to grow, so that batches that become a little larger each time do not allocate
    // each time; none if memory is short.
    const std::size_t needed = std::max<std::size_t>(count, kLeast);
    const std::size_t roomy = std::max(needed, 2 * capacity_);
    error = allocate_all(roomy);
    return error.out_of_memory && roomy > needed ? allocate_all(needed) : error;
  }
  LeafRequest<G>* requests() { return buffers_.requests.get(); }
  std::uint64_t* ends() { return buffers_.ends.get(); }
  const CountsOf<G>* counts() const { return buffers_.counts.get(); }

  DeviceError start(std::size_t count, std::uint64_t words, std::optional<BatchWay> told) {
    const BatchWay way = way_of<G>(count, words, told);
    DeviceBatch<G> batch;
    batch.size = static_cast<std::uint32_t>(count);
    batch.words = words;
    DeviceError error = make_current(ordinal_);
    if (!error) error = begin_.record(stream_);
    if (!error) error = way == BatchWay::kCopied ? start_large(batch) : start_small(batch, way);
    return error ? error : end_.record(stream_);
  }
  // A time that cannot be had is no reason to lose the batch.
  DeviceError finish(BatchTime* time) {
    const DeviceError error = cuda_error(cudaStreamSynchronize(stream_), "cudaStreamSynchronize");
    if (!error && timer_->time_of(begin_, end_, time)) *time = {};
    return error;
  }
  void drain() {
    if (stream_ != nullptr) cudaStreamSynchronize(stream_);
  }

 private:
  static constexpr std::size_t kLeast = 64;  // requests: small batches do not allocate again

  struct Buffers {
    HostArray<LeafRequest<G>> requests;
    HostArray<std::uint64_t> ends;
    HostArray<CountsOf<G>> counts;
    DeviceArray<LeafRequest<G>> device_requests;
    DeviceArray<std::uint64_t> device_ends;
    DeviceArray<CountsOf<G>> device_counts;
  };

  DeviceError allocate_all(std::size_t count) {
    buffers_ = {};
    capacity_ = 0;
    DeviceError error = allocate(count, &buffers_.requests);
    if (!error) error = allocate(count, &buffers_.ends);
    if (!error) error = allocate(count, &buffers_.counts);
    if (!error) error = allocate(count, &buffers_.device_requests);
    if (!error) error = allocate(count, &buffers_.device_ends);
    if (!error) error = allocate(count, &buffers_.device_counts);
    if (error) {
      buffers_ = {};
    } else {
      capacity_ = count;
    }
    return error;
  }
  // One launch, or two where requests are parameters, and nothing else.
  DeviceError start_small(DeviceBatch<G> batch, BatchWay way) {
    batch.requests = buffers_.requests.get();
    batch.ends = buffers_.ends.get();
    batch.counts = small_counts_.get();
    batch.answer = buffers_.counts.get();
    batch.ended = &small_counts_[kFewRequests].wins;
    if (way == BatchWay::kParameters) {
      static_assert(std::is_trivially_copyable_v<LeafRequest<G>> && alignof(LeafRequest<G>) <= 16);
      const std::span requests(buffers_.requests.get(), batch.size);
      const std::span ends(buffers_.ends.get(), batch.size);
      batch.requests = reinterpret_cast<const LeafRequest<G>*>(parameters_.get());
      batch.ends = reinterpret_cast<const std::uint64_t*>(parameters_.get() +
                                                          second_part(requests.size_bytes()));
      const DeviceError error =
          send_parameters(std::as_bytes(requests), std::as_bytes(ends), parameters_.get(), stream_);
      if (error) return error;
    }
    return launch_(batch, buffers_.requests.get(), buffers_.ends.get(), stream_);
  }
  DeviceError start_large(DeviceBatch<G> batch) {
    batch.requests = buffers_.device_requests.get();
    batch.ends = buffers_.device_ends.get();
    batch.counts = buffers_.device_counts.get();
    const std::size_t bytes = batch.size * sizeof(CountsOf<G>);
    DeviceError error = copy_in(batch.size);
    if (!error) {
      error = cuda_error(cudaMemsetAsync(batch.counts, 0, bytes, stream_), "cudaMemsetAsync");
    }
    if (!error) error = launch_(batch, buffers_.requests.get(), buffers_.ends.get(), stream_);
    if (error) return error;
    return cuda_error(cudaMemcpyAsync(buffers_.counts.get(), batch.counts, bytes,
                                      cudaMemcpyDeviceToHost, stream_),
                      "cudaMemcpyAsync");
  }
  // Done once: each small batch leaves them as it has found them. The last one counts blocks.
  DeviceError zero_small_counts() {
    if (small_counts_ != nullptr) return {};
    DeviceArray<CountsOf<G>> counts;
    DeviceError error = allocate(kFewRequests + 1, &counts);
    if (!error) {
      error = cuda_error(
          cudaMemsetAsync(counts.get(), 0, (kFewRequests + 1) * sizeof(CountsOf<G>), stream_),
          "cudaMemsetAsync");
    }
    if (!error) small_counts_ = std::move(counts);
    return error;
  }
  DeviceError copy_in(std::size_t count) {
    DeviceError error =
        cuda_error(cudaMemcpyAsync(buffers_.device_requests.get(), buffers_.requests.get(),
                                   count * sizeof(LeafRequest<G>), cudaMemcpyHostToDevice, stream_),
                   "cudaMemcpyAsync");
    if (!error) {
      error = cuda_error(
          cudaMemcpyAsync(buffers_.device_ends.get(), buffers_.ends.get(),
                          count * sizeof(std::uint64_t), cudaMemcpyHostToDevice, stream_),
          "cudaMemcpyAsync");
    }
    return error;
  }

  int ordinal_;
  Launch launch_;
  std::shared_ptr<DeviceTimer> timer_;
  TimedEvent begin_;  // of the batch
  TimedEvent end_;
  cudaStream_t stream_ = nullptr;
  DeviceArray<std::byte> parameters_;      // requests, then the words up to each
  DeviceArray<CountsOf<G>> small_counts_;  // zero between small batches
  std::size_t capacity_ = 0;               // requests
  Buffers buffers_;
};

// The name of device `ordinal`, which becomes the current one.
DeviceError select_device(int ordinal, std::string* name);

// Does what open_playout_device() does, for a game with this Launch.
template <class G, class Launch>
void make_batches(int ordinal, const std::string& name, const typename G::Rules& rules,
                  const Launch& launch, std::unique_ptr<PlayoutDevice<G>>* device) {
  using Slot = CudaSlot<G, Launch>;
  const auto timer = std::make_shared<DeviceTimer>();
  *device = std::make_unique<DeviceBatches<G, Slot>>(rules, name, [ordinal, launch, timer] {
    return std::make_unique<Slot>(ordinal, launch, timer);
  });
}

}  // namespace playproof
