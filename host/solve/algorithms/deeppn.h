// deeppn: DeepPN (Ishitobi et al. 2015), proof numbers mixed with depth.
#pragma once

#include <memory>

#include "host/solve/algorithms/turns.h"
#include "host/solve/best_first_maker.h"
#include "host/solve/option_rows.h"
#include "kernels/schemes/deep_pn.h"

namespace playproof {

struct DeepPnAlgorithm {
  static CatalogueEntry info() {
    return {"deeppn", "DeepPN (Ishitobi et al. 2015): proof numbers mixed with depth",
            rows::with_turns(rows::joined(
                {rows::real("R", "0.65", 0, 1, "1 is PN, 0 is depth-first"),
                 rows::words("norm", {"inv", "inv1"}, "1 - 1/delta, or 1 - 1/(delta + 1)"),
                 rows::early_break(), rows::order()},
                rows::with_zones(rows::with_bridges(rows::probes()))))};
  }
  static void complete(Options& options) {
    rows::set_probe(options);
    rows::set_zones(options);
  }
  static constexpr bool kKnowsPaths = true;
  template <Game G>
  static std::unique_ptr<SolverBase<G>> make(SolverParts<G>& parts) {
    const DeepPn scheme{parts.options.real("R"), parts.is("norm", "inv1")};
    if (auto search = make_turn_search(parts, TurnScheme<DeepPn>{scheme})) return search;
    return make_best_first(parts, scheme);
  }
};

}  // namespace playproof
