// `vcdt` as a solver of one claim: does the side to move win by turns that each leave the other
// side no free stone (games/connect/vcdt.h)? If it does not, nothing is decided.
#pragma once

#include <memory>

#include "games/connect/rules.h"
#include "games/connect/vcdt.h"
#include "host/solve/solver_base.h"

namespace playproof {

// Its rules have one or two stones a turn.
template <int W>
std::unique_ptr<SolverBase<Connect<W>>> make_vcdt_solver(
    const typename Connect<W>::Rules& rules, const typename Connect<W>::State& position,
    const Claim& claim, const SolveRequest& request, SolverNames names, const VcdtOptions& options);

extern template std::unique_ptr<SolverBase<Connect<1>>> make_vcdt_solver<1>(
    const Connect<1>::Rules&, const Connect<1>::State&, const Claim&, const SolveRequest&,
    SolverNames, const VcdtOptions&);
extern template std::unique_ptr<SolverBase<Connect<6>>> make_vcdt_solver<6>(
    const Connect<6>::Rules&, const Connect<6>::State&, const Claim&, const SolveRequest&,
    SolverNames, const VcdtOptions&);

}  // namespace playproof
