// dfews: Expected Work Search (Randall et al. 2024), depth-first with a table.
#pragma once

#include <memory>

#include "host/solve/algorithms/depth_first_scheme.h"
#include "host/solve/algorithms/ews.h"

namespace playproof {

struct DfewsAlgorithm {
  static CatalogueEntry info() {
    return {"dfews", "Expected Work Search (Randall et al. 2024), depth-first with a table",
            rows::joined(rows::joined(rows::joined({rows::real("epsilon", "0.25", 0, 1000,
                                                               "a child is left when it costs over "
                                                               "(1 + epsilon) times as much as "
                                                               "another; 0: as ews")},
                                                   rows::table()),
                                      rows::expected_work("32")),
                         {rows::zones().back(), rows::fill(), rows::history()})};
  }
  static constexpr bool kHasTable = true;
  static constexpr bool kKnowsPaths = true;
  static void complete(Options& options) {
    rows::set_probe(options);
    rows::set_zones(options);
  }
  template <Game G>
  static std::unique_ptr<SolverBase<G>> make(SolverParts<G>& parts) {
    return make_depth_first_scheme(parts, Ews{parts.playouts(), ews_leaf_work(parts.options)});
  }
};

}  // namespace playproof
