// Which inferior cells of a connection game are filled in (games/hex/fill.h): each level with those
// before it.
#pragma once

#include <cstdint>

namespace playproof {

enum class FillLevel : std::uint8_t { kOff, kDead, kCaptured, kFull };

}  // namespace playproof
