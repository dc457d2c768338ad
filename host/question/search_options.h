// What all engines share: limits, the order of children.
#pragma once

#include <cstdint>

#include "games/core/game.h"
#include "games/core/race.h"
#include "host/question/knowledge_options.h"
#include "host/question/question.h"
#include "kernels/schemes/move_order.h"

namespace playproof {

// How a search is set up, apart from its scheme.
struct SearchOptions : KnowledgeOptions {
  std::uint64_t max_nodes = SearchLimits::kNone;
  std::uint64_t max_bytes = std::uint64_t{1} << 30;
  bool random_order = false;  // children in an order drawn from (order_seed, position)
  std::uint64_t order_seed = 0;
  std::uint64_t seed = 1;      // of the playouts
  bool early_break = true;     // stop generating children once one decides the node
  std::uint32_t batch = 1;     // leaves of a batch, as far as saved searches are held against it
  std::uint32_t pipeline = 1;  // batches of leaves that may be out at a time
  int endings = 0;             // positions up to this distance from the end are left to Ending<G>
  RaceOptions races;           // in games that have any: leaves may be won by threats
  int look = 0;                // in games that have any: leaves may be won within so many plies

  // The least version of certificates (docs/certificate.md) whose kinds of nodes are enough.
  int certificate_version() const {
    return races.on() ? 6 : KnowledgeOptions::certificate_version();
  }
};

inline constexpr std::uint32_t kAllLeaves = ~std::uint32_t{0};

// Plies below the root down to which changes of the chosen child are counted (E24 c).
inline constexpr std::uint32_t kShallow = 2;

// Puts moves into the order in which children are generated: ascending, or drawn.
inline void order_moves(const SearchOptions& options, std::uint64_t key, Move* moves, int count) {
  if (options.random_order) shuffle_moves(options.order_seed, key, moves, count);
}

inline bool cut_by_limit(StopReason reason) {
  return reason == StopReason::kNodes || reason == StopReason::kMemory;
}

}  // namespace playproof
