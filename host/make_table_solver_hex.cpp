#include "games/hex.h"

#include "host/make_table_solver_impl.h"

namespace playproof {

template std::unique_ptr<ClaimSolver> make_table_solver<Hex<1>>(
    const Hex<1>::Rules&, const Hex<1>::State&, const Claim&, const SolveRequest&, SolverNames,
    std::unique_ptr<PlayoutEvaluator<Hex<1>>>, const DepthFirstOptions&);
template std::unique_ptr<ClaimSolver> make_table_solver<Hex<6>>(
    const Hex<6>::Rules&, const Hex<6>::State&, const Claim&, const SolveRequest&, SolverNames,
    std::unique_ptr<PlayoutEvaluator<Hex<6>>>, const DepthFirstOptions&);

}  // namespace playproof
