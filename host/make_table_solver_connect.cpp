#include "games/connect.h"

#include "host/make_table_solver_impl.h"

namespace playproof {

template std::unique_ptr<ClaimSolver> make_table_solver<Connect<1>>(
    const Connect<1>::Rules&, const Connect<1>::State&, const Claim&, const SolveRequest&,
    SolverNames, std::unique_ptr<PlayoutEvaluator<Connect<1>>>, const DepthFirstOptions&);
template std::unique_ptr<ClaimSolver> make_table_solver<Connect<6>>(
    const Connect<6>::Rules&, const Connect<6>::State&, const Claim&, const SolveRequest&,
    SolverNames, std::unique_ptr<PlayoutEvaluator<Connect<6>>>, const DepthFirstOptions&);

}  // namespace playproof
