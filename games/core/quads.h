// Quads: the squares of two by two cells of a board, those that reach over its edge included. Of
// the stones of one side Q1 quads have one, Q3 three, and Qd two that touch by a corner; then
//   E = (Q1 - Q3 - 2 Qd) / 4
// is the side's Euler number, its groups less the holes in them, where stones that touch by a
// corner are of one group (Gray 1971). So the greater of E and 1 is a guess of the groups that is
// never too high. A game that keeps E move by move, as one does that is about connecting all stones
// (Winands, Uiterwijk and van den Herik 2001, "The quad heuristic in Lines of Action"), has the
// guess at no cost. It is optional: such a game has quad_groups().
#pragma once

#include <concepts>

#include "games/core/game.h"

namespace playproof {

// clang-format off
template <class G>
concept HasQuads = Game<G> && requires(const typename G::State& state, Player player) {
  // max(1, E) of the player's stones; follows from the stones alone.
  { G::quad_groups(state, player) } -> std::same_as<int>;
};
// clang-format on

}  // namespace playproof
