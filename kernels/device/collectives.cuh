// What the threads of a warp or block do together, by CUB, and the memory of a block: behind names
// of our own, so that tests/emulated can have this header otherwise.
#pragma once

#include <cstdint>
#include <cub/thread/thread_search.cuh>
#include <cub/warp/warp_reduce.cuh>

namespace playproof {

// The first of `count` ends that is greater than `at`.
__device__ inline std::uint32_t upper_bound(const std::uint64_t* ends, std::uint32_t count,
                                            std::uint64_t at) {
  return cub::UpperBound(ends, count, at);
}

// All threads of a warp call it, each of which is the head of a segment or of that before it: heads
// get the sum of the segment, others nothing in particular.
__device__ inline std::uint32_t sum_of_segment(std::uint32_t value, bool head) {
  using Reduce = cub::WarpReduce<std::uint32_t>;
  __shared__ typename Reduce::TempStorage storage;  // empty: values are shuffled
  return Reduce(storage).HeadSegmentedSum(value, head ? 1 : 0);
}

// The block's own memory: as many bytes as the launch says.
__device__ inline std::uint32_t* block_memory() {
  extern __shared__ std::uint32_t memory[];
  return memory;
}

}  // namespace playproof
