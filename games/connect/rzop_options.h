// What a proof search on turns is told (games/connect/rzop.h).
#pragma once

#include <cstdint>

#include "games/connect/vcdt.h"

namespace playproof {

struct RzopOptions {
  VcdtOptions threats;  // of each search by double threats
  static constexpr int kAll = 1 << 30;

  int width = 20;                    // turns of the attacker that are tried in a position
  int strong = 12;                   // whole replies that are tried before all others
  bool lazy = true;                  // one open reply at a time
  std::uint64_t work = 300'000'000;  // pairs of stones in all

  // Every pair of empty cells is a turn, and not those of the best cells alone.
  bool all() const { return width == kAll; }
};

}  // namespace playproof
