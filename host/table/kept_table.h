// A table that outlives its search.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>

namespace playproof {

// What a depth-first search knows at its end, for later searches of other positions: whoever asks
// them one after the other has a keeper, empty at first, to which every request points.
struct KeptTable {
  explicit KeptTable(std::string question) : of(std::move(question)) {}
  virtual ~KeptTable() = default;
  // Can a search that may have so many bytes go on with it?
  virtual bool fits(std::uint64_t most_bytes) const = 0;
  const std::string of;  // game, algorithm, seed and attacker; of no use for others
};
// A PositionTable between two searches. There is room for it before its search ends, so that the
// end needs no memory.
template <class Table>
struct KeptPositions final : KeptTable {
  using KeptTable::KeptTable;
  bool fits(std::uint64_t most_bytes) const override { return table && table->fits(most_bytes); }
  std::optional<Table> table;
};
using TableKeeper = std::unique_ptr<KeptTable>;

}  // namespace playproof
