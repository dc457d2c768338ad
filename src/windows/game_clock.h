// The clocks of a game as GTP tells them: main time, then byo-yomi, so many seconds for so many
// moves.
#pragma once

#include <optional>

#include "games/core/game.h"

namespace playproof {

class GameClock {
 public:
  // Gives a game so many seconds for each player from now on, and after them `byo_yomi` seconds for
  // each `moves` moves. Byo-yomi for no moves is no limit at all, as GTP has it.
  void set(double main, double byo_yomi, int moves);
  // A player has so many seconds left, for so many moves of byo-yomi, or (0) of main time.
  void set_left(Player player, double seconds, int moves);
  // Another game begins.
  void restart();
  // A move of this player took so long.
  void take(Player player, double seconds);

  // Seconds of this player, in the period that he is in; none: there is no limit.
  std::optional<double> left(Player player) const;
  // Seconds that this move may take, where he has so many moves still to make; none: any.
  std::optional<double> share(Player player, int moves) const;

 private:
  struct Side {
    double left = 0;
    int moves = 0;  // of byo-yomi; 0: main time
  };
  bool has_byo_yomi() const { return byo_yomi_ > 0 && moves_ > 0; }
  std::optional<Side>& of(Player player) { return sides_[static_cast<int>(player)]; }
  const std::optional<Side>& of(Player player) const { return sides_[static_cast<int>(player)]; }

  std::optional<Side> at_first_;  // of each player
  double byo_yomi_ = 0;
  int moves_ = 0;
  std::optional<Side> sides_[2];
};

}  // namespace playproof
