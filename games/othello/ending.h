// Exact endings of Othello (games/core/ending.h).
#pragma once

#include "games/core/ending.h"
#include "games/core/game.h"
#include "games/othello/rules.h"

namespace playproof {

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
