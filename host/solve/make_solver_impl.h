// Bodies of host/solve/make_solver.h, for the translation units that instantiate them.
#pragma once

#include <memory>
#include <string>
#include <utility>

#include "games/core/error.h"
#include "host/solve/algorithms.h"
#include "host/solve/make_solver.h"
#include "host/solve/oracle.h"

namespace playproof {

// Where positions can come again only some algorithms know what a win or loss rests on.
template <Game G, class Algorithm>
inline constexpr bool kSearches = AcyclicGame<G> || (PathGame<G> && kKnowsPaths<Algorithm>);

// Makes a search that keeps a table, or one of the others: two families that share little of what
// is long to compile. Null if the algorithm is not of this family or does not search this game.
template <Game G, bool kTable>
std::unique_ptr<SolverBase<G>> make_solver_of(SolverParts<G>& parts) {
  std::unique_ptr<SolverBase<G>> solver;
  AllAlgorithms::visit(algorithm_catalogue().index(parts.options.entry()), [&]<class A>() {
    if constexpr (kHasTable<A> == kTable && kSearches<G, A>) solver = A::template make<G>(parts);
  });
  return solver;
}

template <Game G>
std::unique_ptr<SolverBase<G>> make_claim_solver(const typename G::Rules& rules,
                                                 const typename G::State& position, int threshold,
                                                 const Options& algorithm,
                                                 const SolveRequest& request, SolverNames names,
                                                 const PlayoutEvaluator<G>* drivers) {
  const Claim claim{G::to_move(rules, position), static_cast<Value>(threshold)};
  SolverParts<G> parts{rules, position, claim, algorithm, request, std::move(names), drivers};
  const std::string& name = algorithm.entry().name;
  const bool table = keeps_table(name);
  if (request.keeper != nullptr && !table) {
    throw Error(ErrorCode::kUsage, "--keep-table: " + name + " has no table");
  }
  if (request.pipeline > 1 && table) {
    throw Error(ErrorCode::kUsage, "--pipeline: " + name +
                                       " asks about the children of one node at a time; there is "
                                       "no second batch");
  }
  if (request.workers > 1 && drivers != nullptr) {
    throw Error(ErrorCode::kUsage, "--workers: searches that one thread drives have one each");
  }
  if constexpr (PathGame<G>) {
    if (request.keeper != nullptr) {
      throw Error(ErrorCode::kUsage, "--keep-table: not where positions can come again");
    }
  }
  std::unique_ptr<SolverBase<G>> solver =
      table ? make_solver_of<G, true>(parts) : make_solver_of<G, false>(parts);
  if (solver == nullptr) refuse_repetition(name);
  return solver;
}

}  // namespace playproof
