// P-games on CUDA: a thread is a lane, a warp a word, or several words one after the other.
#include <string>

#include "kernels/device/device_launch.cuh"
#include "kernels/device/work_items.cuh"
#include "kernels/pgame/device.h"

namespace playproof {
namespace {

constexpr unsigned kThreads = 128;  // of a block

// LaneRandom for all lanes of a warp, which are those of a word and play in step: each makes random
// words for all.
class WarpRandom {
 public:
  __device__ WarpRandom(const RandomKey& key, std::uint32_t word, std::uint32_t lane)
      : key_(key), word_(word), lane_(lane) {}

  __device__ std::uint32_t bits_from(std::uint32_t first) const {
    std::uint32_t x = pgame_random_word(key_, word_, pgame_index(first, lane_));
#pragma unroll
    for (std::uint32_t step = kWarp / 2; step > 0; step /= 2) {
      x = transpose_step(x, __shfl_xor_sync(kWholeWarp, x, step), lane_, step);
    }
    return x;
  }
  __device__ std::uint32_t number_of(std::uint32_t ply) {  // 32 blocks are enough for 4 plies
    if (ply % 4 == 0) four_ = random_block(key_, word_, 8 * ply + lane_);
    const std::uint32_t source = ply % 4 * 8 + lane_ / 4;
    std::uint32_t number = 0;
    for (std::uint32_t i = 0; i < 4; ++i) {
      const std::uint32_t other = __shfl_sync(kWholeWarp, four_.words[i], source);
      if (lane_ % 4 == i) number = other;
    }
    return number;
  }

 private:
  RandomKey key_;
  std::uint32_t word_;
  std::uint32_t lane_;
  PhiloxCounter four_ = {};
};

// Warp w plays words w * run .. w * run + run - 1 of the batch.
__global__ __launch_bounds__(kThreads) void play_pgame(PGame::Rules rules, DeviceBatch<PGame> batch,
                                                       std::uint32_t run) {
  const std::uint32_t lane = threadIdx.x % kWarp;
  const std::uint64_t warp = (std::uint64_t{blockIdx.x} * kThreads + threadIdx.x) / kWarp;
  LeafRequest<PGame> leaf;
  WorkItem item;
  std::uint32_t left = 0;  // playouts of the request from the word on
  WordCounts counts;
  const auto flush = [&] {
    if (lane == 0 && counts.wins != 0) atomicAdd(&batch.counts[item.request].wins, counts.wins);
    if (lane == 0 && counts.draws != 0) atomicAdd(&batch.counts[item.request].draws, counts.draws);
    counts = {};
  };
  for (std::uint64_t i = warp * run; i < warp * run + run && i < batch.words; ++i) {
    if (left > kLanes) {
      left -= kLanes;
      ++item.word;
    } else {
      flush();
      item = find_item(batch, i);
      leaf = batch.requests[item.request];
      left = leaf.playouts - (item.word - leaf.first / kLanes) * kLanes;
    }
    const std::uint32_t lanes = lane_mask(left < kLanes ? left : kLanes);
    const WarpRandom random(leaf.key, item.word, lane);
    const Value value = PGame::value(rules, pgame_play(rules, leaf.state, random));
    counts.wins += __popc(__ballot_sync(kWholeWarp, value > 0) & lanes);
    counts.draws += __popc(__ballot_sync(kWholeWarp, value == 0) & lanes);
  }
  flush();
  finish_batch(batch);
}

struct PGameLaunch {
  PGame::Rules rules;

  DeviceError operator()(const DeviceBatch<PGame>& batch, const LeafRequest<PGame>*,
                         const std::uint64_t*, cudaStream_t stream) const {
    // Runs are long in large batches, so tallies are seldom added to; short ones fill the device.
    constexpr std::uint64_t kManyWarps = 1 << 16;
    const auto run =
        static_cast<std::uint32_t>(std::clamp<std::uint64_t>(batch.words / kManyWarps, 1, 64));
    const std::uint64_t warps = (batch.words + run - 1) / run;
    return launch_kernel("play_pgame<<<>>>", play_pgame, blocks_of(warps * kWarp, kThreads),
                         kThreads, 0, stream, rules, batch, run);
  }
};

}  // namespace

template <>
DeviceError open_playout_device<PGame>(int ordinal, const PGame::Rules& rules,
                                       std::unique_ptr<PlayoutDevice<PGame>>* device) {
  device->reset();
  std::string name;
  const DeviceError error = select_device(ordinal, &name);
  if (!error) make_batches<PGame>(ordinal, name, rules, PGameLaunch{rules}, device);
  return error;
}

}  // namespace playproof
