// Hex as a window shows it: stones in any order, taken back one after the other.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "games/core/game.h"
#include "src/formats/replay.h"

namespace playproof {

class HexBoard {
 public:
  HexBoard(int rows, int columns) : rows_(rows), columns_(columns) { clear(); }

  int rows() const { return rows_; }
  int columns() const { return columns_; }
  std::string game() const;  // canonical
  void clear();
  // A cell, or `swap-pieces`, `swap-sides`; `resign` changes nothing, and is no move to take back.
  // Throws Error(kData).
  void play(Player player, std::string_view move);
  void undo();  // throws Error(kData) if there is nothing to take back
  // Only one black stone lies there, as the first move: White may swap.
  bool may_swap() const;

  // Cells without a stone, by rows.
  std::vector<std::string> empty_cells() const;

  // The position with this player to move (none: whose turn the stones say). Throws Error(kData) if
  // no play leads there.
  SetUp position(std::optional<Player> to_move) const;
  // Who has joined both edges, whatever the order of play was: Black top and bottom, White left and
  // right.
  std::optional<Player> winner() const;
  // Lines of '.', 'B', 'W', each a half further to the right than the one above.
  std::string picture() const;

 private:
  using Cells = std::vector<char>;
  bool joins(char stone) const;

  int rows_;
  int columns_;
  std::vector<Cells> boards_;  // after each move; the first is empty
  std::vector<std::string> moves_;
};

}  // namespace playproof
