// Whole searches of Connect on boards of up to 64 cells on CUDA: those without playouts.
#include "games/connect/rules.h"
#include "kernels/schemes/deep_pn.h"
#include "kernels/schemes/pn.h"
#include "kernels/schemes/wpns.h"
#include "kernels/search/device.cuh"

namespace playproof {

template DeviceError open_device_searches(int, const Connect<1>::Rules&, const Pn&,
                                          const TreeOptions&, const FleetLayout&,
                                          std::unique_ptr<DeviceSearches<Connect<1>>>*);
template DeviceError open_device_searches(int, const Connect<1>::Rules&, const Wpns&,
                                          const TreeOptions&, const FleetLayout&,
                                          std::unique_ptr<DeviceSearches<Connect<1>>>*);
template DeviceError open_device_searches(int, const Connect<1>::Rules&, const DeepPn&,
                                          const TreeOptions&, const FleetLayout&,
                                          std::unique_ptr<DeviceSearches<Connect<1>>>*);

}  // namespace playproof
