// Whole searches of Othello on CUDA: those without playouts.
#include "games/othello/rules.h"
#include "kernels/schemes/deep_pn.h"
#include "kernels/schemes/pn.h"
#include "kernels/schemes/wpns.h"
#include "kernels/search/device.cuh"

namespace playproof {

template struct SearchesBy<Othello, Pn>;
template struct SearchesBy<Othello, DeepestPn>;
template struct SearchesBy<Othello, Wpns>;
template struct SearchesBy<Othello, DeepPn>;

}  // namespace playproof
