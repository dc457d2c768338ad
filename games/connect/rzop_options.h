// What a proof search on turns is told (games/connect/rzop.h).
#pragma once

#include <cstdint>
#include <optional>

#include "games/connect/threat_options.h"

namespace playproof {

// What the numbers of a leaf may rest on.
//   of playouts: those that the attacker wins
//   of windows:  what those of the attacker are worth, and those of the other side
struct TurnLeafValue {
  std::uint32_t own = 0;
  std::uint32_t other = 0;
};

struct RzopOptions {
  VcdtOptions threats;  // of each search by double threats
  // If set, each search is one with single threats, too; its own `threats` are those above.
  std::optional<VcstOptions> singles;
  static constexpr int kAll = 1 << 30;
  // What is left out, to see what it is worth: what zones leave of replies, so that every whole
  // reply that hits all threats is tried; what is known of a position that comes again; macro
  // replies of the searches by threats.
  enum class Without : std::uint8_t { kNothing, kZones, kTable, kMacros };

  Without without = Without::kNothing;
  int width = 20;                    // turns of the attacker that are tried in a position
  int strong = 12;                   // whole replies that are tried before all others
  bool lazy = true;                  // one open reply at a time
  bool by_zones = false;             // turns: by score and by what is left of replies, in turn
  std::uint64_t work = 300'000'000;  // pairs of stones in all

  // Every pair of empty cells is a turn, and not those of the best cells alone.
  bool all() const { return width == kAll; }
};

}  // namespace playproof
