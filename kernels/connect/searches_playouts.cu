// Whole searches of Connect on boards of up to 64 cells on CUDA: those with playouts.
#include "kernels/connect/leaf_playouts.h"
#include "kernels/schemes/ews.h"
#include "kernels/schemes/mcpn.h"
#include "kernels/schemes/mcts.h"
#include "kernels/schemes/pn.h"
#include "kernels/schemes/ppn.h"
#include "kernels/search/device.cuh"

namespace playproof {

template struct SearchesBy<Connect<1>, PlayoutPn>;
template struct SearchesBy<Connect<1>, Deepest<PlayoutPn>>;
template struct SearchesBy<Connect<1>, Mcpn>;
template struct SearchesBy<Connect<1>, Ppn>;
template struct SearchesBy<Connect<1>, Ews>;
template struct SearchesBy<Connect<1>, MctsRule>;

}  // namespace playproof
