// How the programs end.
#pragma once

namespace playproof {

// Exit statuses that are not errors; the others are ErrorCode (games/core/error.h).
inline constexpr int kExitDecided = 0;
inline constexpr int kExitUndecided = 2;
inline constexpr int kExitStopped = 75;  // stopped by a signal, can be resumed

}  // namespace playproof
