#include "games/pgame.h"

#include "host/make_solver_impl.h"

namespace playproof {

PLAYPROOF_INSTANTIATE_SOLVER(PGame)

}  // namespace playproof
