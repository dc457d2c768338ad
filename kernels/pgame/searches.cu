// Whole searches of P-games on CUDA.
#include "kernels/pgame/leaf_playouts.h"
#include "kernels/schemes/deep_pn.h"
#include "kernels/schemes/mcpn.h"
#include "kernels/schemes/pn.h"
#include "kernels/schemes/ppn.h"
#include "kernels/schemes/wpns.h"
#include "kernels/search/device.cuh"

namespace playproof {

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

}  // namespace playproof
