#include "kernels/device/device_launch.cuh"

#include <cstring>
#include <string>

namespace playproof {
namespace {

struct alignas(16) Sixteen {
  std::uint64_t words[2];
};

template <std::size_t kBytes>
struct PartsOf {
  Sixteen parts[kBytes / sizeof(Sixteen)];
};

constexpr unsigned kUnpackThreads = 128;  // of a block

// A thread a part.
template <std::size_t kBytes>
__global__ __launch_bounds__(kUnpackThreads) void unpack_parameters(
    const __grid_constant__ PartsOf<kBytes> parameters, Sixteen* to, unsigned count) {
  const unsigned i = blockIdx.x * kUnpackThreads + threadIdx.x;
  if (i < count) to[i] = parameters.parts[i];
}

template <std::size_t kBytes>
DeviceError send(std::span<const std::byte> first, std::span<const std::byte> second, void* to,
                 cudaStream_t stream) {
  PartsOf<kBytes> parameters = {};
  auto* const bytes = reinterpret_cast<std::byte*>(parameters.parts);
  const std::size_t at = second_part(first.size_bytes());
  std::memcpy(bytes, first.data(), first.size_bytes());
  std::memcpy(bytes + at, second.data(), second.size_bytes());
  const auto count = static_cast<unsigned>(second_part(at + second.size_bytes()) / sizeof(Sixteen));
  return launch_kernel("unpack_parameters<<<>>>", unpack_parameters<kBytes>,
                       blocks_of(count, kUnpackThreads), kUnpackThreads, 0, stream, parameters,
                       static_cast<Sixteen*>(to), count);
}

}  // namespace

// A launch copies all that a kernel may be given, so there are kernels for less.
DeviceError send_parameters(std::span<const std::byte> first, std::span<const std::byte> second,
                            void* to, cudaStream_t stream) {
  const std::size_t bytes = second_part(first.size_bytes()) + second.size_bytes();
  if (bytes <= kParameterBytes / 16) return send<kParameterBytes / 16>(first, second, to, stream);
  if (bytes <= kParameterBytes / 4) return send<kParameterBytes / 4>(first, second, to, stream);
  return send<kParameterBytes>(first, second, to, stream);
}

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
