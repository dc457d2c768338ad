#include "kernels/device/device_info.h"

#include "kernels/device/cuda_result.cuh"

// CMake 3.25.1 silently drops CUDA_STANDARD 20: see kernels/CMakeLists.txt.
static_assert(__cplusplus >= 202002L, "device code needs C++20");

namespace playproof {

bool cuda_built() { return true; }

std::vector<DeviceInfo> list_devices() {
  int count = 0;
  if (cuda_error(cudaGetDeviceCount(&count), "cudaGetDeviceCount")) return {};
  std::vector<DeviceInfo> devices;
  for (int ordinal = 0; ordinal < count; ++ordinal) {
    cudaDeviceProp properties;
    int clock_khz = 0;
    if (cuda_error(cudaGetDeviceProperties(&properties, ordinal), "cudaGetDeviceProperties") ||
        cuda_error(cudaDeviceGetAttribute(&clock_khz, cudaDevAttrClockRate, ordinal),
                   "cudaDeviceGetAttribute")) {
      continue;
    }
    devices.push_back({ordinal, properties.name, properties.major, properties.minor,
                       properties.multiProcessorCount, clock_khz, properties.totalGlobalMem});
  }
  return devices;
}

}  // namespace playproof
