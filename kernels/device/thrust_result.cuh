// The one place where what Thrust throws becomes a DeviceError. nvcc reads this for CUDA, g++ for
// one of Thrust's CPU systems (tests/thrust).
#pragma once

#include <thrust/system_error.h>

#include <new>

#include "kernels/device/device_info.h"

#if THRUST_DEVICE_SYSTEM == THRUST_DEVICE_SYSTEM_CUDA
#include "kernels/device/cuda_result.cuh"
#endif

namespace playproof {

#if THRUST_DEVICE_SYSTEM == THRUST_DEVICE_SYSTEM_CUDA
inline constexpr int kThrustNoMemory = cudaErrorMemoryAllocation;

inline DeviceError select_device(int ordinal) { return make_current(ordinal); }
#else
inline constexpr int kThrustNoMemory = 2;

inline DeviceError select_device(int) { return {}; }
#endif

// Runs work() on a device. `call` is a literal: who failed.
template <class Work>
DeviceError run_thrust(int ordinal, const char* call, const Work& work) {
  if (const DeviceError error = select_device(ordinal)) return error;
  try {
    work();
  } catch (const std::bad_alloc&) {
    return {kThrustNoMemory, call, "out of memory: a smaller width may fit", false, true};
  } catch (const thrust::system_error& thrown) {
    return {thrown.code().value(), call, "Thrust failed", false, false};
  }
  return {};
}

}  // namespace playproof
