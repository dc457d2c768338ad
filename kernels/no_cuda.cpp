// Stands in for the .cu files in builds without CUDA.
#include "games/connect/rules.h"
#include "games/hex/rules.h"
#include "games/othello/rules.h"
#include "games/pgame/rules.h"
#include "kernels/device/device_info.h"
#include "kernels/device/playout_device.h"
#include "kernels/pgame/values.h"

namespace playproof {

bool cuda_built() { return false; }

std::vector<DeviceInfo> list_devices() { return {}; }

DeviceError cuda_not_built(const char* call) {
  DeviceError error;
  error.code = DeviceError::kNotBuilt;
  error.call = call;
  error.text = "this build has no CUDA";
  error.absent = true;
  return error;
}

DeviceError pgame_values(int, const PGame::Rules&, std::span<const PGame::State>, Value*,
                         std::size_t) {
  return cuda_not_built("pgame_values");
}

}  // namespace playproof
