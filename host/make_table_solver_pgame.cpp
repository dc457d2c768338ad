#include "games/pgame.h"

#include "host/make_table_solver_impl.h"

namespace playproof {

template std::unique_ptr<ClaimSolver> make_table_solver<PGame>(
    const PGame::Rules&, const PGame::State&, const Claim&, const SolveRequest&, SolverNames,
    std::unique_ptr<PlayoutEvaluator<PGame>>, const DepthFirstOptions&);

}  // namespace playproof
