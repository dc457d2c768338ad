#include "games/connect.h"

#include "host/make_solver_impl.h"

namespace playproof {

PLAYPROOF_INSTANTIATE_SOLVER(Connect<1>)
PLAYPROOF_INSTANTIATE_SOLVER(Connect<6>)

}  // namespace playproof
