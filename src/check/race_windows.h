// The windows of a board, all segments of a line that win when they are full, and what they say of
// a race (docs/certificate.md, "Races").
#pragma once

#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "games/core/game.h"
#include "src/check/reader.h"

namespace playproof::check {

// A free cell of a board shows its place: so many more stones of the opponent, one of them here,
// may matter; '.' is more than four.
inline bool race_free(char cell) { return cell == '.' || (cell >= '0' && cell <= '4'); }
inline std::size_t race_place(char cell) {
  return cell == '.' ? 5 : static_cast<std::size_t>(cell - '0');
}
// The same board, whatever the places.
inline bool race_same(std::string_view a, std::string_view b) {
  return std::equal(a.begin(), a.end(), b.begin(), [](char one, char other) {
    return one == other || (race_free(one) && race_free(other));
  });
}

class RaceWindows {
 public:
  using Cells = std::vector<Move>;

  // Lines of so many cells win; so many stones are a turn.
  RaceWindows(int rows, int columns, int connect, int stones)
      : rows_(rows), columns_(columns), connect_(connect), stones_(stones) {
    for (int cell = 0; cell < rows * columns; ++cell) {
      for (const int right : {-1, 0, 1}) add(cell, 1, right);
      add(cell, 0, 1);
    }
  }

  // The threats that count after a turn of `own`: windows that lack no more than a turn, in cells
  // of place 0. Hazards, windows where so many more stones let the opponent threaten, must be in
  // their places.
  std::vector<Cells> threats(const std::string& board, char own) const {
    std::vector<Cells> threats;
    for (const Cells& window : windows_) {
      Cells free;
      int owns = 0;
      std::size_t greatest = 0;
      for (const Move cell : window) {
        owns += board[cell] == own ? 1 : 0;
        if (!race_free(board[cell])) continue;
        free.push_back(cell);
        greatest = std::max(greatest, race_place(board[cell]));
      }
      const int lacks = static_cast<int>(free.size());
      const int hazard = lacks - stones_;  // without own stones
      if (owns == 0 && hazard <= 0) reject("the opponent can complete a line after this turn");
      if (owns == 0 && greatest > static_cast<std::size_t>(hazard)) {
        reject("a line of the opponent is not in place " + std::to_string(hazard));
      }
      const bool live = owns > 0 && owns + lacks == connect_;
      if (live && greatest == 0 && lacks <= stones_) threats.push_back(free);
    }
    return threats;
  }

 private:
  void add(int cell, int down, int right) {
    Cells window;
    for (int i = 0; i < connect_; ++i) {
      const int row = cell / columns_ + i * down;
      const int column = cell % columns_ + i * right;
      if (row >= rows_ || column < 0 || column >= columns_) return;
      window.push_back(static_cast<Move>(row * columns_ + column));
    }
    windows_.push_back(window);
  }

  int rows_;
  int columns_;
  int connect_;
  int stones_;
  std::vector<Cells> windows_;
};

}  // namespace playproof::check
