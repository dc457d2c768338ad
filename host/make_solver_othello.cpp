#include "games/othello.h"

#include "host/make_solver_impl.h"

namespace playproof {

PLAYPROOF_INSTANTIATE_SOLVER(Othello)

}  // namespace playproof
