// dfpn, pds and pnstar: depth-first proof-number searches with a table; alphabeta: with the same
// table, and no thresholds.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <utility>

#include "games/core/error.h"
#include "host/solve/algorithm.h"
#include "host/solve/algorithms/turns.h"
#include "host/solve/make_table_solver.h"
#include "host/solve/option_rows.h"
#include "host/solve/path_solver.h"
#include "host/table/depth_first_options.h"
#include "host/table/path_search.h"

namespace playproof {

// Turns mean first numbers of 1 and 1, but where E or D mean leaf=deep.
inline void set_turns(Options& options) {
  if (rows::turns_of(options) == 0 || options.given("leaf")) return;
  if (options.word("leaf") != "deep") options.set_default("leaf", "unit");
}

template <Game G>
std::unique_ptr<SolverBase<G>> make_table_search(SolverParts<G>& parts) {
  DepthFirstOptions options =
      depth_first_options(parts.options, parts.search_options(parts.is("earlybreak", "on")));
  if (has_workers(parts.request)) {
    options.searchers = parts.request.workers;
    options.threads = true;
    options.alone_before = parts.request.workers_before == 1;
  }
  PlayoutEvaluators<G> playouts;
  if (options.leaf.playouts() > 0) playouts = parts.evaluators();
  return make_table_solver<G>(parts.rules, parts.position, parts.claim, parts.request, parts.names,
                              std::move(playouts), options);
}

// The options of a search where positions can come again.
template <Game G>
PathSearchOptions path_search_options(const SolverParts<G>& parts) {
  const DepthFirstOptions all =
      depth_first_options(parts.options, parts.search_options(parts.is("earlybreak", "on")));
  PathSearchOptions options;
  options.rule = all.rule;
  options.leaf = all.leaf;
  options.history = history_rule(parts);
  options.loops = parts.is("loops", "tca")        ? LoopRule::kTca
                  : parts.is("loops", "dfpnr")    ? LoopRule::kDfpnR
                  : parts.is("loops", "patience") ? LoopRule::kPatience
                                                  : LoopRule::kNone;
  options.patience = static_cast<std::uint64_t>(parts.options.integer("patience"));
  options.similar = parts.is("similar", "simulation") ? SimilarRule::kSimulation
                    : parts.is("similar", "killer")   ? SimilarRule::kKiller
                                                      : SimilarRule::kNone;
  options.table_bytes = all.table.bytes;
  options.search = static_cast<const SearchOptions&>(all);
  return options;
}

template <Game G>
std::unique_ptr<SolverBase<G>> make_depth_first(SolverParts<G>& parts) {
  if (parts.options.has("turns")) {
    const DepthFirstOptions options = depth_first_options(parts.options, {});
    auto search = make_turn_search(parts, TurnProofNumbers{options.leaf, options.rule});
    if (search != nullptr) return search;
  }
  if constexpr (!AcyclicGame<G>) {
    const PathSearch<G> search(parts.rules, parts.claim, path_search_options(parts));
    return make_path_solver(parts, search);
  } else {
    return make_table_search(parts);
  }
}

inline void complete_depth_first(Options& options) {
  rows::set_deep_leaf(options);
  set_turns(options);
  rows::set_order(options);  // before zones: it may mean connections
  rows::set_zones(options);
}

struct DfpnAlgorithm {
  static CatalogueEntry info() {
    return {
        "dfpn", "depth-first proof-number search with a table (Nagai 2002)",
        rows::with_turns(rows::depth_first(
            "playouts",
            {rows::with(rows::integer("increment", "1", 0, 1e9,
                                      "threshold over the second child's; 0: mean first number"),
                        "epsilon", {"0"}),
             rows::real("epsilon", "0", 0, 1000,
                        "threshold (1 + epsilon) times the second child's")}))};
  }
  static constexpr bool kHasTable = true;
  static constexpr bool kKnowsPaths = true;
  static void complete(Options& options) { complete_depth_first(options); }
  template <Game G>
  static std::unique_ptr<SolverBase<G>> make(SolverParts<G>& parts) {
    return make_depth_first(parts);
  }
};

struct PdsAlgorithm {
  static CatalogueEntry info() {
    return {
        "pds", "proof and disproof number search (Nagai 1998)",
        rows::with_turns(rows::depth_first(
            "unit", {rows::later(rows::words("deepen", {"parent", "child"},
                                             "a call raises the lesser number of the parent, or of "
                                             "the child itself"))}))};
  }
  static constexpr bool kHasTable = true;
  static constexpr bool kKnowsPaths = true;
  static void complete(Options& options) { complete_depth_first(options); }
  template <Game G>
  static std::unique_ptr<SolverBase<G>> make(SolverParts<G>& parts) {
    return make_depth_first(parts);
  }
};

struct PnStarAlgorithm {
  static CatalogueEntry info() {
    return {"pnstar", "PN*: depth-first, deepens the proof number alone (Seo et al. 2001)",
            rows::with_turns(rows::depth_first("unit", {}))};
  }
  static constexpr bool kHasTable = true;
  static constexpr bool kKnowsPaths = true;
  static void complete(Options& options) { complete_depth_first(options); }
  template <Game G>
  static std::unique_ptr<SolverBase<G>> make(SolverParts<G>& parts) {
    return make_depth_first(parts);
  }
};

struct AlphaBetaAlgorithm {
  static CatalogueEntry info() {
    return {"alphabeta",
            "alpha-beta (Knuth and Moore 1975) for a question with two answers; with a table",
            rows::alpha_beta()};
  }
  static constexpr bool kHasTable = true;
  static constexpr bool kKnowsPaths = true;
  static void complete(Options& options) {
    rows::set_order(options);
    rows::set_zones(options);
  }
  template <Game G>
  static std::unique_ptr<SolverBase<G>> make(SolverParts<G>& parts) {
    return make_depth_first(parts);
  }
};

}  // namespace playproof
