// What the checker counts, and the limits of what a certificate may cost it.
#pragma once

#include <cstdint>
#include <string>

#include "src/check/reader.h"

namespace playproof::check {

// These keep any file from making a checker large or slow.
struct Limits {
  std::uint64_t max_memory = 256 << 20;  // bytes of the nodes that live
  std::uint64_t max_search = 0;          // positions for recheck nodes; 0: so many a byte of text
  static constexpr std::uint64_t kFreeSearch = 1'000'000;
  static constexpr std::uint64_t kSearchPerByte = 16;
};

struct Counts {
  std::uint64_t listed = 0;     // nodes that the certificate lists
  std::uint64_t leaves = 0;     // of these: finished positions
  std::uint64_t rechecked = 0;  // of these: `recheck` nodes
  // Positions that were looked at for those and for `card-pairs`, ways to fill for `card-fill`.
  std::uint64_t brute_forced = 0;
  std::uint64_t most_live = 0;  // ids that lived at once
};

// What a certificate may have the checker look at beside its lines.
class SearchBudget {
 public:
  SearchBudget(const Limits& limits, Counts& counts) : limits_(limits), counts_(counts) {}
  // Says that so many bytes of text were read.
  void read(std::uint64_t bytes) {
    most_ = limits_.max_search > 0 ? limits_.max_search
                                   : Limits::kFreeSearch + Limits::kSearchPerByte * bytes;
  }
  // One position more. Failure(kUnreadable).
  void spend() {
    if (++counts_.brute_forced <= most_) return;
    unreadable("its recheck nodes and pairs need a search of more than " + std::to_string(most_) +
               " positions; --max-search allows more");
  }

 private:
  const Limits& limits_;
  Counts& counts_;
  std::uint64_t most_ = 0;
};

}  // namespace playproof::check
