// What sentences for people need to know of a game: how its players are called and how it can end.
#pragma once

#include <string>
#include <string_view>

#include "games/core/game.h"

namespace playproof {

struct GameWords {
  std::string_view first = "the first player";
  std::string_view second = "the second player";
  bool draws = true;    // false: no game ends in a draw
  bool scores = false;  // the value of a finished game is how much it is won by
  std::string_view of(Player player) const { return player == Player::kFirst ? first : second; }
};

// The words of a game by its spec ("hex:size=5"); those above if it has none of its own. Throws
// Error(kUsage).
GameWords game_words(const std::string& game);

}  // namespace playproof
