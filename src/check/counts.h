// What the checker counts, and the limits of what a certificate may cost it.
#pragma once

#include <cstdint>

namespace playproof::check {

// So that no file can make a checker large or slow.
struct Limits {
  std::uint64_t max_memory = 256 << 20;  // bytes of the nodes that live
  std::uint64_t max_search = 0;          // positions for recheck nodes; 0: so many a byte of text
  static constexpr std::uint64_t kFreeSearch = 1'000'000;
  static constexpr std::uint64_t kSearchPerByte = 16;
};

struct Counts {
  std::uint64_t listed = 0;        // nodes that the certificate lists
  std::uint64_t leaves = 0;        // of these: finished positions
  std::uint64_t rechecked = 0;     // of these: `recheck` nodes
  std::uint64_t brute_forced = 0;  // positions that were searched for those
  std::uint64_t most_live = 0;     // ids that lived at once
};

}  // namespace playproof::check
