// Accelerators: which there are, and how their errors travel. Plain C++, in builds with and without
// CUDA alike.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace playproof {

struct DeviceInfo {
  int ordinal = 0;
  std::string name;
  int major = 0;  // compute capability
  int minor = 0;
  int multiprocessors = 0;
  int clock_khz = 0;  // at most
  std::uint64_t memory_bytes = 0;
};

// The name of a device that is a CPU (tests/emulated): its time says nothing.
inline constexpr const char* kEmulatedDevice = "emulated";

// No error if code is 0; else a cudaError_t, or kNotBuilt. The texts are literals.
struct DeviceError {
  static constexpr int kNotBuilt = -1;
  int code = 0;
  const char* call = "";  // "cudaMalloc"
  const char* text = "";
  // Nothing is wrong: there is no driver or no device, or no CUDA in this build.
  bool absent = false;
  bool out_of_memory = false;  // less at a time may fit
  explicit operator bool() const { return code != 0; }
};

// What every call says in a build without CUDA.
DeviceError cuda_not_built(const char* call);

// Whether this build has device code at all.
bool cuda_built();
// What this machine has; empty without a driver or without a device. Never fails: a device that
// cannot be asked is left out.
std::vector<DeviceInfo> list_devices();

}  // namespace playproof
