// Counts the positions `depth` plies ahead. A game that is over before the horizon counts as one
// leaf and a pass is a ply (convention A of the Othello tables).
#pragma once

#include <cstdint>

#include "games/core/game.h"
#include "games/core/reference_of.h"

namespace playproof {

template <Game G>
std::uint64_t perft(const typename G::Rules& rules, const typename G::State& state, int depth) {
  if (depth <= 0 || G::finished(rules, state)) return 1;
  Move moves[G::kMaxMoves];
  const int count = G::moves(rules, state, moves);
  if (depth == 1) return static_cast<std::uint64_t>(count);
  std::uint64_t leaves = 0;
  for (int i = 0; i < count; ++i) {
    typename G::State child = state;
    G::play(rules, child, moves[i]);
    leaves += perft<G>(rules, child, depth - 1);
  }
  return leaves;
}

// The same count by a reference rule set (RefHex, ...), every leaf visited.
template <class Ref>
std::uint64_t reference_perft(const typename Ref::Rules& rules, const typename Ref::State& state,
                              int depth) {
  if (depth <= 0 || Ref::finished(rules, state)) return 1;
  std::uint64_t leaves = 0;
  for (const Move move : Ref::moves(rules, state)) {
    typename Ref::State child = state;
    Ref::play(rules, child, move);
    leaves += reference_perft<Ref>(rules, child, depth - 1);
  }
  return leaves;
}

// The same count by the reference rules of G.
template <Game G>
std::uint64_t perft_by_reference(const typename G::Rules& rules, const typename G::State& state,
                                 int depth) {
  using Ref = typename ReferenceOf<G>::Type;
  return reference_perft<Ref>(ReferenceOf<G>::rules(rules), ReferenceOf<G>::state(rules, state),
                              depth);
}

}  // namespace playproof
