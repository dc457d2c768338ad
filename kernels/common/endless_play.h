// Play without end, in games whose positions can come again.
#pragma once

#include <cstdint>

#include "games/core/game.h"

namespace playproof {

// Plies after which a random game is cut off (kernels/generic/bounded_playouts.h). A game with
// engines of its own may say another number beside them.
template <class G>
inline constexpr std::uint32_t kLongestPlayout = 256;

// It is seen by the first player. Where who repeats has lost, nobody is to blame for play without
// end: a draw.
constexpr Value value_of_endless_play(PathRule rule) {
  if (rule == PathRule::kInfiniteWin) return 1;
  return rule == PathRule::kInfiniteLoss ? Value{-1} : Value{0};
}

}  // namespace playproof
