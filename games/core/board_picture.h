// A board as a picture: what a game says of its board, and the SVG that is drawn of it. Host only.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "games/core/game.h"

namespace playproof {

// A game with a board has in its GameText (games/core/text.h)
//   static BoardView board(const typename G::Rules& rules, const typename G::State& state);
// Its moves onto the board are the numbers of their cells, by rows.
struct BoardView {
  // Discs in squares; stones where lines cross; stones on hexagons, the first player's edges above
  // and below, the second one's at the sides.
  enum class Shape : std::uint8_t { kSquares, kLines, kHexagons };
  Shape shape = Shape::kSquares;
  int columns = 0;
  std::vector<char> cells;    // by rows: 'X' the first player's, 'O' the second one's, else empty
  bool numbered_rows = true;  // else letters
  bool capitals = false;
  std::vector<Move> carrier = {};  // the empty cells that a proof rests on, not in squares
  // On boards where lines cross, a turn that wins, and the ends of the lines it threatens to fill.
  std::vector<Move> turn = {};
  std::vector<std::pair<Move, Move>> threats = {};
  int rows() const { return columns > 0 ? static_cast<int>(cells.size()) / columns : 0; }
};

// SVG 1.1, `width` pixels wide. A ring marks `last`, a small disc `best` and each stone of the
// turn, if they are cells; the cells of the carrier are shaded, threats are lines. `title` is what
// screen readers say.
std::string board_svg(const BoardView& board, Move last, Move best, std::string_view title,
                      int width);
// The title alone, of a game without a board.
std::string text_svg(std::string_view title, int width);

}  // namespace playproof
