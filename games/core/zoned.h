// Games with zones: a move puts one stone of the mover on an empty cell, and is that cell. A player
// who can have what he claims, to win, or only not to lose, has a zone: cells that the other one
// must not occupy for his strategy to hold. What lies outside does not matter (host/zone/zone.h).
// So it is in connection games, where that somebody joins his edges is all that counts
// (games/core/connection.h), and in races, where who first completes a line wins and the game may
// be drawn: there a zone has a cell of every line by which the other one could win before.
//
// A game says so by a specialisation of Zoned<G>; connection games have it from what they are.
#pragma once

#include <concepts>

#include "games/core/cell_set.h"
#include "games/core/game.h"

namespace playproof {

template <class G>
struct Zoned;

// clang-format off
template <class G>
concept ZonedGame = Game<G> && requires(const typename G::Rules& rules,
                                        const typename G::State& state, Player player) {
  // Sets of cells have so many words.
  { Zoned<G>::kWords } -> std::convertible_to<int>;
  // May a game end without a winner? Then a win and no loss are two claims, with zones of their own.
  { Zoned<G>::kDraws } -> std::convertible_to<bool>;
  { Zoned<G>::cells(rules) } -> std::same_as<int>;
  { Zoned<G>::stones(state, player) } -> std::same_as<CellSet<Zoned<G>::kWords>>;
  // The cells of a finished position in which this player has what he claims: few, such that he has
  // it in every position with his stones of the set in which the other one has none of it, and that
  // meet all cells by which the other one might have won before.
  { Zoned<G>::of_finished(rules, state, player) } -> std::same_as<CellSet<Zoned<G>::kWords>>;
};
// clang-format on

// A set of cells of the game; of a game without zones an empty type.
template <class G>
struct NoZone {
  bool operator==(const NoZone&) const = default;
};
template <class G>
struct ZoneOf {
  static_assert(
      !requires { requires G::kConnection; }, "include the connection.h of the game");
  using Type = NoZone<G>;
};
template <ZonedGame G>
struct ZoneOf<G> {
  using Type = CellSet<Zoned<G>::kWords>;
};
template <class G>
using Zone = typename ZoneOf<G>::Type;

}  // namespace playproof
