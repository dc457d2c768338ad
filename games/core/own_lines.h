// What one thread writes often stands on cache lines of its own, away from what others read: a line
// that is written is fetched anew by every core that reads any of it.
#pragma once

#include <cstddef>

namespace playproof {

// Bytes. Processors fetch lines of 64 in pairs.
inline constexpr std::size_t kOwnLines = 128;

}  // namespace playproof
