// Stands in for the .cu files in builds without CUDA.
#include "games/connect.h"
#include "games/hex.h"
#include "games/othello.h"
#include "games/pgame.h"
#include "kernels/device_info.h"
#include "kernels/pgame_values.h"
#include "kernels/playout_device.h"

namespace playproof {

bool cuda_built() { return false; }

std::vector<DeviceInfo> list_devices() { return {}; }

namespace {

DeviceError not_built(const char* call) {
  DeviceError error;
  error.code = DeviceError::kNotBuilt;
  error.call = call;
  error.text = "this build has no CUDA";
  error.absent = true;
  return error;
}

}  // namespace

DeviceError pgame_values(int, const PGame::Rules&, std::span<const PGame::State>, Value*,
                         std::size_t) {
  return not_built("pgame_values");
}

template <class G>
DeviceError open_playout_device(int, const typename G::Rules&, std::uint64_t,
                                std::unique_ptr<PlayoutDevice<G>>* device) {
  device->reset();
  return not_built("open_playout_device");
}

template DeviceError open_playout_device<PGame>(int, const PGame::Rules&, std::uint64_t,
                                                std::unique_ptr<PlayoutDevice<PGame>>*);
template DeviceError open_playout_device<Hex<1>>(int, const Hex<1>::Rules&, std::uint64_t,
                                                 std::unique_ptr<PlayoutDevice<Hex<1>>>*);
template DeviceError open_playout_device<Hex<6>>(int, const Hex<6>::Rules&, std::uint64_t,
                                                 std::unique_ptr<PlayoutDevice<Hex<6>>>*);
template DeviceError open_playout_device<Othello>(int, const Othello::Rules&, std::uint64_t,
                                                  std::unique_ptr<PlayoutDevice<Othello>>*);
template DeviceError open_playout_device<Connect<1>>(int, const Connect<1>::Rules&, std::uint64_t,
                                                     std::unique_ptr<PlayoutDevice<Connect<1>>>*);
template DeviceError open_playout_device<Connect<6>>(int, const Connect<6>::Rules&, std::uint64_t,
                                                     std::unique_ptr<PlayoutDevice<Connect<6>>>*);

}  // namespace playproof
