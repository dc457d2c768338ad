// Stands in for the .cu files in builds without CUDA.
#include <memory>

#include "games/connect/rules.h"
#include "games/hex/rules.h"
#include "games/nim/rules.h"
#include "games/othello/rules.h"
#include "games/pgame/rules.h"
#include "kernels/device/device_info.h"
#include "kernels/device/playout_device.h"
#include "kernels/pgame/values.h"
#include "kernels/schemes/deep_pn.h"
#include "kernels/schemes/mcpn.h"
#include "kernels/schemes/pn.h"
#include "kernels/schemes/ppn.h"
#include "kernels/schemes/wpns.h"
#include "kernels/search/device_searches.h"

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

template <Game G, Scheme S>
DeviceError open_device_searches(int, const typename G::Rules&, const S&, const TreeOptions&,
                                 const FleetLayout&, std::unique_ptr<DeviceSearches<G>>* searches) {
  searches->reset();
  return cuda_not_built("open_device_searches");
}
template DeviceError open_device_searches(int, const PGame::Rules&, const Pn&, const TreeOptions&,
                                          const FleetLayout&,
                                          std::unique_ptr<DeviceSearches<PGame>>*);
template DeviceError open_device_searches(int, const PGame::Rules&, const Wpns&, const TreeOptions&,
                                          const FleetLayout&,
                                          std::unique_ptr<DeviceSearches<PGame>>*);
template DeviceError open_device_searches(int, const PGame::Rules&, const DeepPn&,
                                          const TreeOptions&, const FleetLayout&,
                                          std::unique_ptr<DeviceSearches<PGame>>*);
template DeviceError open_device_searches(int, const PGame::Rules&, const Mcpn&, const TreeOptions&,
                                          const FleetLayout&,
                                          std::unique_ptr<DeviceSearches<PGame>>*);
template DeviceError open_device_searches(int, const PGame::Rules&, const Ppn&, const TreeOptions&,
                                          const FleetLayout&,
                                          std::unique_ptr<DeviceSearches<PGame>>*);
template DeviceError open_device_searches(int, const Nim::Rules&, const Pn&, const TreeOptions&,
                                          const FleetLayout&,
                                          std::unique_ptr<DeviceSearches<Nim>>*);
template DeviceError open_device_searches(int, const Nim::Rules&, const Wpns&, const TreeOptions&,
                                          const FleetLayout&,
                                          std::unique_ptr<DeviceSearches<Nim>>*);
template DeviceError open_device_searches(int, const Nim::Rules&, const DeepPn&, const TreeOptions&,
                                          const FleetLayout&,
                                          std::unique_ptr<DeviceSearches<Nim>>*);
template DeviceError open_device_searches(int, const Nim::Rules&, const Mcpn&, const TreeOptions&,
                                          const FleetLayout&,
                                          std::unique_ptr<DeviceSearches<Nim>>*);
template DeviceError open_device_searches(int, const Nim::Rules&, const Ppn&, const TreeOptions&,
                                          const FleetLayout&,
                                          std::unique_ptr<DeviceSearches<Nim>>*);
template DeviceError open_device_searches(int, const Connect<1>::Rules&, const Pn&,
                                          const TreeOptions&, const FleetLayout&,
                                          std::unique_ptr<DeviceSearches<Connect<1>>>*);
template DeviceError open_device_searches(int, const Connect<1>::Rules&, const Wpns&,
                                          const TreeOptions&, const FleetLayout&,
                                          std::unique_ptr<DeviceSearches<Connect<1>>>*);
template DeviceError open_device_searches(int, const Connect<1>::Rules&, const DeepPn&,
                                          const TreeOptions&, const FleetLayout&,
                                          std::unique_ptr<DeviceSearches<Connect<1>>>*);
template DeviceError open_device_searches(int, const Othello::Rules&, const Pn&, const TreeOptions&,
                                          const FleetLayout&,
                                          std::unique_ptr<DeviceSearches<Othello>>*);
template DeviceError open_device_searches(int, const Othello::Rules&, const Wpns&,
                                          const TreeOptions&, const FleetLayout&,
                                          std::unique_ptr<DeviceSearches<Othello>>*);
template DeviceError open_device_searches(int, const Othello::Rules&, const DeepPn&,
                                          const TreeOptions&, const FleetLayout&,
                                          std::unique_ptr<DeviceSearches<Othello>>*);

}  // namespace playproof
