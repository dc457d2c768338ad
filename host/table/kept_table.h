// A table that outlives its search.
#pragma once

#include <memory>
#include <string>
#include <utility>

#include "host/table/table_options.h"

namespace playproof {

// What a depth-first search knows at its end, for later searches of other positions: whoever asks
// them one after the other has a keeper, empty at first, to which every request points.
struct KeptTable {
  explicit KeptTable(std::string question) : of(std::move(question)) {}
  virtual ~KeptTable() = default;
  const std::string of;  // game, algorithm, seed and attacker; of no use for others
};
// A PositionTable between two searches.
template <class Table>
struct KeptPositions final : KeptTable {
  KeptPositions(std::string question, const TableOptions& options)
      : KeptTable(std::move(question)), table(options) {}
  Table table;
};
using TableKeeper = std::unique_ptr<KeptTable>;

}  // namespace playproof
