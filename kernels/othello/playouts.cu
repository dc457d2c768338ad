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

  __device__ WordOutcome play(const LeafRequest<Othello>& leaf, std::uint32_t word,
                              std::uint32_t lanes, ThreadWords<kThreads> memory) const {
    return othello_play<kSide>(leaf, word, lanes, memory);
  }
};

template <int kSide>
DeviceError launch(const DeviceBatch<Othello>& batch, cudaStream_t stream) {
  using Core = OthelloCore<kSide>;
  constexpr std::size_t kBytes = othello_memory(kSide) * Core::kThreads * sizeof(std::uint32_t);
  return launch_words(Core{}, kBytes, batch, stream);
}

template <int kSide>
DeviceError allow(int ordinal) {
  return allow_memory(ordinal, play_words<OthelloCore<kSide>>);
}

struct OthelloLaunch {
  int side;

  DeviceError open(int ordinal) const {
    if (side == 8) return allow<8>(ordinal);
    return side == 6 ? allow<6>(ordinal) : allow<4>(ordinal);
  }

  DeviceError operator()(const DeviceBatch<Othello>& batch, const LeafRequest<Othello>*,
                         const std::uint64_t*, cudaStream_t stream) const {
    if (side == 8) return launch<8>(batch, stream);
    return side == 6 ? launch<6>(batch, stream) : launch<4>(batch, stream);
  }
};

}  // namespace

template <>
DeviceError open_playout_device<Othello>(int ordinal, const Othello::Rules& rules,
                                         std::unique_ptr<PlayoutDevice<Othello>>* device) {
  device->reset();
  std::string name;
  const OthelloLaunch launch = {rules.size};
  DeviceError error = select_device(ordinal, &name);
  if (!error) error = launch.open(ordinal);
  if (!error) make_batches<Othello>(ordinal, name, rules, launch, device);
  return error;
}

}  // namespace playproof
