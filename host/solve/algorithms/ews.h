// ews: Expected Work Search (Randall et al. 2024), win rates and proof sizes in one order.
#pragma once

#include <memory>

#include "host/solve/best_first_maker.h"
#include "host/solve/option_rows.h"
#include "kernels/schemes/ews.h"

namespace playproof {

// What ews and dfews take the work at a leaf to be.
inline EwsLeafWork ews_leaf_work(const Options& options) {
  if (options.word("leaf") == "rollout") return EwsLeafWork::rollout();
  if (options.word("leaf") == "unit") return EwsLeafWork::unit();
  return EwsLeafWork::both(static_cast<int>(options.integer("playouts")), options.real("A"),
                           static_cast<int>(options.integer("plies")));
}

struct EwsAlgorithm {
  static CatalogueEntry info() {
    return {"ews", "Expected Work Search (Randall et al. 2024): win rates and proof sizes",
            rows::with_zones(rows::expected_work("32"))};
  }
  static void complete(Options& options) {
    rows::set_probe(options);
    rows::set_zones(options);
  }
  static constexpr bool kKnowsPaths = true;
  template <Game G>
  static std::unique_ptr<SolverBase<G>> make(SolverParts<G>& parts) {
    return make_best_first(parts, Ews{parts.playouts(), ews_leaf_work(parts.options)});
  }
};

}  // namespace playproof
