// Whole searches of Hex on boards of up to 64 cells on CUDA: those without playouts.
#include "games/hex/rules.h"
#include "kernels/schemes/deep_pn.h"
#include "kernels/schemes/pn.h"
#include "kernels/schemes/wpns.h"
#include "kernels/search/device.cuh"

namespace playproof {

template struct SearchesBy<Hex<1>, Pn>;
template struct SearchesBy<Hex<1>, DeepestPn>;
template struct SearchesBy<Hex<1>, Wpns>;
template struct SearchesBy<Hex<1>, DeepPn>;

}  // namespace playproof
