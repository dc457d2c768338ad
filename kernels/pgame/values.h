// Exact values of P-games on a device: whole layers of the tree down to where every thread has a
// position, a search in each thread (kernels/pgame/search.h), and the values up again. Plain C++:
// Thrust is behind it, on CUDA in the library, on Thrust's CPU systems in tests/thrust.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "games/pgame/rules.h"
#include "kernels/device/device_info.h"

namespace playproof {

// Positions of the widest layer that is made: all threads of a large device.
inline constexpr std::size_t kPGameWidth = std::size_t{1} << 18;

// Writes the value of each position, all of one ply, if both sides play their best: +1 MAX wins, 0
// a draw, -1. May be called by several threads.
DeviceError pgame_values(int ordinal, const PGame::Rules& rules,
                         std::span<const PGame::State> positions, Value* values,
                         std::size_t width = kPGameWidth);

}  // namespace playproof
