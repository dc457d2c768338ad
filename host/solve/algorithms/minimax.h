// minimax: memoised exhaustive search, the oracle.
#pragma once

#include <memory>

#include "host/path/exhaustive.h"
#include "host/solve/algorithm.h"
#include "host/solve/minimax_solver.h"
#include "host/solve/path_solver.h"

namespace playproof {

class MinimaxAlgorithm {
 public:
  static CatalogueEntry info() {
    return {"minimax", "memoised exhaustive search: the oracle", {}, {}, {{"negamax", "minimax"}}};
  }
  static constexpr bool kKnowsPaths = true;
  template <Game G>
  static std::unique_ptr<SolverBase<G>> make(SolverParts<G>& parts) {
    if constexpr (!AcyclicGame<G>) {
      const ExhaustivePaths<G> search(parts.rules, parts.claim, parts.request.limits.max_nodes,
                                      memory_limit(parts.request.limits));
      return make_path_solver(parts, search);
    } else {
      return make_memoised(parts);
    }
  }

 private:
  template <Game G>
  static std::unique_ptr<SolverBase<G>> make_memoised(SolverParts<G>& parts) {
    return std::make_unique<MinimaxSolver<G>>(parts.rules, parts.position, parts.claim,
                                              parts.request, parts.names,
                                              memory_limit(parts.request.limits));
  }
};

}  // namespace playproof
