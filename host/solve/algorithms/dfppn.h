// dfppn: depth-first probability-based proof-number search with a table.
#pragma once

#include <memory>
#include <utility>

#include "host/solve/algorithms/monte_carlo.h"
#include "host/solve/make_table_solver.h"

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
            {rows::zones().back(), rows::fill()})};
  }
  static constexpr bool kHasTable = true;
  static void complete(Options& options) {
    rows::set_theta(options);
    rows::set_probe(options);
    rows::set_zones(options);
  }
  template <Game G>
  static std::unique_ptr<SolverBase<G>> make(SolverParts<G>& parts) {
    DepthFirstPpnOptions options;
    static_cast<SearchOptions&>(options) = parts.search_options(parts.is("earlybreak", "on"));
    options.ppn = {parts.playouts(), win_rate_rule(parts)};
    options.epsilon = parts.options.real("epsilon");
    options.table = table_options(parts.options);
    options.zones = parts.zones();
    options.patterns = static_cast<int>(parts.options.integer("patterns"));
    options.bridges = parts.bridges();
    options.links = parts.links();
    options.fill = fill_level(parts.options);
    options.table.beside = options.zones;
    options.symmetry = parts.is("symmetry", "on");
    auto playouts = parts.evaluator();
    return make_table_solver<G>(parts.rules, parts.position, parts.claim, parts.request,
                                parts.names, std::move(playouts), options);
  }
};

}  // namespace playproof
