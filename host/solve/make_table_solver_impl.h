// Body of host/solve/make_table_solver.h, for the translation units that instantiate it.
#pragma once

#include <memory>
#include <utility>

#include "host/jobs/shared_search.h"
#include "host/solve/make_table_solver.h"
#include "host/solve/table_solver.h"
#include "host/table/depth_first.h"
#include "host/table/depth_first_scheme.h"
#include "host/table/kept_table.h"

namespace playproof {

// Never called: the type of the engine that has these options.
template <Game G>
DepthFirst<G> engine_of(const DepthFirstOptions&);
template <Game G, Scheme S>
DepthFirstScheme<G, S> engine_of(const DepthFirstSchemeOptions<S>&);

template <Game G, class Options>
std::unique_ptr<SolverBase<G>> make_table_solver(const typename G::Rules& rules,
                                                 const typename G::State& position,
                                                 const Claim& claim, const SolveRequest& request,
                                                 SolverNames names, PlayoutEvaluators<G> evaluators,
                                                 const Options& options) {
  using Engine = decltype(engine_of<G>(options));
  using Kept = KeptPositions<typename Engine::Table>;
  const auto make = [&](std::unique_ptr<KeptTable> kept) -> std::unique_ptr<AnyTableSearch<G>> {
    auto table = kept == nullptr ? typename Engine::Table(options.table)
                                 : std::move(*static_cast<Kept&>(*kept).table);
    if constexpr (requires { options.searchers; }) {
      if (options.searchers > 1 || options.threads) {
        return std::make_unique<SharedSearch<typename Engine::Searcher>>(rules, position, claim,
                                                                         options, std::move(table));
      }
    }
    table.share(false);
    return std::make_unique<Engine>(rules, position, claim, options, std::move(table));
  };
  return std::make_unique<TableSolver<G>>(rules, position, claim, request, std::move(names),
                                          std::move(evaluators), options.max_bytes, make);
}

}  // namespace playproof
