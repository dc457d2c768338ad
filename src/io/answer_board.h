// The board of an answer, with the last move and the best one: as characters and as SVG.
#pragma once

#include <string>

#include "games/core/board_drawing.h"
#include "src/io/solve_result.h"

namespace playproof {

// The board as the record that was asked about has it: its cells, its players. Empty for a game
// without a board. `style` says how it is drawn; who the players are is filled in.
std::string drawn_answer(const SolveAnswer& answer, BoardStyle style);
// `width` pixels wide, with the answer as its description; of a game without a board its text.
std::string answer_svg(const SolveAnswer& answer, int width);

}  // namespace playproof
