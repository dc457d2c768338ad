// A search in a graph (host/tree/graph_search.h) behind host/solve/path_solver.h. What it has
// proven is found once more, for a certificate, by a search with a table.
#pragma once

#include <memory>

#include "host/solve/path_solver.h"
#include "host/table/path_search.h"
#include "host/tree/graph_search.h"

namespace playproof {

template <Game G, Scheme S>
class GraphEngine : public GraphSearch<G, S> {
 public:
  using GraphSearch<G, S>::GraphSearch;
  // Its table never loses anything.
  PathSearch<G> another(const Claim& claim) const {
    PathSearchOptions options;
    options.table_grows = true;
    options.search.look = this->options().search.look;
    return PathSearch<G>(this->rules(), claim, options);
  }
};

// The method that an option names; null: the tree method, which needs no graph.
template <Game G, Scheme S>
std::unique_ptr<SolverBase<G>> make_graph_search(SolverParts<G>& parts, const S& scheme) {
  if constexpr (AcyclicGame<G>) {
    return nullptr;
  } else {
    if (parts.is("merge", "none")) return nullptr;
    GraphSearchOptions<S> options;
    options.scheme = scheme;
    options.method = parts.is("merge", "dag")   ? GraphMethod::kDag
                     : parts.is("merge", "dcg") ? GraphMethod::kDcg
                                                : GraphMethod::kBaseTwin;
    options.search = parts.search_options(parts.is("earlybreak", "on"));
    return make_path_solver(parts, GraphEngine<G, S>(parts.rules, parts.claim, options));
  }
}

}  // namespace playproof
