// Whole searches of Othello endings on CUDA: those without playouts.
#include "games/othello/rules.h"
#include "kernels/schemes/deep_pn.h"
#include "kernels/schemes/pn.h"
#include "kernels/schemes/wpns.h"
#include "kernels/search/device.cuh"

namespace playproof {

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
