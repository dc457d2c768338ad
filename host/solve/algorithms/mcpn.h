// mcpn: Monte-Carlo proof-number search (Saito et al. 2006).
#pragma once

#include <memory>

#include "host/solve/algorithms/monte_carlo.h"
#include "host/solve/algorithms/turns.h"
#include "kernels/schemes/mcpn.h"

namespace playproof {

struct McpnAlgorithm {
  static CatalogueEntry info() {
    return {"mcpn", "Monte-Carlo proof-number search (Saito et al. 2006)",
            rows::with_turns(rows::with_zones(rows::monte_carlo("10")))};
  }
  static void complete(Options& options) {
    rows::set_theta(options);
    rows::set_probe(options);
    rows::set_zones(options);
  }
  static constexpr bool kKnowsPaths = true;
  template <Game G>
  static std::unique_ptr<SolverBase<G>> make(SolverParts<G>& parts) {
    const Mcpn scheme{parts.playouts(), win_rate_rule(parts)};
    if (auto search = make_turn_search(parts, TurnScheme<Mcpn>{scheme})) return search;
    return make_best_first(parts, scheme);
  }
};

}  // namespace playproof
