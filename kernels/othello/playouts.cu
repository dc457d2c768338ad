// Othello on CUDA: a thread is a word of 32 boards.
#include <string>

#include "kernels/device/device_launch.cuh"
#include "kernels/device/work_items.cuh"
#include "kernels/othello/device.h"

namespace playproof {
namespace {

template <int kSide>
struct OthelloCore {
  using Game = Othello;
  static constexpr int kThreads = 128;
  static constexpr int kBlocks = 2;

  __device__ WordOutcome play(const LeafRequest<Othello>& leaf, std::uint64_t seed,
                              std::uint32_t word, std::uint32_t lanes,
                              ThreadWords<kThreads> memory) const {
    return othello_play<kSide>(leaf, seed, word, lanes, memory);
  }
};

template <int kSide>
DeviceError launch(const DeviceBatch<Othello>& batch, cudaStream_t stream) {
  using Core = OthelloCore<kSide>;
  constexpr std::size_t kBytes = othello_memory(kSide) * Core::kThreads * sizeof(std::uint32_t);
  return launch_words(Core{}, kBytes, batch, stream);
}

struct OthelloLaunch {
  int side;

  DeviceError operator()(const DeviceBatch<Othello>& batch, const LeafRequest<Othello>*,
                         const std::uint64_t*, cudaStream_t stream) const {
    if (side == 8) return launch<8>(batch, stream);
    return side == 6 ? launch<6>(batch, stream) : launch<4>(batch, stream);
  }
};

}  // namespace

template <>
DeviceError open_playout_device<Othello>(int ordinal, const Othello::Rules& rules,
                                         std::uint64_t seed,
                                         std::unique_ptr<PlayoutDevice<Othello>>* device) {
  device->reset();
  std::string name;
  const DeviceError error = select_device(ordinal, &name);
  if (!error) make_batches<Othello>(ordinal, name, rules, seed, OthelloLaunch{rules.size}, device);
  return error;
}

}  // namespace playproof
