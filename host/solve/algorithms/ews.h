// ews: Expected Work Search (Randall et al. 2024), win rates and proof sizes in one order.
#pragma once

#include <memory>

#include "host/solve/best_first_maker.h"
#include "host/solve/option_rows.h"
#include "host/tree/schemes/ews.h"

namespace playproof {

class EwsAlgorithm {
 public:
  static CatalogueEntry info() {
    return {"ews", "Expected Work Search (Randall et al. 2024): win rates and proof sizes",
            rows::joined({rows::playouts("32"),
                          rows::words("leaf", {"both", "rollout", "unit"},
                                      "work of an unsolved leaf with m moves, L plies left: a win "
                                      "A^(1-R) L^plies, a loss A^R m L^plies; m L both; or 1 both"),
                          rows::real("A", "32768", 1, 1e12, "leaf=both: base"),
                          rows::whole("plies", "2", 0, 8, "leaf=both: power of the plies left"),
                          rows::early_break(), rows::order()},
                         rows::with_bridges(rows::probes()))};
  }
  static void complete(Options& options) {
    rows::set_probe(options);
    rows::set_zones(options);
  }
  template <Game G>
  static std::unique_ptr<SolverBase<G>> make(SolverParts<G>& parts) {
    return make_best_first(parts, Ews{parts.playouts(), leaf_work(parts.options)});
  }

 private:
  static EwsLeafWork leaf_work(const Options& options) {
    if (options.word("leaf") == "rollout") return EwsLeafWork::rollout();
    if (options.word("leaf") == "unit") return EwsLeafWork::unit();
    return EwsLeafWork::both(static_cast<int>(options.integer("playouts")), options.real("A"),
                             static_cast<int>(options.integer("plies")));
  }
};

}  // namespace playproof
