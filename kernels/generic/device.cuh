// Playouts of any game on CUDA, ply by ply: a thread is a lane, a warp a word. Slow beside an
// engine of the game's own: the lanes of a warp go different ways.
#pragma once

#include <memory>
#include <string>

#include "kernels/device/device_launch.cuh"
#include "kernels/device/playout_device.h"
#include "kernels/device/work_items.cuh"
#include "kernels/generic/playouts.h"

namespace playproof {

inline constexpr unsigned kGenericThreads = 128;  // of a block

// The end of a playout: games/PLAYOUTS.md, "Other games".
template <Game G>
PP_HD typename G::State generic_end(const typename G::Rules& rules, typename G::State state,
                                    const RandomKey& key, std::uint32_t word, std::uint32_t lane) {
  for (std::uint32_t ply = 0; !G::finished(rules, state); ++ply) {
    generic_ply<G>(rules, state, random_word(key, word, ply * kLanes + lane));
  }
  return state;
}

template <Game G>
__global__ __launch_bounds__(kGenericThreads) void play_generic(typename G::Rules rules,
                                                                DeviceBatch<G> batch) {
  const std::uint32_t lane = threadIdx.x % kWarp;
  const std::uint64_t warp = (std::uint64_t{blockIdx.x} * kGenericThreads + threadIdx.x) / kWarp;
  const WorkItem item = find_item(batch, warp);
  const LeafRequest<G>& leaf = batch.requests[item.request];
  Value value = 0;
  if ((item.lanes >> lane & 1) != 0) {
    value = G::value(rules, generic_end<G>(rules, leaf.state, leaf.key, item.word, lane));
  }
  const auto wins = static_cast<std::uint32_t>(__popc(__ballot_sync(kWholeWarp, value > 0)));
  const std::uint32_t drawn = __ballot_sync(kWholeWarp, value == 0) & item.lanes;
  const auto draws = static_cast<std::uint32_t>(__popc(drawn));
  if (lane == 0 && wins != 0) atomicAdd(&batch.counts[item.request].wins, wins);
  if (lane == 0 && draws != 0) atomicAdd(&batch.counts[item.request].draws, draws);
  finish_batch(batch);
}

template <Game G>
struct GenericLaunch {
  typename G::Rules rules;

  DeviceError operator()(const DeviceBatch<G>& batch, const LeafRequest<G>*, const std::uint64_t*,
                         cudaStream_t stream) const {
    return launch_kernel("play_generic<<<>>>", play_generic<G>,
                         blocks_of(batch.words * kWarp, kGenericThreads), kGenericThreads, 0,
                         stream, rules, batch);
  }
};

template <Game G>
DeviceError open_generic_device(int ordinal, const typename G::Rules& rules,
                                std::unique_ptr<PlayoutDevice<G>>* device) {
  device->reset();
  std::string name;
  const DeviceError error = select_device(ordinal, &name);
  if (!error) make_batches<G>(ordinal, name, rules, GenericLaunch<G>{rules}, device);
  return error;
}

}  // namespace playproof
