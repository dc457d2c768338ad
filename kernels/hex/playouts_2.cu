// The kernels of Hex on boards of up to 128 cells.
#include "kernels/hex/playouts.cuh"

namespace playproof {

template <>
DeviceError open_playout_device<Hex<2>>(int ordinal, const Hex<2>::Rules& rules,
                                        std::unique_ptr<PlayoutDevice<Hex<2>>>* device) {
  return hex_device::open<2>(ordinal, rules, device);
}

}  // namespace playproof
