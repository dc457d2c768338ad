// Positions of Hex that are set up: any stones, either side to move.
#pragma once

#include <cstdint>

#include "games/core/bitboard.h"
#include "games/core/game.h"
#include "games/hex/rules.h"

namespace playproof {

template <class G>
concept HasSetUps = requires(const typename G::Rules& rules, const typename G::State& state) {
  G::set_up(rules, state.stones, Player::kFirst);
};

// As full as the draw says, with as large a share of Black's as it says; often finished where many
// stones lie.
template <HasSetUps G>
typename G::State random_set_up(const typename G::Rules& rules, std::uint64_t seed) {
  typename G::State drawn;
  std::uint64_t draw = mix64(seed);
  const std::uint64_t full = draw & 255;
  const std::uint64_t blacks = draw >> 8 & 255;
  const Player mover = (draw >> 16 & 1) == 0 ? Player::kFirst : Player::kSecond;
  for (int cell = 0; cell < rules.cells; ++cell) {
    draw = mix64(draw);
    if ((draw & 255) < full) add_cell(drawn.stones[(draw >> 8 & 255) < blacks ? 0 : 1], cell);
  }
  return G::set_up(rules, drawn.stones, mover);
}

// Calls f(state) with every position of a board of few cells.
template <class F>
void for_each_set_up(const Hex<1>::Rules& rules, F&& f) {
  const std::uint64_t board = board_word(rules.cells, 0);
  for (std::uint64_t black = 0; black <= board; ++black) {
    const std::uint64_t rest = board & ~black;
    for (std::uint64_t white = rest;; white = (white - 1) & rest) {
      const std::uint64_t stones[2][1] = {{black}, {white}};
      for (const Player mover : {Player::kFirst, Player::kSecond}) {
        f(Hex<1>::set_up(rules, stones, mover));
      }
      if (white == 0) break;
    }
  }
}

}  // namespace playproof
