// The kernels of Hex on boards of up to 361 cells.
#include "kernels/hex/playouts.cuh"

namespace playproof {

template <>
DeviceError open_playout_device<Hex<6>>(int ordinal, const Hex<6>::Rules& rules,
                                        std::unique_ptr<PlayoutDevice<Hex<6>>>* device) {
  return hex_device::open<6>(ordinal, rules, device);
}

}  // namespace playproof
