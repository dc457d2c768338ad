// Hex on CUDA: a thread is a word of 32 boards, or half a word of larger ones. A width of the
// boards' sets is a unit of its own (playouts_1.cu, ...), since each has many kernels.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

#include "kernels/device/device_launch.cuh"
#include "kernels/device/work_items.cuh"
#include "kernels/hex/device.h"

namespace playproof::hex_device {

// Boards of up to kSide rows and columns.
template <int W, int kSide>
struct HexCore {
  using Game = Hex<W>;
  static constexpr int kThreads = 128;
  static constexpr int kBlocks = kSide < 11 ? 4 : kSide <= 12 ? 3 : 2;  // as have room for words
  typename Game::Rules rules;

  static std::size_t words(const typename Game::Rules& rules) { return rules.cells; }
  __device__ WordOutcome play(const LeafRequest<Game>& leaf, std::uint32_t word,
                              std::uint32_t lanes, ThreadWords<kThreads> memory) const {
    return {hex_play<W, kSide>(rules, leaf, word, lanes, memory), 0};
  }
};

// Larger boards take two threads a word.
template <int W, int kSide>
struct HexPairs {
  using Game = Hex<W>;
  static constexpr int kThreads = 64;
  static constexpr int kWords = kThreads / 2;
  static constexpr int kBlocks = 4;
  typename Game::Rules rules;
};

struct FromRightThread {
  __device__ std::uint32_t operator()(std::uint32_t x) const {
    return __shfl_down_sync(kWholeWarp, x, 1);
  }
};

template <int W, int kSide>
__global__ __launch_bounds__(
    HexPairs<W, kSide>::kThreads,
    HexPairs<W, kSide>::kBlocks) void play_pairs(HexPairs<W, kSide> core,
                                                 DeviceBatch<Hex<W>> batch) {
  using Planes = ThreadWords<HexPairs<W, kSide>::kWords>;
  const unsigned word = threadIdx.x / 2;
  const unsigned thread = threadIdx.x % 2;
  const WorkItem item =
      find_item(batch, std::uint64_t{blockIdx.x} * HexPairs<W, kSide>::kWords + word);
  const LeafRequest<Hex<W>>& leaf = batch.requests[item.request];
  const HexWord w = hex_word<W>(core.rules, leaf, item.word, item.lanes);
  const Planes planes(block_memory() + word);
  HexDistance d;
  hex_deal_half(w, planes, thread, d);
  __syncwarp();
  hex_repair_halves(w, planes, thread, d, FromRightThread());
  __syncwarp();
  const std::uint32_t won =
      hex_play_half<W, kSide>(core.rules, leaf, w, planes, thread, FromRightThread());
  add_outcomes(batch.counts, item.request, {thread == 0 ? won : 0, 0});
  finish_batch(batch);
}

// A kernel for boards of one size.
template <class G>
struct HexKernel {
  DeviceError (*allow)(int ordinal);  // once, before it is launched
  DeviceError (*launch)(const typename G::Rules& rules, const DeviceBatch<G>& batch,
                        cudaStream_t stream);
};

template <class Core>
DeviceError launch(const typename Core::Game::Rules& rules,
                   const DeviceBatch<typename Core::Game>& batch, cudaStream_t stream) {
  const std::size_t bytes = Core::words(rules) * Core::kThreads * sizeof(std::uint32_t);
  return launch_words(Core{rules}, bytes, batch, stream);
}

template <int W, int kSide>
HexKernel<Hex<W>> pairs_of() {
  using Pairs = HexPairs<W, kSide>;
  return {[](int ordinal) { return allow_memory(ordinal, play_pairs<W, kSide>); },
          [](const typename Hex<W>::Rules& rules, const DeviceBatch<Hex<W>>& batch,
             cudaStream_t stream) {
            const std::size_t bytes =
                std::size_t{rules.cells} * Pairs::kWords * sizeof(std::uint32_t);
            return launch_kernel("play_pairs<<<>>>", play_pairs<W, kSide>,
                                 blocks_of(batch.words, Pairs::kWords), Pairs::kThreads, bytes,
                                 stream, Pairs{rules}, batch);
          }};
}

template <class Core>
HexKernel<typename Core::Game> kernel_of() {
  return {[](int ordinal) { return allow_memory(ordinal, play_words<Core>); }, launch<Core>};
}

// The kernel for a board whose longer side is `side`.
template <int W>
HexKernel<Hex<W>> find_kernel(int side) {
  if constexpr (W == 1) {
    switch (side) {
      case 2:
      case 3:
        return kernel_of<HexCore<1, 3>>();
      case 4:
        return kernel_of<HexCore<1, 4>>();
      case 5:
        return kernel_of<HexCore<1, 5>>();
      case 6:
        return kernel_of<HexCore<1, 6>>();
      case 7:
        return kernel_of<HexCore<1, 7>>();
      case 8:
        return kernel_of<HexCore<1, 8>>();
      default:
        return side <= 14 ? kernel_of<HexCore<1, 14>>() : pairs_of<1, 19>();
    }
  } else if constexpr (W == 2) {
    switch (side) {
      case 9:
        return kernel_of<HexCore<2, 9>>();
      case 10:
        return kernel_of<HexCore<2, 10>>();
      case 11:
        return kernel_of<HexCore<2, 11>>();
      default:
        return side <= 14 ? kernel_of<HexCore<2, 14>>() : pairs_of<2, 19>();
    }
  } else {
    switch (side) {
      case 12:
        return kernel_of<HexCore<6, 12>>();
      case 13:
        return kernel_of<HexCore<6, 13>>();
      case 14:
        return kernel_of<HexCore<6, 14>>();
      case 15:
        return pairs_of<6, 15>();
      case 16:
        return pairs_of<6, 16>();
      case 17:
        return pairs_of<6, 17>();
      case 18:
        return pairs_of<6, 18>();
      default:
        return pairs_of<6, 19>();
    }
  }
}

template <int W>
struct HexLaunch {
  typename Hex<W>::Rules rules;
  HexKernel<Hex<W>> kernel;

  DeviceError operator()(const DeviceBatch<Hex<W>>& batch, const LeafRequest<Hex<W>>*,
                         const std::uint64_t*, cudaStream_t stream) const {
    return kernel.launch(rules, batch, stream);
  }
};

template <int W>
DeviceError open(int ordinal, const typename Hex<W>::Rules& rules,
                 std::unique_ptr<PlayoutDevice<Hex<W>>>* device) {
  device->reset();
  std::string name;
  DeviceError error = select_device(ordinal, &name);
  const HexKernel<Hex<W>> kernel = find_kernel<W>(std::max<int>(rules.rows, rules.columns));
  if (!error) error = kernel.allow(ordinal);
  if (!error) make_batches<Hex<W>>(ordinal, name, rules, HexLaunch<W>{rules, kernel}, device);
  return error;
}

}  // namespace playproof::hex_device
