// Words of a batch go to threads, and tallies come back, on the device: CUB searches the request of
// a word and adds up what the threads of a warp have counted of the same request. Only integers are
// added, so their order is of no account.
#pragma once

#include "kernels/device/collectives.cuh"
#include "kernels/device/device_batches.h"
#include "kernels/device/device_launch.cuh"
#include "kernels/device/device_words.h"

namespace playproof {

inline constexpr unsigned kWarp = 32;
inline constexpr std::uint32_t kWholeWarp = ~std::uint32_t{0};

// Word i of the batch; beyond the last one, that one without lanes.
template <class G>
__device__ WorkItem find_item(const DeviceBatch<G>& batch, std::uint64_t i) {
  const std::uint64_t at = i < batch.words ? i : batch.words - 1;
  return work_item(batch, upper_bound(batch.ends, batch.size, at), i);
}

// Adds what the threads of a warp have played. Items of one request are neighbours.
__device__ inline void add_outcomes(WordCounts* counts, std::uint32_t request,
                                    const WordOutcome& outcome) {
  const unsigned lane = threadIdx.x % kWarp;
  const std::uint32_t before = __shfl_up_sync(kWholeWarp, request, 1);
  const bool head = lane == 0 || before != request;
  // A warp has at most 1,024 games, so both numbers fit in one.
  const auto both = static_cast<std::uint32_t>(__popc(outcome.won) | __popc(outcome.drawn) << 16);
  const std::uint32_t sum = sum_of_segment(both, head);
  if (!head) return;
  if ((sum & 0xffff) != 0) atomicAdd(&counts[request].wins, sum & 0xffff);
  if (sum >> 16 != 0) atomicAdd(&counts[request].draws, sum >> 16);
}

// The end of a kernel that plays: all threads of all blocks call it after their last addition.
template <class G>
__device__ void finish_batch(const DeviceBatch<G>& batch) {
  if (batch.answer == nullptr) return;
  __shared__ bool last;
  __threadfence();  // what this thread has added is there before its block has ended
  __syncthreads();
  if (threadIdx.x == 0) last = atomicAdd(batch.ended, 1u) == gridDim.x - 1;
  __syncthreads();
  if (!last) return;
  __threadfence();
  for (std::uint32_t i = threadIdx.x; i < batch.size; i += blockDim.x) {
    CountsOf<G>& counts = batch.counts[i];
    CountsOf<G>& answer = batch.answer[i];
    answer.wins = atomicExch(&counts.wins, 0u);
    answer.draws = atomicExch(&counts.draws, 0u);
    if constexpr (!AcyclicGame<G>) answer.truncated = atomicExch(&counts.truncated, 0u);
  }
  if (threadIdx.x == 0) atomicExch(batch.ended, 0u);
}

// A thread a word. A Core is a plain value with
//   using Game; static constexpr int kThreads (of a block), kBlocks (at least, of an SM at a time);
//   WordOutcome play(request, word, lanes, ThreadWords<kThreads>) const;
// the block has as much memory as its threads need.
template <class Core>
__global__ __launch_bounds__(Core::kThreads, Core::kBlocks) void play_words(
    Core core, DeviceBatch<typename Core::Game> batch) {
  const std::uint64_t i = std::uint64_t{blockIdx.x} * Core::kThreads + threadIdx.x;
  const WorkItem item = find_item(batch, i);
  const WordOutcome outcome = core.play(batch.requests[item.request], item.word, item.lanes,
                                        ThreadWords<Core::kThreads>(block_memory() + threadIdx.x));
  add_outcomes(batch.counts, item.request, outcome);
  finish_batch(batch);
}

// Starts play_words() with so many bytes of memory for each block, which allow_memory() was asked
// for.
template <class Core>
DeviceError launch_words(const Core& core, std::size_t bytes,
                         const DeviceBatch<typename Core::Game>& batch, cudaStream_t stream) {
  return launch_kernel("play_words<<<>>>", play_words<Core>, blocks_of(batch.words, Core::kThreads),
                       Core::kThreads, bytes, stream, core, batch);
}

}  // namespace playproof
