// Lines of Action on CUDA: a thread is a lane, a warp a word. All lanes of a warp read as many
// bytes, whatever comes of them, so that they draw random words together.
#include <string>

#include "kernels/device/device_launch.cuh"
#include "kernels/device/work_items.cuh"
#include "kernels/loa/device.h"

namespace playproof {
namespace {

constexpr unsigned kThreads = 128;  // of a block

__global__ __launch_bounds__(kThreads) void play_loa(Loa::Rules rules, DeviceBatch<Loa> batch) {
  __shared__ LoaRays rays;
  rays.fill(rules.size, threadIdx.x, kThreads);
  __syncthreads();
  const std::uint32_t lane = threadIdx.x % kWarp;
  const std::uint64_t warp = (std::uint64_t{blockIdx.x} * kThreads + threadIdx.x) / kWarp;
  const WorkItem item = find_item(batch, warp);
  const LeafRequest<Loa>& leaf = batch.requests[item.request];
  const RandomKey key = leaf.key;
  loa_device::RandomGame game(rules, leaf.state);
  const bool played = (item.lanes >> lane & 1) != 0;
  bool open = played;
#pragma unroll 1
  for (std::uint32_t block = lane; __any_sync(kWholeWarp, open) != 0; block += kLanes) {
    loa_device::Bytes bytes(key, item.word, block);
#pragma unroll 1
    for (unsigned i = 0; i < loa_device::Bytes::kCount; ++i) {
      const unsigned byte = bytes.next();
      if (open) open = game.go_on(rays, byte);
      __syncwarp();
    }
  }
  const auto count = [&](bool of) {
    return static_cast<std::uint32_t>(__popc(__ballot_sync(kWholeWarp, played && of)));
  };
  const std::uint32_t wins = count(game.value() > 0);
  const std::uint32_t draws = count(game.value() == 0);
  const std::uint32_t truncated = count(game.cut_off());
  if (lane == 0 && played) {
    auto& counts = batch.counts[item.request];
    if (wins != 0) atomicAdd(&counts.wins, wins);
    if (draws != 0) atomicAdd(&counts.draws, draws);
    if (truncated != 0) atomicAdd(&counts.truncated, truncated);
  }
  finish_batch(batch);
}

struct LoaLaunch {
  Loa::Rules rules;

  DeviceError operator()(const DeviceBatch<Loa>& batch, const LeafRequest<Loa>*,
                         const std::uint64_t*, cudaStream_t stream) const {
    return launch_kernel("play_loa<<<>>>", play_loa, blocks_of(batch.words * kWarp, kThreads),
                         kThreads, 0, stream, rules, batch);
  }
};

}  // namespace

template <>
DeviceError open_playout_device<Loa>(int ordinal, const Loa::Rules& rules,
                                     std::unique_ptr<PlayoutDevice<Loa>>* device) {
  device->reset();
  std::string name;
  const DeviceError error = select_device(ordinal, &name);
  if (!error) make_batches<Loa>(ordinal, name, rules, LoaLaunch{rules}, device);
  return error;
}

}  // namespace playproof
