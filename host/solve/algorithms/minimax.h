// minimax: memoised exhaustive search, the oracle.
#pragma once

#include <memory>

#include "host/solve/algorithm.h"
#include "host/solve/minimax_solver.h"

namespace playproof {

struct MinimaxAlgorithm {
  static CatalogueEntry info() {
    return {"minimax", "memoised exhaustive search: the oracle", {}, {}, {{"negamax", "minimax"}}};
  }
  template <Game G>
  static std::unique_ptr<SolverBase<G>> make(SolverParts<G>& parts) {
    return std::make_unique<MinimaxSolver<G>>(parts.rules, parts.position, parts.claim,
                                              parts.request, parts.names,
                                              memory_limit(parts.request.limits));
  }
};

}  // namespace playproof
