// kernels/device/collectives.cuh without CUB, for tests/emulated.
#pragma once

#include <cuda_runtime.h>

#include <algorithm>
#include <cstdint>

namespace playproof {

__device__ inline std::uint32_t upper_bound(const std::uint64_t* ends, std::uint32_t count,
                                            std::uint64_t at) {
  return static_cast<std::uint32_t>(std::upper_bound(ends, ends + count, at) - ends);
}

__device__ inline std::uint32_t sum_of_segment(std::uint32_t value, bool head) {
  const unsigned lane = threadIdx.x % 32;
  const std::uint64_t heads = __ballot_sync(~0u, head) | std::uint64_t{1} << 32;
  const auto end = lane + 1 + static_cast<unsigned>(std::countr_zero(heads >> (lane + 1)));
  for (unsigned by = 1; by < 32; by *= 2) {
    const std::uint32_t other = __shfl_down_sync(~0u, value, by);
    if (lane + by < end) value += other;
  }
  return head ? value : 0xdeadbeef;
}

__device__ inline std::uint32_t* block_memory() {
  return static_cast<std::uint32_t*>(emulated::shared_memory());
}

}  // namespace playproof
