// The inner loop of patterns (host/zone/patterns.h): which of many match a position? They are kept
// by cell, a bit a pattern: those that need a stone there, and those whose zone has the cell. A few
// rows of bits, or-ed, leave of 1,024 patterns at a time those that nothing speaks against; mostly
// some stones of the opponent rule out all of them.
#pragma once

#include <cstddef>
#include <cstdint>

#include "kernels/common/simd.h"

namespace playproof {

// Patterns are looked at by so many.
inline constexpr std::size_t kMatchPatterns = 1024;

// A bit for each of them.
struct alignas(64) MatchRow {
  std::uint64_t words[kMatchPatterns / 64] = {};
};

// What speaks against a pattern in one position, as sets of cells (games/core/cell_set.h) of so
// many words: any stone of the other in its zone, and more than `short_of` (0 or 1) of the needed
// stones missing. Who needs a cell has it in his zone, so needed stones are looked for on empty
// cells only.
struct MatchQuestion {
  const std::uint64_t* other;
  const std::uint64_t* empty;
  int words;
  int short_of;
};

// Leaves of `mask` the patterns that match. needed[c]: those that need a stone on cell c; zones[c]:
// those whose zone has it. False if none are left; the mask means nothing then.
bool match_rows(const MatchRow* needed, const MatchRow* zones, const MatchQuestion& question,
                MatchRow* mask);
// The same, by the loop of a level that this machine has.
bool match_rows(SimdLevel level, const MatchRow* needed, const MatchRow* zones,
                const MatchQuestion& question, MatchRow* mask);

}  // namespace playproof
