// dfppn: depth-first probability-based proof-number search with a table.
#pragma once

#include <memory>

#include "host/solve/algorithms/depth_first_scheme.h"
#include "host/solve/algorithms/monte_carlo.h"
#include "kernels/schemes/ppn.h"

namespace playproof {

struct DfppnAlgorithm {
  static CatalogueEntry info() {
    return {
        "dfppn", "depth-first probability-based proof-number search with a table",
        rows::joined(
            rows::joined(rows::joined({rows::real("epsilon", "1", 0, 1000,
                                                  "a child is left when another's probability is "
                                                  "over (1 + epsilon) times its own; 0: as ppn")},
                                      rows::table()),
                         rows::monte_carlo("64")),
            {rows::zones().back(), rows::fill(), rows::history()})};
  }
  static constexpr bool kHasTable = true;
  static constexpr bool kKnowsPaths = true;
  static void complete(Options& options) {
    rows::set_theta(options);
    rows::set_probe(options);
    rows::set_zones(options);
  }
  template <Game G>
  static std::unique_ptr<SolverBase<G>> make(SolverParts<G>& parts) {
    return make_depth_first_scheme(parts, Ppn{parts.playouts(), win_rate_rule(parts)});
  }
};

}  // namespace playproof
