// Exact endings: a game may offer a search of its own for positions near the end, where the rules
// of one game can be used far better than a general search can. It is optional: Ending<G> is
// specialised in games/<game>/ending.h.
#pragma once

#include <concepts>
#include <cstdint>

#include "games/core/game.h"

namespace playproof {

// What an ending found out: bounds of the value for the player that was asked about. They decide
// the question, and rest on nothing but finished positions below.
struct EndingAnswer {
  Value lower = 0;
  Value upper = 0;
  std::uint64_t nodes = 0;  // positions that were looked at, the one asked about included
};

template <class G>
struct Ending;

// clang-format off
template <class G>
concept HasEnding = requires(const typename G::Rules& rules, const typename G::State& state,
                             Player player, Value threshold) {
  // How far the position is from the end (Othello: empty squares). Falls with every move that is no
  // pass, and no move raises it.
  { Ending<G>::distance(rules, state) } -> std::same_as<int>;
  // solve() may be asked of positions up to this distance.
  { Ending<G>::kMost } -> std::convertible_to<int>;
  // Certificates may leave positions up to this distance to the checker (docs/certificate.md).
  { Ending<G>::kRecheck } -> std::convertible_to<int>;
  // Is the value for `player` at least `threshold`? Lower >= threshold, or upper < threshold. The
  // same question has the same answer, nodes and all, on every machine.
  { Ending<G>::solve(rules, state, player, threshold) } -> std::same_as<EndingAnswer>;
};
// clang-format on

}  // namespace playproof
