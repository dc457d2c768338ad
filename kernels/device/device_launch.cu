#include "kernels/device/device_launch.cuh"

#include <cub/device/device_scan.cuh>
#include <string>

namespace playproof {

DeviceError scan_words(void* memory, std::size_t* memory_bytes, std::uint64_t* words,
                       std::size_t count, cudaStream_t stream) {
  return cuda_error(cub::DeviceScan::InclusiveSum(memory, *memory_bytes, words, words,
                                                  static_cast<std::uint32_t>(count), stream),
                    "cub::DeviceScan");
}

DeviceError select_device(int ordinal, std::string* name) {
  int count = 0;
  DeviceError error = cuda_error(cudaGetDeviceCount(&count), "cudaGetDeviceCount");
  if (error) return error;
  if (ordinal < 0 || ordinal >= count) return cuda_error(cudaErrorInvalidDevice, "cudaSetDevice");
  cudaDeviceProp properties;
  error = cuda_error(cudaGetDeviceProperties(&properties, ordinal), "cudaGetDeviceProperties");
  if (!error) error = cuda_error(cudaSetDevice(ordinal), "cudaSetDevice");
  if (!error) *name = properties.name;
  return error;
}

}  // namespace playproof
