#include "games/hex.h"

#include "host/make_solver_impl.h"

namespace playproof {

PLAYPROOF_INSTANTIATE_SOLVER(Hex<1>)
PLAYPROOF_INSTANTIATE_SOLVER(Hex<6>)

}  // namespace playproof
