// The solver of a depth-first search, apart from those of the trees
// (host/solve/make_solver_impl.h), so that they compile apart. One translation unit a game type
// (host/solve/make_table_solver.cpp.in).
#pragma once

#include <memory>

#include "host/playouts/evaluator.h"
#include "host/solve/solver_base.h"
#include "host/table/depth_first_options.h"
#include "host/table/depth_first_ppn_options.h"

namespace playproof {

// Options: DepthFirstOptions or DepthFirstPpnOptions, which say what engine it is. `evaluator` is
// null for leaf numbers without playouts, and where another drives the strokes.
template <Game G, class Options>
std::unique_ptr<SolverBase<G>> make_table_solver(const typename G::Rules& rules,
                                                 const typename G::State& position,
                                                 const Claim& claim, const SolveRequest& request,
                                                 SolverNames names,
                                                 std::unique_ptr<PlayoutEvaluator<G>> evaluator,
                                                 const Options& options);

}  // namespace playproof
