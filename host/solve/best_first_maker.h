// Makes the solver of a best-first search from its scheme.
#pragma once

#include <memory>
#include <utility>

#include "host/solve/algorithm.h"
#include "host/solve/tree_solver.h"
#include "host/tree/best_first.h"

namespace playproof {

template <Game G, Scheme S>
std::unique_ptr<SolverBase<G>> make_best_first(SolverParts<G>& parts, const S& scheme,
                                               StopRule stop = StopRule::kAllis,
                                               bool stay_on_path = false) {
  using Engine = BestFirst<G, S>;
  typename Engine::Options options{parts.search_options(parts.is("earlybreak", "on"))};
  options.stop = stop;
  options.stay_on_path = stay_on_path;
  std::shared_ptr<PlayoutEvaluator<G>> playouts;
  if constexpr (S::kPlayouts) playouts = parts.evaluator();  // refuses what may never end
  return std::make_unique<TreeSolver<G, Engine>>(parts.rules, parts.position, parts.claim,
                                                 parts.request, parts.names, std::move(playouts),
                                                 scheme, options);
}

}  // namespace playproof
