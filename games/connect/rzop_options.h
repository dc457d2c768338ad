// What a proof search on turns is told (games/connect/rzop.h).
#pragma once

#include <cstdint>

#include "games/connect/vcdt.h"

namespace playproof {

struct RzopOptions {
  VcdtOptions threats;  // of each search by double threats
  int width = 20;       // turns of the attacker that are tried in a position
  int strong = 12;      // whole replies that are tried before all others
  bool lazy = true;     // one open reply at a time
  // Deep df-pn's first numbers (thesis, 3.2): base^(depth - d) of a node of depth d above `depth`,
  // else 1. A ply is a turn.
  int base = 1;
  int depth = 1;
  std::uint64_t work = 300'000'000;  // pairs of stones in all
};

}  // namespace playproof
