// The one place where CUDA's return codes become DeviceErrors.
#pragma once

#include <cuda_runtime.h>

#include "kernels/device_info.h"

namespace playproof {

// cuda_error(cudaMalloc(...), "cudaMalloc"). Also clears the error that CUDA remembers, so that it
// is not reported again by the next call.
inline DeviceError cuda_error(cudaError_t code, const char* call) {
  if (code == cudaSuccess) return {};
  static_cast<void>(cudaGetLastError());
  return {static_cast<int>(code), call, cudaGetErrorString(code)};
}

// No driver, a driver that is older than the toolkit, a stub of one, or no device: nothing is
// wrong, there is just no accelerator here.
inline bool means_absent(const DeviceError& error) {
  return error.code == cudaErrorInsufficientDriver || error.code == cudaErrorNoDevice ||
         error.code == cudaErrorStubLibrary;
}

}  // namespace playproof
