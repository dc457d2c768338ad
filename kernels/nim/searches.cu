// Whole searches of Nim on CUDA.
#include "games/nim/rules.h"
#include "kernels/schemes/deep_pn.h"
#include "kernels/schemes/mcpn.h"
#include "kernels/schemes/pn.h"
#include "kernels/schemes/ppn.h"
#include "kernels/schemes/wpns.h"
#include "kernels/search/device.cuh"

namespace playproof {

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

}  // namespace playproof
