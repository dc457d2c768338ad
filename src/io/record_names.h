// How the record of a file calls what is searched for it, where that is not as the search has it:
// in Hex of other programs White may begin, and a swap turns the board (docs/formats.md).
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "games/core/game.h"
#include "games/words.h"

namespace playproof {

struct RecordNames {
  std::string game;        // on the record's board
  std::string position;    // in the record's cells, as --position reads it
  bool mirrored = false;   // its columns are the rows of the search: its c1 is a3 there
  bool exchanged = false;  // its White is the search's first player

  // A move of the search as the record writes it.
  std::string move(std::string_view searched) const;
  std::vector<std::string> moves(const std::vector<std::string>& searched) const;
  // Who this player of the search is in the record.
  Player player(Player searched) const { return exchanged ? opponent(searched) : searched; }
  // What the game calls its players (games/words.h), for the players of the search.
  GameWords words(GameWords of_game) const;
};

// The cell with column and row exchanged: "c1" is "a3". What is no cell stays.
std::string mirrored_cell(std::string_view cell);
// The game on the board with columns and rows exchanged: "hex:rows=3,columns=4" is
// "hex:rows=4,columns=3".
std::string mirrored_hex(int rows, int columns);

}  // namespace playproof
