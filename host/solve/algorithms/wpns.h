// wpns: weak proof-number search (Ueda et al. 2008), the heaviest child instead of the sum.
#pragma once

#include <memory>

#include "host/solve/best_first_maker.h"
#include "host/solve/graph_engine.h"
#include "host/solve/option_rows.h"
#include "kernels/schemes/wpns.h"

namespace playproof {

struct WpnsAlgorithm {
  static CatalogueEntry info() {
    return {"wpns", "weak proof-number search (Ueda et al. 2008): the heaviest child, not the sum",
            rows::joined({rows::words("leaf", {"unit", "mobility", "quads"},
                                      "numbers of an unsolved leaf: 1 and 1, 1 and its moves, or "
                                      "(loa) by the groups of both sides"),
                          rows::early_break(), rows::order(), rows::merge()},
                         rows::with_zones(rows::with_bridges(rows::probes())))};
  }
  static void complete(Options& options) {
    rows::set_probe(options);
    rows::set_zones(options);
  }
  static constexpr bool kKnowsPaths = true;
  template <Game G>
  static std::unique_ptr<SolverBase<G>> make(SolverParts<G>& parts) {
    const Wpns wpns{Pn{parts.is("leaf", "mobility"), parts.is("leaf", "quads")}};
    if (auto search = make_graph_search(parts, wpns)) return search;
    return make_best_first(parts, wpns);
  }
};

}  // namespace playproof
