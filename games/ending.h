// Exact endings: a game may offer a search of its own for positions near the end, where the rules
// of one game can be used far better than a general search can. It is optional: Ending<G> is
// specialised where there is one, all of them here.
#pragma once

#include <concepts>
#include <cstdint>

#include "games/game.h"
#include "games/othello.h"

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

// The exact ending of Othello: null-window alpha-beta over the last empty squares, without a table,
// so that an answer depends on the position alone. All sizes are played in the middle of an 8 x 8
// word. What speeds it up is common knowledge of Othello programs: squares of regions with an odd
// number of empty squares first (who moves last in a region gains), then moves that leave few
// replies (fewest-replies order); the last four squares as arguments, the last disc from tables of
// lines (Gunnar Andersson's endgame solver, Richard Delorme's Edax).
template <>
struct Ending<Othello> {
  static constexpr int kMost = 16;    // beyond, a search without a table takes too long
  static constexpr int kRecheck = 8;  // of docs/certificate.md

  static int distance(const Othello::Rules& rules, const Othello::State& state) {
    return rules.size * rules.size - popcount64(state.discs[0] | state.discs[1]);
  }
  static EndingAnswer solve(const Othello::Rules& rules, const Othello::State& state, Player player,
                            Value threshold);
};

static_assert(HasEnding<Othello>);

}  // namespace playproof
