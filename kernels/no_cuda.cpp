// Stands in for the .cu files in builds without CUDA.
#include "kernels/device_info.h"
#include "kernels/pgame_device.h"

namespace playproof {

bool cuda_built() { return false; }

std::vector<DeviceInfo> list_devices() { return {}; }

DeviceError open_pgame_device(int, const PGame::Rules&, std::uint64_t,
                              std::unique_ptr<PGameDevice>* device) {
  device->reset();
  return {DeviceError::kNotBuilt, "open_pgame_device", "this build has no CUDA", true};
}

}  // namespace playproof
