// pn2: two levels of PN-search (Allis 1994; Breuker 1998).
#pragma once

#include <memory>
#include <utility>

#include "host/solve/algorithm.h"
#include "host/solve/option_rows.h"
#include "host/solve/tree_solver.h"
#include "host/tree/pn2.h"

namespace playproof {

struct Pn2Algorithm {
  static CatalogueEntry info() {
    return {
        "pn2", "PN2: each node is evaluated by a second PN-search (Allis 1994, Breuker 1998)",
        rows::joined(
            {rows::words("limit", {"allis", "breuker"},
                         "nodes of a second-level search: x, those of the first level, or "
                         "min(x f(x), N - x), f(x) = 1/(1 + e^((a-x)/b)), N: what fits in "
                         "memory"),
             rows::words("evaluate", {"delayed", "immediate"},
                         "when a node becomes most-proving, or when it is created"),
             rows::with(
                 rows::real("a", "", 1, 1e15, "limit=breuker: where f is 1/2; default 1800000"),
                 "limit", {"breuker"}),
             rows::with(rows::real("b", "", 1, 1e15, "limit=breuker: width of f; default 240000"),
                        "limit", {"breuker"}),
             rows::words("leaf", {"unit", "mobility", "quads"},
                         "second-level numbers of an unsolved leaf: 1 and 1, 1 and its moves, or "
                         "(loa) by the groups of both sides"),
             rows::early_break(), rows::order()},
            rows::probes())};
  }
  static void complete(Options& options) {
    rows::set_probe(options);
    if (options.word("limit") != "breuker") return;
    constexpr std::pair<const char*, const char*> kDefaults[] = {{"a", "1800000"}, {"b", "240000"}};
    for (const auto& [key, value] : kDefaults) {
      if (!options.given(key)) options.set(key, value);
    }
  }
  static constexpr bool kKnowsPaths = true;
  template <Game G>
  static std::unique_ptr<SolverBase<G>> make(SolverParts<G>& parts) {
    typename Pn2<G>::Options options{parts.search_options(parts.is("earlybreak", "on"))};
    if (parts.is("limit", "breuker")) {
      options.limit = {true, parts.options.real("a"), parts.options.real("b")};
    }
    options.immediate = parts.is("evaluate", "immediate");
    options.leaf = {parts.is("leaf", "mobility"), parts.is("leaf", "quads")};
    return std::make_unique<TreeSolver<G, Pn2<G>>>(parts.rules, parts.position, parts.claim,
                                                   parts.request, parts.names, nullptr, options);
  }
};

}  // namespace playproof
