// Proof searches on turns as solvers of one claim: does the side to move win
// (games/connect/rzop.h)? If no such win is found, nothing is decided.
#pragma once

#include <memory>

#include "games/connect/rules.h"
#include "games/connect/rzop_options.h"
#include "host/playouts/evaluator.h"
#include "host/solve/solver_base.h"
#include "host/solve/turn_numbers.h"

namespace playproof {

// Numbers: TurnProofNumbers, or TurnScheme of DeepPn, Mcpn or Ppn.
template <int W, class Numbers>
struct TurnSolver {
  using Game = Connect<W>;

  // Its rules have two stones a turn. `evaluator` is null if numbers ask for no playouts.
  static std::unique_ptr<SolverBase<Game>> make(const typename Game::Rules& rules,
                                                const typename Game::State& position,
                                                const Claim& claim, const SolveRequest& request,
                                                SolverNames names, const RzopOptions& options,
                                                const Numbers& numbers,
                                                std::shared_ptr<PlayoutEvaluator<Game>> evaluator);
};

}  // namespace playproof
