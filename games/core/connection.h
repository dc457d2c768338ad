// Connection games: a player has won once his stones contain a winning set of cells. A move puts
// one stone of the mover on an empty cell, and is that cell; sides alternate. More stones of his
// own never hurt a player, and every full board has exactly one winner. So a won position has a
// zone, the cells that the loser must not occupy for the winner's strategy to hold
// (host/zone/zone.h; must-play regions: Hayward; relevance zones: Wu and Lin 2010, Shih et al.
// 2022).
//
// A game says so with kConnection = true in its rules and a connection.h in its folder that
// specialises Connection<G>; whoever searches it must have included that. tests/conformance.h holds
// the property.
#pragma once

#include <concepts>

#include "games/core/cell_set.h"
#include "games/core/game.h"
#include "games/core/zoned.h"

namespace playproof {

template <class G>
struct Connection;

// clang-format off
template <class G>
concept ConnectionGame = Game<G> && requires(const typename G::Rules& rules,
                                             const typename G::State& state, Player player,
                                             std::uint64_t word) {
  // Sets of cells have so many words.
  { Connection<G>::kWords } -> std::convertible_to<int>;
  { Connection<G>::cells(rules) } -> std::same_as<int>;
  { Connection<G>::stones(state, player) } -> std::same_as<CellSet<Connection<G>::kWords>>;
  // A winning set of the winner of a finished position, as few cells as there are.
  { Connection<G>::winning_set(rules, state) } -> std::same_as<CellSet<Connection<G>::kWords>>;
  // Where the cells go under symmetries that exchange the two players: what one wins, the other
  // wins there. May be empty.
  { Connection<G>::exchanges(rules)[0].apply(&word) };
};
// clang-format on

// What virtual connections of the game are, and what they rest on; of others an empty type.
template <class G>
struct NoLinks {
  struct Proof {};
};
template <class G>
struct LinksOf {
  using Type = NoLinks<G>;
};
template <class G>
requires requires { typename Connection<G>::Links; }
struct LinksOf<G> {
  using Type = typename Connection<G>::Links;
};
template <class G>
concept HasLinks = requires {
  typename Connection<G>::Links;
};

// What chains of bridges of the game are; of others an empty type.
template <class G>
struct NoBridges {};
template <class G>
struct BridgesOf {
  using Type = NoBridges<G>;
};
template <class G>
requires requires { typename Connection<G>::Bridges; }
struct BridgesOf<G> {
  using Type = typename Connection<G>::Bridges;
};
template <class G>
concept HasBridges = requires {
  typename Connection<G>::Bridges;
};

// What they have of games with zones (games/core/zoned.h). The winning set of the one meets every
// winning set of the other.
template <ConnectionGame G>
struct Zoned<G> {
  using Cells = CellSet<Connection<G>::kWords>;
  static constexpr int kWords = Connection<G>::kWords;
  static constexpr bool kDraws = false;
  static int cells(const typename G::Rules& rules) { return Connection<G>::cells(rules); }
  static Cells stones(const typename G::State& state, Player player) {
    return Connection<G>::stones(state, player);
  }
  static Cells of_finished(const typename G::Rules& rules, const typename G::State& state,
                           Player /*winner*/) {
    return Connection<G>::winning_set(rules, state);
  }
};

}  // namespace playproof
