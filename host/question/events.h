// What a search tells of itself while it runs, to whoever listens: statistics, tests, writers.
// Nothing that it does depends on who does.
#pragma once

#include <cstdint>

#include "kernels/numbers/bounds.h"

namespace playproof {

// A node is named by its index in a tree, by the hash of its position where there is only a table.
class SearchListener {
 public:
  virtual ~SearchListener() = default;
  // Its children are made, or its moves generated, for the first time.
  virtual void on_expanded(std::uint64_t /*node*/) {}
  // Its bounds decide the claim: by the rules, a probe or its children. Its label may not say so
  // yet: a tree sets it afterwards.
  virtual void on_decided(std::uint64_t /*node*/, const Bounds& /*bounds*/) {}
  // What was known of it is no longer in memory.
  virtual void on_evicted(std::uint64_t /*node*/) {}
};

}  // namespace playproof
