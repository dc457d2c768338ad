// Boards of Othello as programs write them: 64 squares and the side to move.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "src/formats/record.h"

namespace playproof {

struct WrittenBoard {
  std::string position;  // as --position has it
  std::size_t end = 0;   // of the text, after the side to move
};

// The board that begins in the text, on size x size squares from a1 by rows: X, *, B are Black's,
// O, 0, W White's, in any case, - and . are empty; between squares, rows and the side to move may
// be blanks. `what` is how errors begin, `place` where the text does. Throws RecordError, also of a
// board that no play leads to.
WrittenBoard read_board(std::string_view text, int size, std::string_view what, const Place& place);

}  // namespace playproof
