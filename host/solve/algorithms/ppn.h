// ppn: probability-based proof-number search (Song et al. 2019).
#pragma once

#include <memory>

#include "host/solve/algorithms/monte_carlo.h"
#include "host/solve/algorithms/turns.h"
#include "kernels/schemes/ppn.h"

namespace playproof {

struct PpnAlgorithm {
  static CatalogueEntry info() {
    return {"ppn", "probability-based proof-number search (Song et al. 2019)",
            rows::with_turns(rows::with_zones(rows::monte_carlo("32")))};
  }
  static void complete(Options& options) {
    rows::set_theta(options);
    rows::set_probe(options);
    rows::set_zones(options);
  }
  static constexpr bool kKnowsPaths = true;
  template <Game G>
  static std::unique_ptr<SolverBase<G>> make(SolverParts<G>& parts) {
    const Ppn scheme{parts.playouts(), win_rate_rule(parts)};
    if (auto search = make_turn_search(parts, TurnScheme<Ppn>{scheme})) return search;
    return make_best_first(parts, scheme);
  }
};

}  // namespace playproof
