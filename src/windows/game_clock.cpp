#include "src/windows/game_clock.h"

#include <algorithm>

namespace playproof {

void GameClock::set(double main, double byo_yomi, int moves) {
  byo_yomi_ = byo_yomi;
  moves_ = moves;
  at_first_ = Side{main, 0};
  if (main <= 0 && has_byo_yomi()) at_first_ = Side{byo_yomi_, moves_};
  if (byo_yomi > 0 && moves == 0) at_first_.reset();
  restart();
}

void GameClock::set_left(Player player, double seconds, int moves) {
  of(player) = Side{seconds, moves};
}

void GameClock::restart() { sides_[0] = sides_[1] = at_first_; }

void GameClock::take(Player player, double seconds) {
  if (!of(player)) return;
  Side& side = *of(player);
  side.left -= seconds;
  if (side.moves > 0) {
    if (--side.moves == 0 && has_byo_yomi()) side = {byo_yomi_, moves_};
  } else if (side.left <= 0 && has_byo_yomi()) {
    side = {byo_yomi_ + side.left, moves_};  // what was too much is of the first period
  }
  side.left = std::max(side.left, 0.0);
}

std::optional<double> GameClock::left(Player player) const {
  if (!of(player)) return std::nullopt;
  return of(player)->left;
}

std::optional<double> GameClock::share(Player player, int moves) const {
  if (!of(player)) return std::nullopt;
  const Side& side = *of(player);
  if (side.moves > 0) return side.left / side.moves;
  const double main = side.left / std::max(moves, 1);
  return has_byo_yomi() ? std::max(main, byo_yomi_ / moves_) : main;
}

}  // namespace playproof
