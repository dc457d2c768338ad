// The one place where CUDA's return codes become DeviceErrors.
#pragma once

#include <cuda_runtime.h>

#include "kernels/device/device_info.h"

namespace playproof {

// No driver, a driver that is older than the toolkit, a stub of one, or no device.
inline bool means_absent(cudaError_t code) {
  return code == cudaErrorInsufficientDriver || code == cudaErrorNoDevice ||
         code == cudaErrorStubLibrary;
}

// Called as cuda_error(cudaMalloc(...), "cudaMalloc"), it also clears the error that CUDA
// remembers, so that it is not reported again by the next call.
inline DeviceError cuda_error(cudaError_t code, const char* call) {
  if (code == cudaSuccess) return {};
  static_cast<void>(cudaGetLastError());
  return {static_cast<int>(code), call, cudaGetErrorString(code), means_absent(code),
          code == cudaErrorMemoryAllocation};
}

// What this thread calls is of device `ordinal` from now on. All code of ours says so by this: what
// is so already is not asked of the driver again. (A program that sets a device itself, in a thread
// that also calls ours, must set it back.)
DeviceError make_current(int ordinal);

}  // namespace playproof
