// Exact values of P-games by whole layers of the tree. Plain C++: Thrust is behind it, on CUDA in
// the library, on Thrust's CPU systems in tests/thrust.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "games/pgame/rules.h"
#include "kernels/device/device_info.h"

namespace playproof {

// Positions of one layer that are in memory at a time; every layer of the tree has so many at most.
inline constexpr std::size_t kPGameWidth = std::size_t{1} << 22;

// Writes the value of each position, all of one ply, if both sides play their best: +1 MAX wins, 0
// a draw, -1. All leaves under them are made: B^(depth - ply) for each.
DeviceError pgame_values(int ordinal, const PGame::Rules& rules,
                         std::span<const PGame::State> positions, Value* values,
                         std::size_t width = kPGameWidth);

}  // namespace playproof
