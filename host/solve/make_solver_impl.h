// Bodies of host/solve/make_solver.h, for the translation units that instantiate them.
#pragma once

#include <memory>
#include <utility>

#include "games/core/error.h"
#include "host/solve/algorithms.h"
#include "host/solve/make_solver.h"
#include "host/solve/minimax.h"

namespace playproof {

template <Game G>
std::unique_ptr<SolverBase<G>> make_claim_solver(const typename G::Rules& rules,
                                                 const typename G::State& position, int threshold,
                                                 const Options& algorithm,
                                                 const SolveRequest& request, SolverNames names,
                                                 const PlayoutEvaluator<G>* drivers) {
  const Claim claim{G::to_move(rules, position), static_cast<Value>(threshold)};
  SolverParts<G> parts{rules, position, claim, algorithm, request, std::move(names), drivers};
  std::unique_ptr<SolverBase<G>> solver;
  AllAlgorithms::visit(algorithm_catalogue().index(algorithm.entry()), [&]<class A>() {
    if (request.keeper != nullptr && !kHasTable<A>) {
      throw Error(ErrorCode::kUsage, "--keep-table: " + algorithm.entry().name + " has no table");
    }
    solver = A::template make<G>(parts);
  });
  return solver;
}

// Asks one question of the oracle; false if its limits came first.
template <Game G>
bool ask_within(Minimax<G>& search, const typename G::State& state, const OracleLimits& limits) {
  constexpr std::uint64_t kSlice = 1 << 16;
  search.begin(state);
  while (!search.run(kSlice)) {
    if (search.full() || (limits.stop && limits.stop())) return false;
  }
  return true;
}

template <Game G>
OracleAnswer ask_oracle(const typename G::Rules& rules, const typename G::State& position,
                        int threshold, const OracleLimits& limits) {
  const Claim claim{G::to_move(rules, position), static_cast<Value>(threshold)};
  OracleAnswer answer;
  if (G::finished(rules, position)) {
    answer.reached = value_for(claim.attacker, G::value(rules, position)) >= threshold;
    return answer;
  }
  Minimax<G> search(rules, claim, limits.max_memory == 0 ? SearchLimits::kNone : limits.max_memory);
  Move moves[G::kMaxMoves];
  const int count = G::moves(rules, position, moves);
  for (int i = 0; i < count; ++i) {
    auto child = position;
    G::play(rules, child, moves[i]);
    if (!ask_within(search, child, limits)) {
      answer.complete = false;
      return answer;
    }
    answer.moves.emplace_back(moves[i], search.answer());
    answer.reached = answer.reached || search.answer();
  }
  return answer;
}

}  // namespace playproof
