// P-games on CUDA: a thread is a lane, a warp a word, a block (or several) a request.
#include "kernels/pgame_playouts.h"

#include <algorithm>
#include <cstring>
#include <utility>
#include <vector>

#include "kernels/cuda_result.cuh"
#include "kernels/pgame_device.h"

namespace playproof {
namespace {

using Request = LeafRequest<PGame>;

constexpr unsigned kBlockThreads = 128;
constexpr std::uint32_t kBlockPlayouts = 4096;  // from here on more blocks a request
constexpr unsigned kMaxBlocksPerRequest = 1024;

// Block (x, y) plays its share of request x; `tallies` starts at zero.
__global__ void play(PGame::Rules rules, std::uint64_t seed, const Request* requests,
                     Tally* tallies) {
  __shared__ std::uint32_t counts[3];
  if (threadIdx.x < 3) counts[threadIdx.x] = 0;
  __syncthreads();
  const Request request = requests[blockIdx.x];
  const RandomKey key = {seed, request.stream};
  const std::uint32_t lane = threadIdx.x % kLanes;
  // 64 bits: the last step may pass 2^32.
  std::uint64_t begin = std::uint64_t{blockIdx.y} * kBlockThreads + (threadIdx.x - lane);
  for (; begin < request.playouts; begin += std::uint64_t{gridDim.y} * kBlockThreads) {
    const auto word = static_cast<std::uint32_t>((request.first + begin) / kLanes);
    const bool played = begin + lane < request.playouts;
    const PGame::State end = pgame_playout(rules, request.state, key, word, lane);
    const Value value = PGame::value(rules, end);
    const std::uint32_t wins = __ballot_sync(~0u, played && value > 0);
    const std::uint32_t draws = __ballot_sync(~0u, played && value == 0);
    const std::uint32_t losses = __ballot_sync(~0u, played && value < 0);
    if (lane == 0) {
      atomicAdd(&counts[0], static_cast<unsigned>(__popc(wins)));
      atomicAdd(&counts[1], static_cast<unsigned>(__popc(draws)));
      atomicAdd(&counts[2], static_cast<unsigned>(__popc(losses)));
    }
  }
  __syncthreads();
  if (threadIdx.x == 0) {
    atomicAdd(&tallies[blockIdx.x].wins, counts[0]);
    atomicAdd(&tallies[blockIdx.x].draws, counts[1]);
    atomicAdd(&tallies[blockIdx.x].losses, counts[2]);
  }
}

// One batch on its way: its stream, and memory for it on both sides (the host's is page-locked).
// Destructors ignore errors: there is nothing left to do about them.
struct Slot {
  cudaStream_t stream = nullptr;
  std::size_t capacity = 0;  // requests
  std::size_t count = 0;
  Request* host_requests = nullptr;
  Tally* host_tallies = nullptr;
  Request* device_requests = nullptr;
  Tally* device_tallies = nullptr;

  Slot() = default;
  Slot(const Slot&) = delete;
  Slot& operator=(const Slot&) = delete;
  ~Slot() {
    if (stream != nullptr) {
      cudaStreamSynchronize(stream);
      cudaStreamDestroy(stream);
    }
    release();
  }
  void release() {
    cudaFreeHost(std::exchange(host_requests, nullptr));
    cudaFreeHost(std::exchange(host_tallies, nullptr));
    cudaFree(std::exchange(device_requests, nullptr));
    cudaFree(std::exchange(device_tallies, nullptr));
    capacity = 0;
  }
  DeviceError reserve(std::size_t wanted) {
    DeviceError error;
    if (stream == nullptr) error = cuda_error(cudaStreamCreate(&stream), "cudaStreamCreate");
    if (error || wanted <= capacity) return error;
    const std::size_t grown = std::max<std::size_t>(wanted, 2 * capacity);
    release();
    error = cuda_error(cudaMallocHost(&host_requests, grown * sizeof(Request)), "cudaMallocHost");
    if (error) return error;
    error = cuda_error(cudaMallocHost(&host_tallies, grown * sizeof(Tally)), "cudaMallocHost");
    if (error) return error;
    error = cuda_error(cudaMalloc(&device_requests, grown * sizeof(Request)), "cudaMalloc");
    if (error) return error;
    error = cuda_error(cudaMalloc(&device_tallies, grown * sizeof(Tally)), "cudaMalloc");
    if (!error) capacity = grown;
    return error;
  }
};

class CudaPGame final : public PGameDevice {
 public:
  CudaPGame(int ordinal, std::string name, const PGame::Rules& rules, std::uint64_t seed)
      : ordinal_(ordinal), name_(std::move(name)), rules_(rules), seed_(seed) {}

  DeviceError submit(std::span<const Request> requests, std::size_t* number) override {
    if (free_.empty()) {
      free_.push_back(slots_.size());
      slots_.push_back(std::make_unique<Slot>());
    }
    *number = free_.back();
    const DeviceError error = start(requests, *slots_[*number]);
    if (!error) free_.pop_back();
    return error;
  }

  DeviceError collect(std::size_t number, std::span<Tally> tallies) override {
    Slot& slot = *slots_[number];
    free_.push_back(number);
    const DeviceError error =
        cuda_error(cudaStreamSynchronize(slot.stream), "cudaStreamSynchronize");
    if (!error) std::copy_n(slot.host_tallies, slot.count, tallies.begin());
    return error;
  }

  std::string name() const override { return name_; }

 private:
  DeviceError start(std::span<const Request> requests, Slot& slot) {
    DeviceError error = cuda_error(cudaSetDevice(ordinal_), "cudaSetDevice");
    if (!error) error = slot.reserve(requests.size());
    if (error) return error;
    slot.count = requests.size();
    if (requests.empty()) return error;
    std::copy(requests.begin(), requests.end(), slot.host_requests);
    error = cuda_error(
        cudaMemcpyAsync(slot.device_requests, slot.host_requests, slot.count * sizeof(Request),
                        cudaMemcpyHostToDevice, slot.stream),
        "cudaMemcpyAsync");
    if (error) return error;
    error =
        cuda_error(cudaMemsetAsync(slot.device_tallies, 0, slot.count * sizeof(Tally), slot.stream),
                   "cudaMemsetAsync");
    if (error) return error;
    launch(requests, slot);
    error = cuda_error(cudaGetLastError(), "play<<<>>>");
    if (error) return error;
    return cuda_error(
        cudaMemcpyAsync(slot.host_tallies, slot.device_tallies, slot.count * sizeof(Tally),
                        cudaMemcpyDeviceToHost, slot.stream),
        "cudaMemcpyAsync");
  }

  void launch(std::span<const Request> requests, const Slot& slot) const {
    std::uint32_t most = 0;
    for (const Request& request : requests) most = std::max(most, request.playouts);
    const unsigned shares = std::clamp(most / kBlockPlayouts, 1u, kMaxBlocksPerRequest);
    const dim3 grid(static_cast<unsigned>(slot.count), shares);
    play<<<grid, kBlockThreads, 0, slot.stream>>>(rules_, seed_, slot.device_requests,
                                                  slot.device_tallies);
  }

  int ordinal_;
  std::string name_;
  PGame::Rules rules_;
  std::uint64_t seed_;
  std::vector<std::unique_ptr<Slot>> slots_;
  std::vector<std::size_t> free_;
};

}  // namespace

DeviceError open_pgame_device(int ordinal, const PGame::Rules& rules, std::uint64_t seed,
                              std::unique_ptr<PGameDevice>* device) {
  device->reset();
  int count = 0;
  DeviceError error = cuda_error(cudaGetDeviceCount(&count), "cudaGetDeviceCount");
  if (error.absent) return error;
  if (!error && (ordinal < 0 || ordinal >= count)) {
    error = cuda_error(cudaErrorInvalidDevice, "cudaSetDevice");
  }
  cudaDeviceProp properties;
  if (!error) {
    error = cuda_error(cudaGetDeviceProperties(&properties, ordinal), "cudaGetDeviceProperties");
  }
  if (!error) *device = std::make_unique<CudaPGame>(ordinal, properties.name, rules, seed);
  return error;
}

}  // namespace playproof
