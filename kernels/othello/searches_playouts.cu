// Whole searches of Othello on CUDA: those with playouts.
#include "kernels/othello/leaf_playouts.h"
#include "kernels/schemes/ews.h"
#include "kernels/schemes/mcpn.h"
#include "kernels/schemes/mcts.h"
#include "kernels/schemes/pn.h"
#include "kernels/schemes/ppn.h"
#include "kernels/search/device.cuh"

namespace playproof {

template struct SearchesBy<Othello, PlayoutPn>;
template struct SearchesBy<Othello, Deepest<PlayoutPn>>;
template struct SearchesBy<Othello, Mcpn>;
template struct SearchesBy<Othello, Ppn>;
template struct SearchesBy<Othello, Ews>;
template struct SearchesBy<Othello, MctsRule>;

}  // namespace playproof
