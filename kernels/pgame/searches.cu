// Whole searches of P-games on CUDA.
#include "kernels/pgame/leaf_playouts.h"
#include "kernels/schemes/deep_pn.h"
#include "kernels/schemes/ews.h"
#include "kernels/schemes/mcpn.h"
#include "kernels/schemes/mcts.h"
#include "kernels/schemes/pn.h"
#include "kernels/schemes/ppn.h"
#include "kernels/schemes/wpns.h"
#include "kernels/search/device.cuh"

namespace playproof {

template struct SearchesBy<PGame, Pn>;
template struct SearchesBy<PGame, DeepestPn>;
template struct SearchesBy<PGame, Wpns>;
template struct SearchesBy<PGame, DeepPn>;
template struct SearchesBy<PGame, PlayoutPn>;
template struct SearchesBy<PGame, Deepest<PlayoutPn>>;
template struct SearchesBy<PGame, Mcpn>;
template struct SearchesBy<PGame, Ppn>;
template struct SearchesBy<PGame, Ews>;
template struct SearchesBy<PGame, MctsRule>;

}  // namespace playproof
