// What of the path an answer rests on (host/path/repetition.h).
#pragma once

#include <cstdint>
#include <limits>

namespace playproof {

// The place of the first position on the path that an answer needs (or must not have met) to have
// been before. Once that position itself is left, it rests on nothing.
using Rests = std::int32_t;
inline constexpr Rests kOnNothing = std::numeric_limits<Rests>::max();
inline constexpr Rests kOnAll = -1;  // on all of it, and on what is not there

}  // namespace playproof
