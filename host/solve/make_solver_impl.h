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

// The searches that there are know a position's value whatever the path to it.
inline void refuse_repetition(const std::string& search) {
  throw Error(ErrorCode::kUsage, search +
                                     " needs a game in which no position can come again, and in "
                                     "this one it can (games/core/game.h, PathRule)");
}

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
    if constexpr (AcyclicGame<G>) {
      solver = A::template make<G>(parts);
    } else {
      refuse_repetition(algorithm.entry().name);
    }
  });
  return solver;
}

<<<<<<< HEAD
// Asks one question of the oracle; false if its limits came first.
template <AcyclicGame G>
bool ask_within(Minimax<G>& search, const typename G::State& state, const OracleLimits& limits) {
  constexpr std::uint64_t kSlice = 1 << 16;
  search.begin(state);
  while (!search.run(kSlice)) {
    if (search.full() || (limits.stop && limits.stop())) return false;
  }
  return true;
}

// The answer move by move.
template <AcyclicGame G>
void ask_moves(const typename G::Rules& rules, const typename G::State& position,
               const Claim& claim, const OracleLimits& limits, OracleAnswer* answer) {
  Minimax<G> search(rules, claim, limits.max_memory == 0 ? SearchLimits::kNone : limits.max_memory);
  Move moves[G::kMaxMoves];
  const int count = G::moves(rules, position, moves);
  for (int i = 0; i < count; ++i) {
    auto child = position;
    G::play(rules, child, moves[i]);
    if (!ask_within(search, child, limits)) {
      answer->complete = false;
      return;
    }
    answer->moves.emplace_back(moves[i], search.answer());
    answer->reached = answer->reached || search.answer();
  }
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
  if constexpr (AcyclicGame<G>) {
    ask_moves<G>(rules, position, claim, limits, &answer);
  } else {
    refuse_repetition("exhaustive search");
  }
  return answer;
}

=======
>>>>>>> 3d7bcf9fdf4b789162fb6041ad026af5766ed61f
}  // namespace playproof
