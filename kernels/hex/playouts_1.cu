// The kernels of Hex on boards of up to 64 cells.
#include "kernels/hex/playouts.cuh"

namespace playproof {

template <>
DeviceError open_playout_device<Hex<1>>(int ordinal, const Hex<1>::Rules& rules,
                                        std::unique_ptr<PlayoutDevice<Hex<1>>>* device) {
  return hex_device::open<1>(ordinal, rules, device);
}

}  // namespace playproof
