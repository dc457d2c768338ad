// What searches for wins by threats are told: by double threats (games/connect/vcdt.h), and with
// single ones (games/connect/vcst.h).
#pragma once

#include <cstdint>

namespace playproof {

struct VcdtOptions {
  enum class Replies : std::uint8_t { kAll, kMacro, kMacroFirst };
  Replies replies = Replies::kMacroFirst;
  // Asks for a shortest win. If not, macro replies are tried to the last turn before any
  // other (kMacroFirst).
  bool shortest = false;
  int turns = 8;  // at most, the one that completes a line included (2 .. kMostTurns)
  std::uint64_t work = 300'000;  // pairs of stones, at most, or a little more
};

struct VcstOptions {
  VcdtOptions threats;             // of the search by double threats, tried first everywhere
  int singles = 2;                 // turns with a single threat on a line, at most
  int width = 7;                   // such turns that are tried in a position
  std::uint64_t work = 3'000'000;  // pairs of stones in all
};

}  // namespace playproof
