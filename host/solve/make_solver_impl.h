// Bodies of host/solve/make_solver.h, for the translation units that instantiate them.
#pragma once

#include <memory>
#include <string>
#include <utility>

#include "games/core/error.h"
#include "host/solve/algorithms.h"
#include "host/solve/make_solver.h"
#include "host/solve/oracle.h"

namespace playproof {

template <Game G>
std::unique_ptr<SolverBase<G>> make_claim_solver(const typename G::Rules& rules,
                                                 const typename G::State& position, int threshold,
                                                 const Options& algorithm,
                                                 const SolveRequest& request, SolverNames names,
                                                 const PlayoutEvaluator<G>* drivers) {
  const Claim claim{G::to_move(rules, position), static_cast<Value>(threshold)};
  SolverParts<G> parts{rules, position, claim, algorithm, request, std::move(names), drivers};
  std::unique_ptr<SolverBase<G>> solver;
  AllAlgorithms::visit(algorithm_catalogue().index(algorithm.entry()), [&]<class A>() {
    if (request.keeper != nullptr && !kHasTable<A>) {
      throw Error(ErrorCode::kUsage, "--keep-table: " + algorithm.entry().name + " has no table");
    }
    if (request.pipeline > 1 && kHasTable<A>) {
      throw Error(ErrorCode::kUsage, "--pipeline: " + algorithm.entry().name +
                                         " asks about the children of one node at a time; there is "
                                         "no second batch");
    }
    if constexpr (AcyclicGame<G>) {
      solver = A::template make<G>(parts);
    } else {
      refuse_repetition(algorithm.entry().name);
    }
  });
  return solver;
}

}  // namespace playproof
