// Boards for people: drawn with characters, and the words of a picture. Host only.
#pragma once

#include <string>
#include <string_view>

#include "games/core/board_picture.h"
#include "games/core/game.h"

namespace playproof {

struct BoardStyle {
  bool unicode = true;  // else ASCII: X, O, '.' or '+'
  // Escape sequences for 256 colours: black and white discs on wood, the last move on red, the best
  // one on green, the same on a dark terminal and on a bright one. Without them stones are the
  // initials of the players, since nobody knows how a disc looks.
  bool colours = false;
  // What the legend and the edges of hexagons call the players, the marked empty cell and the
  // cells of the carrier.
  std::string_view first = "first player";
  std::string_view second = "second player";
  std::string_view best = "best move";
  std::string_view carrier = "carrier";
};

// The board of a BoardView as lines of text, each with a line end: columns and rows with their
// names, one character a cell, `last`, `best` and the carrier by characters of their own if they
// are cells, and a legend. Hexagons are rows that are shifted, between the named edges of both
// players.
std::string drawn_board(const BoardView& board, Move last, Move best, const BoardStyle& style);

// Text as it may stand in XML, also in quotes.
std::string escaped_xml(std::string_view text);

// The SVG of board_svg() with a description below its title, which screen readers say too.
std::string with_description(std::string svg, std::string_view description);

}  // namespace playproof
