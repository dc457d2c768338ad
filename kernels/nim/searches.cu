// Whole searches of Nim on CUDA.
#include "games/nim/rules.h"
#include "kernels/schemes/deep_pn.h"
#include "kernels/schemes/ews.h"
#include "kernels/schemes/mcpn.h"
#include "kernels/schemes/mcts.h"
#include "kernels/schemes/pn.h"
#include "kernels/schemes/ppn.h"
#include "kernels/schemes/wpns.h"
#include "kernels/search/device.cuh"

namespace playproof {

template struct SearchesBy<Nim, Pn>;
template struct SearchesBy<Nim, DeepestPn>;
template struct SearchesBy<Nim, Wpns>;
template struct SearchesBy<Nim, DeepPn>;
template struct SearchesBy<Nim, PlayoutPn>;
template struct SearchesBy<Nim, Deepest<PlayoutPn>>;
template struct SearchesBy<Nim, Mcpn>;
template struct SearchesBy<Nim, Ppn>;
template struct SearchesBy<Nim, Ews>;
template struct SearchesBy<Nim, MctsRule>;

}  // namespace playproof
