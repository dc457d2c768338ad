// P-games on CUDA: a thread is a lane, a warp a word, or several words one after the other.
#include <string>

#include "kernels/device/device_launch.cuh"
#include "kernels/device/work_items.cuh"
#include "kernels/pgame/device.h"

namespace playproof {
namespace {

constexpr unsigned kThreads = 128;  // of a block

// LaneRandom for all lanes of a warp, which are those of a word and play in step: each makes one
// block of random words of 32, and the others ask it for them.
class WarpRandom {
 public:
  __device__ WarpRandom(const RandomKey& key, std::uint32_t word, std::uint32_t lane)
      : key_(key), word_(word), lane_(lane) {}

  __device__ std::uint32_t next_bit() {
    if (at_ % (4 * kWarp) == 0) four_ = random_block(key_, word_, at_ / 4 + lane_);
    const std::uint32_t plane = __shfl_sync(kWholeWarp, four_.words[0], at_ / 4 % kWarp);
    // The next word moves down to place 0; after four calls all are back.
    four_ = {{four_.words[1], four_.words[2], four_.words[3], four_.words[0]}};
    ++at_;
    return (plane >> lane_) & 1;
  }
  __device__ std::uint32_t next_number() {  // a ply takes 8 blocks, so 32 are enough for 4
    if (at_ % 4 == 0) four_ = random_block(key_, word_, 8 * at_ + lane_);
    const std::uint32_t source = at_ % 4 * 8 + lane_ / 4;
    ++at_;
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
  std::uint32_t at_ = 0;
  PhiloxCounter four_ = {};
};

// Warp w plays words w * run .. w * run + run - 1 of the batch.
__global__ __launch_bounds__(kThreads) void play_pgame(PGame::Rules rules, DeviceBatch<PGame> batch,
                                                       std::uint32_t run) {
  const std::uint32_t lane = threadIdx.x % kWarp;
  const std::uint64_t warp = (std::uint64_t{blockIdx.x} * kThreads + threadIdx.x) / kWarp;
  WordCounts counts;
  std::uint32_t counted = 0;  // the request of counts
  const auto flush = [&] {
    if (lane == 0 && counts.wins != 0) atomicAdd(&batch.counts[counted].wins, counts.wins);
    if (lane == 0 && counts.draws != 0) atomicAdd(&batch.counts[counted].draws, counts.draws);
    counts = {};
  };
  for (std::uint64_t i = warp * run; i < warp * run + run && i < batch.words; ++i) {
    const WorkItem item = find_item(batch, i);
    if (item.request != counted) {
      flush();
      counted = item.request;
    }
    const LeafRequest<PGame>& leaf = batch.requests[item.request];
    const WarpRandom random({batch.seed, leaf.stream}, item.word, lane);
    const PGame::State end = pgame_play(rules, leaf.state, random);
    const Value value = PGame::value(rules, end);
    counts.wins += __popc(__ballot_sync(kWholeWarp, value > 0) & item.lanes);
    counts.draws += __popc(__ballot_sync(kWholeWarp, value == 0) & item.lanes);
  }
  flush();
}

struct PGameLaunch {
  PGame::Rules rules;

  DeviceError operator()(const DeviceBatch<PGame>& batch, const LeafRequest<PGame>*,
                         const std::uint64_t*, cudaStream_t stream) const {
    // Long runs in large batches, so that tallies are seldom added to; short ones fill the device.
    constexpr std::uint64_t kManyWarps = 1 << 16;
    const auto run =
        static_cast<std::uint32_t>(std::clamp<std::uint64_t>(batch.words / kManyWarps, 1, 64));
    const std::uint64_t warps = (batch.words + run - 1) / run;
    play_pgame<<<blocks_of(warps * kWarp, kThreads), kThreads, 0, stream>>>(rules, batch, run);
    return cuda_error(cudaGetLastError(), "play_pgame<<<>>>");
  }
};

}  // namespace

template <>
DeviceError open_playout_device<PGame>(int ordinal, const PGame::Rules& rules, std::uint64_t seed,
                                       std::unique_ptr<PlayoutDevice<PGame>>* device) {
  device->reset();
  std::string name;
  const DeviceError error = select_device(ordinal, &name);
  if (!error) make_batches<PGame>(ordinal, name, rules, seed, PGameLaunch{rules}, device);
  return error;
}

}  // namespace playproof
