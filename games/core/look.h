// Looks: does who is to move win within a few plies, whatever the other side does? Searches that
// number leaves ask a game that knows faster ways to see that than to try all moves (survey S2
// section 7.4.3; Kaneko et al. 2005: one ply or three at leaves). It is optional: Look<G> is
// specialised in games/<game>/look.h, which the entry of the game includes.
#pragma once

#include <concepts>
#include <cstdint>

#include "games/core/game.h"

namespace playproof {

struct LookAnswer {
  Move move = kNoMove;      // wins; kNoMove: none was found
  std::uint64_t nodes = 0;  // positions that were looked at, the one asked about included
};

template <class G>
struct Look;

// clang-format off
template <class G>
concept HasLooks = requires(const typename G::Rules& rules, const typename G::State& state,
                            int plies) {
  // plies: 1, the move ends the game; 3, or after each reply that does not end it for the mover
  // he has such a move. Asked of positions that are not finished; a function of the position.
  { Look<G>::find(rules, state, plies) } -> std::same_as<LookAnswer>;
};
// clang-format on

}  // namespace playproof
