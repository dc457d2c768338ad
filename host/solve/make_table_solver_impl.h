// Body of host/solve/make_table_solver.h, for the translation units that instantiate it.
#pragma once

#include <memory>
#include <utility>

#include "host/solve/make_table_solver.h"
#include "host/solve/table_solver.h"
#include "host/table/depth_first.h"
#include "host/table/depth_first_ppn.h"

namespace playproof {

template <Game G>
std::unique_ptr<SolverBase<G>> make_table_solver(const typename G::Rules& rules,
                                                 const typename G::State& position,
                                                 const Claim& claim, const SolveRequest& request,
                                                 SolverNames names,
                                                 std::unique_ptr<PlayoutEvaluator<G>> evaluator,
                                                 const DepthFirstOptions& options) {
  return std::make_unique<TableSolver<G, DepthFirst<G>>>(
      rules, position, claim, request, std::move(names), std::move(evaluator), options);
}

template <Game G>
std::unique_ptr<SolverBase<G>> make_table_solver(const typename G::Rules& rules,
                                                 const typename G::State& position,
                                                 const Claim& claim, const SolveRequest& request,
                                                 SolverNames names,
                                                 std::unique_ptr<PlayoutEvaluator<G>> evaluator,
                                                 const DepthFirstPpnOptions& options) {
  return std::make_unique<TableSolver<G, DepthFirstPpn<G>>>(
      rules, position, claim, request, std::move(names), std::move(evaluator), options);
}

}  // namespace playproof
