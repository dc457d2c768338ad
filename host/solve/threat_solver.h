// `vcdt` and `vcst` as solvers of one claim: does the side to move win by turns that each leave the
// other side no free stone, or one at most (games/connect/vcdt.h, vcst.h)? If no such win is found,
// nothing is decided.
#pragma once

#include <memory>

#include "games/connect/rules.h"
#include "games/connect/vcst.h"
#include "host/solve/solver_base.h"

namespace playproof {

// Its rules have one or two stones a turn (VcdtOptions), or two (VcstOptions).
template <int W, class Settings>
std::unique_ptr<SolverBase<Connect<W>>> make_threat_solver(
    const typename Connect<W>::Rules& rules, const typename Connect<W>::State& position,
    const Claim& claim, const SolveRequest& request, SolverNames names, const Settings& settings);

}  // namespace playproof
