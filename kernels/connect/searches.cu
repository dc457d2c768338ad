// Whole searches of Connect on boards of up to 64 cells on CUDA: those without playouts.
#include "games/connect/rules.h"
#include "kernels/schemes/deep_pn.h"
#include "kernels/schemes/pn.h"
#include "kernels/schemes/wpns.h"
#include "kernels/search/device.cuh"

namespace playproof {

template struct SearchesBy<Connect<1>, Pn>;
template struct SearchesBy<Connect<1>, DeepestPn>;
template struct SearchesBy<Connect<1>, Wpns>;
template struct SearchesBy<Connect<1>, DeepPn>;

}  // namespace playproof
