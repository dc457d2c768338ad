// What depth-first searches by a scheme's labels (host/table/depth_first_scheme.h) share: dfppn,
// dfews.
#pragma once

#include <memory>
#include <utility>

#include "host/playouts/evaluator_keeper.h"
#include "host/solve/algorithm.h"
#include "host/solve/make_table_solver.h"
#include "host/solve/option_rows.h"
#include "host/solve/path_solver.h"
#include "host/table/depth_first_scheme_options.h"
#include "host/table/path_scheme_search.h"

namespace playproof {

// Where positions can come again.
template <Game G, class S>
std::unique_ptr<SolverBase<G>> make_path_scheme(SolverParts<G>& parts, const S& scheme) {
  PathSchemeOptions<G, S> options;
  options.history = history_rule(parts);
  options.table_bytes = table_options(parts.options).bytes;
  options.search = parts.search_options(parts.is("earlybreak", "on"));
  options.scheme = scheme;
  options.epsilon = parts.options.real("epsilon");
  options.playouts = parts.evaluator();
  if (options.playouts == nullptr) {  // who drives others cannot drive this one
    EvaluatorKeeper none;
    options.playouts = none.find<G>(parts.rules, "auto", 1);
  }
  return make_path_solver(parts, PathSchemeSearch<G, S>(parts.rules, parts.claim, options));
}

template <Game G, class S>
std::unique_ptr<SolverBase<G>> make_table_scheme(SolverParts<G>& parts, const S& scheme) {
  DepthFirstSchemeOptions<S> options;
  static_cast<SearchOptions&>(options) = parts.search_options(parts.is("earlybreak", "on"));
  options.scheme = scheme;
  options.epsilon = parts.options.real("epsilon");
  options.table = table_options(parts.options);
  options.table.beside = options.zones;
  options.symmetry = parts.is("symmetry", "on");
  PlayoutEvaluators<G> playouts = {parts.evaluator()};
  return make_table_solver<G>(parts.rules, parts.position, parts.claim, parts.request, parts.names,
                              std::move(playouts), options);
}

template <Game G, class S>
std::unique_ptr<SolverBase<G>> make_depth_first_scheme(SolverParts<G>& parts, const S& scheme) {
  if constexpr (AcyclicGame<G>) {
    return make_table_scheme(parts, scheme);
  } else {
    return make_path_scheme(parts, scheme);
  }
}

}  // namespace playproof
