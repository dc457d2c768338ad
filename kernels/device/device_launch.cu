#include "kernels/device/device_launch.cuh"

#include <string>

namespace playproof {

DeviceError make_current(int ordinal) {
  thread_local int current = -1;
  if (ordinal == current) return {};
  const DeviceError error = cuda_error(cudaSetDevice(ordinal), "cudaSetDevice");
  if (!error) current = ordinal;
  return error;
}

DeviceError select_device(int ordinal, std::string* name) {
  int count = 0;
  DeviceError error = cuda_error(cudaGetDeviceCount(&count), "cudaGetDeviceCount");
  if (error) return error;
  if (ordinal < 0 || ordinal >= count) return cuda_error(cudaErrorInvalidDevice, "cudaSetDevice");
  cudaDeviceProp properties;
  error = cuda_error(cudaGetDeviceProperties(&properties, ordinal), "cudaGetDeviceProperties");
  if (!error) error = make_current(ordinal);
  if (!error) *name = properties.name;
  return error;
}

}  // namespace playproof
