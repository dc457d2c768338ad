// Memory for Thrust that is kept from call to call: an allocation of a device costs more than a
// small kernel. nvcc reads this for CUDA, g++ for one of Thrust's CPU systems (tests/thrust).
#pragma once

#include <thrust/device_allocator.h>
#include <thrust/device_vector.h>
#include <thrust/mr/allocator.h>
#include <thrust/mr/disjoint_sync_pool.h>
#include <thrust/mr/new.h>

#include <map>
#include <mutex>

namespace playproof {

// Blocks go back into the pool; what it knows of them is in the host's memory.
using DeviceMemory = thrust::device_ptr_memory_resource<thrust::device_memory_resource>;
using MemoryPool =
    thrust::mr::disjoint_synchronized_pool_resource<DeviceMemory, thrust::mr::new_delete_resource>;

template <class T>
using PooledAllocator = thrust::mr::allocator<T, MemoryPool>;
template <class T>
using PooledVector = thrust::device_vector<T, PooledAllocator<T>>;

// The pool of one device, for all threads. It is never destroyed: at exit the driver may be gone
// already.
inline MemoryPool& memory_pool(int ordinal) {
  static std::mutex mutex;
  static auto& pools = *new std::map<int, MemoryPool>;
  const std::lock_guard lock(mutex);
  return pools.try_emplace(ordinal).first->second;
}

}  // namespace playproof
