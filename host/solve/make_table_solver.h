// The solver of a depth-first search: who names algorithms need not know its engines
// (host/solve/make_table_solver_impl.h).
#pragma once

#include <memory>

#include "host/playouts/evaluator.h"
#include "host/solve/solver_base.h"
#include "host/table/depth_first_options.h"
#include "host/table/depth_first_scheme_options.h"

namespace playproof {

// Options: DepthFirstOptions or DepthFirstSchemeOptions, which say what engine it is. `evaluators`:
// one for each thread, of which the first is also that of proofs; none or null for leaf numbers
// without playouts, and where another drives the strokes.
template <Game G, class Options>
std::unique_ptr<SolverBase<G>> make_table_solver(const typename G::Rules& rules,
                                                 const typename G::State& position,
                                                 const Claim& claim, const SolveRequest& request,
                                                 SolverNames names, PlayoutEvaluators<G> evaluators,
                                                 const Options& options);

}  // namespace playproof
