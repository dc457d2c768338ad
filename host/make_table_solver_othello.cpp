#include "games/othello.h"

#include "host/make_table_solver_impl.h"

namespace playproof {

template std::unique_ptr<ClaimSolver> make_table_solver<Othello>(
    const Othello::Rules&, const Othello::State&, const Claim&, const SolveRequest&, SolverNames,
    std::unique_ptr<PlayoutEvaluator<Othello>>, const DepthFirstOptions&);

}  // namespace playproof
