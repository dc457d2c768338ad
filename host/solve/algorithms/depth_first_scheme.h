// What depth-first searches by a scheme's labels (host/table/depth_first_scheme.h) share: dfppn,
// dfews.
#pragma once

#include <memory>
#include <utility>

#include "host/solve/algorithm.h"
#include "host/solve/make_table_solver.h"
#include "host/solve/option_rows.h"
#include "host/table/depth_first_scheme_options.h"

namespace playproof {

template <Game G, class S>
std::unique_ptr<SolverBase<G>> make_depth_first_scheme(SolverParts<G>& parts, const S& scheme) {
  DepthFirstSchemeOptions<S> options;
  static_cast<SearchOptions&>(options) = parts.search_options(parts.is("earlybreak", "on"));
  options.scheme = scheme;
  options.epsilon = parts.options.real("epsilon");
  options.table = table_options(parts.options);
  options.table.beside = options.zones;
  options.symmetry = parts.is("symmetry", "on");
  auto playouts = parts.evaluator();
  return make_table_solver<G>(parts.rules, parts.position, parts.claim, parts.request, parts.names,
                              std::move(playouts), options);
}

}  // namespace playproof
