// The oracle behind host/solve/solver.h: for each move, does the attacker reach the threshold
// through it? By a game's own search of exact values if it has one, else by the memoised search.
#pragma once

#include <cstdint>
#include <type_traits>
#include <utility>
#include <vector>

#include "host/path/exhaustive.h"
#include "host/playouts/device_error.h"
#include "host/solve/make_solver.h"
#include "host/solve/minimax.h"
#include "kernels/list.h"

namespace playproof {

// Nodes between two looks at the limits.
inline constexpr std::uint64_t kOracleSlice = 1 << 16;

// The positions after the moves of one that is not finished.
template <Game G>
std::vector<typename G::State> children_of(const typename G::Rules& rules,
                                           const typename G::State& position,
                                           std::vector<Move>* moves) {
  moves->resize(G::kMaxMoves);
  moves->resize(static_cast<std::size_t>(G::moves(rules, position, moves->data())));
  std::vector<typename G::State> children(moves->size(), position);
  for (std::size_t i = 0; i < moves->size(); ++i) G::play(rules, children[i], (*moves)[i]);
  return children;
}

// Answers by memoised search; fewer than there are positions if a limit came first.
template <AcyclicGame G>
std::vector<bool> reached_by_minimax(const typename G::Rules& rules, const Claim& claim,
                                     const std::vector<typename G::State>& positions,
                                     const OracleLimits& limits) {
  Minimax<G> search(rules, claim, limits.max_memory == 0 ? SearchLimits::kNone : limits.max_memory);
  std::vector<bool> reached;
  for (const auto& position : positions) {
    search.begin(position);
    while (!search.run(kOracleSlice)) {
      if (search.full() || (limits.stop && limits.stop())) return reached;
    }
    reached.push_back(search.answer());
  }
  return reached;
}

// Answers by the game's own search, which needs no memory.
template <Game G>
std::vector<bool> reached_by_values(const typename G::Rules& rules, const Claim& claim,
                                    const std::vector<typename G::State>& positions,
                                    const OracleLimits& limits) {
  using Exact = ExactSearch<G>;
  const auto reaches = [&](Value value) {
    return value_for(claim.attacker, value) >= claim.threshold;
  };
  std::vector<bool> reached;
  if (limits.device && Exact::is_for_device(rules, positions.front())) {
    std::vector<Value> values(positions.size());
    throw_device_error(Exact::values_on_device(*limits.device, rules, positions, values.data()));
    for (const Value value : values) reached.push_back(reaches(value));
    return reached;
  }
  for (const auto& position : positions) {
    typename Exact::Search search(rules, position, G::min_value(rules), G::max_value(rules));
    while (!search.run(kOracleSlice)) {
      if (limits.stop && limits.stop()) return reached;
    }
    reached.push_back(reaches(search.value()));
  }
  return reached;
}

// Answers where positions can come again: each child has the position asked about before it.
template <Game G>
std::vector<bool> reached_on_paths(const typename G::Rules& rules, const Claim& claim,
                                   const typename G::State& position,
                                   const std::vector<typename G::State>& children,
                                   const OracleLimits& limits) {
  ExhaustivePaths<G> search(rules, claim, SearchLimits::kNone,
                            limits.max_memory == 0 ? SearchLimits::kNone : limits.max_memory);
  const Player mover = G::to_move(rules, position);
  std::vector<bool> reached;
  for (const auto& child : children) {
    if (G::finished(rules, child)) {
      reached.push_back(value_for(claim.attacker, G::value(rules, child)) >= claim.threshold);
    } else if (child == position) {
      reached.push_back(reached_by_repetition(path_rule<G>(rules), claim, mover));
    } else {
      search.begin(child, {&position, 1});
      while (search.run(kOracleSlice) == StopReason::kRunning) {
        if (limits.stop && limits.stop()) return reached;
      }
      if (search.stopped() != StopReason::kDecided) return reached;
      reached.push_back(search.proved());
    }
  }
  return reached;
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
  std::vector<Move> moves;
  const auto children = children_of<G>(rules, position, &moves);
  std::vector<bool> reached;
  if constexpr (PathGame<G>) {
    reached = reached_on_paths<G>(rules, claim, position, children, limits);
  } else if constexpr (!AcyclicGame<G>) {
    refuse_repetition("exhaustive search");
  } else if constexpr (std::is_void_v<typename ExactSearch<G>::Search>) {
    reached = reached_by_minimax<G>(rules, claim, children, limits);
  } else {
    reached = reached_by_values<G>(rules, claim, children, limits);
  }
  answer.complete = reached.size() == children.size();
  for (std::size_t i = 0; i < reached.size(); ++i) {
    answer.moves.emplace_back(moves[i], reached[i]);
    answer.reached = answer.reached || reached[i];
  }
  return answer;
}

}  // namespace playproof
