// Othello on CUDA: a thread is a word of 32 boards, or, in small batches on 8 x 8, one of eight.
#include <string>

#include "kernels/device/device_launch.cuh"
#include "kernels/device/work_items.cuh"
#include "kernels/othello/device.h"
#include "kernels/othello/device_rows.h"

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

// Eight threads a word, each with a row. The words of a warp play until the last of them is over:
// plies in which nobody moves change nothing.
constexpr unsigned kRowsThreads = 128;  // of a block

__global__ __launch_bounds__(kRowsThreads) void play_rows(DeviceBatch<Othello> batch) {
  const unsigned word = threadIdx.x / kOthelloThreads;  // of the block
  const std::uint64_t i = std::uint64_t{blockIdx.x} * (kRowsThreads / kOthelloThreads) + word;
  const WorkItem item = find_item(batch, i);
  const LeafRequest<Othello>& leaf = batch.requests[item.request];
  const RandomKey key = leaf.key;
  const unsigned thread = threadIdx.x % kOthelloThreads;
  std::uint32_t* const memory =
      block_memory() + threadIdx.x / kWarp * OthelloWords::kWords + word % kOthelloWarpWords;
  OthelloRow row(leaf, memory, thread);
  std::uint32_t ply = 0;
#pragma unroll 1
  for (int idle = 0; idle < 2; ++ply) {  // plies on end in which no lane had a move
    row.show_discs();
    row.draw(key, item.word, ply);
    __syncwarp();
    row.look_along_lines();
    __syncwarp();
    row.find_moves();
    __syncwarp();
    const std::uint32_t moved = row.choose() & item.lanes;
    idle = __any_sync(kWholeWarp, moved != 0) != 0 ? 0 : idle + 1;
    __syncwarp();
    row.turn_lines();
    __syncwarp();
    row.play();
  }
  row.show_discs();
  __syncwarp();
  const WordOutcome outcome = row.outcome(leaf.state.to_move, ply, item.lanes);
  add_outcomes(batch.counts, item.request, thread == 0 ? outcome : WordOutcome{});
  finish_batch(batch);
}

DeviceError launch_rows(const DeviceBatch<Othello>& batch, cudaStream_t stream) {
  constexpr std::size_t kBytes =
      kRowsThreads / kWarp * OthelloWords::kWords * sizeof(std::uint32_t);
  return launch_kernel("play_rows<<<>>>", play_rows,
                       blocks_of(batch.words, kRowsThreads / kOthelloThreads), kRowsThreads, kBytes,
                       stream, batch);
}

template <int kSide>
DeviceError allow(int ordinal) {
  return allow_memory(ordinal, play_words<OthelloCore<kSide>>);
}

struct OthelloLaunch {
  int side;
  std::uint64_t few_words = 0;  // with which eight threads a word are done sooner than one

  // An SM gets up to 48 words, which the registers have room for at a time: three warps for each of
  // its schedulers with a thread a row, and a part of one with a thread a word. (No device has
  // measured whether more would pay.)
  DeviceError open(int ordinal) {
    if (side == 6) return allow<6>(ordinal);
    if (side == 4) return allow<4>(ordinal);
    int multiprocessors = 0;
    const DeviceError error = cuda_error(
        cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, ordinal),
        "cudaDeviceGetAttribute");
    few_words = std::uint64_t{48} * static_cast<unsigned>(multiprocessors);
    return error ? error : allow<8>(ordinal);
  }

  DeviceError operator()(const DeviceBatch<Othello>& batch, const LeafRequest<Othello>*,
                         const std::uint64_t*, cudaStream_t stream) const {
    if (batch.words <= few_words) return launch_rows(batch, stream);
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
  OthelloLaunch launch = {rules.size};
  DeviceError error = select_device(ordinal, &name);
  if (!error) error = launch.open(ordinal);
  if (!error) make_batches<Othello>(ordinal, name, rules, launch, device);
  return error;
}

}  // namespace playproof
