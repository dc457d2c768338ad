// What all engines share: limits, the order of children, tallies as the attacker sees them.
#pragma once

#include <algorithm>
#include <cstdint>
#include <utility>

#include "games/core/game.h"
#include "host/question/bounds.h"
#include "host/question/knowledge_options.h"
#include "host/question/question.h"
#include "kernels/common/playout.h"

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
};

inline constexpr std::uint32_t kAllLeaves = ~std::uint32_t{0};

// Plies below the root down to which changes of the chosen child are counted (E24 c).
inline constexpr std::uint32_t kShallow = 2;

// Puts moves into the order in which children are generated: ascending, or drawn uniformly from
// (seed, key of the position), so that a position has one order in the whole search.
inline void order_moves(const SearchOptions& options, std::uint64_t key, Move* moves, int count) {
  if (!options.random_order) return;
  std::uint64_t draw = mix64(options.order_seed ^ mix64(key));
  for (int i = count - 1; i > 0; --i) {
    draw = mix64(draw);
    // The bias of a multiply over 32 bits is below 361/2^32.
    const auto j = static_cast<int>(((draw >> 32) * static_cast<std::uint64_t>(i + 1)) >> 32);
    std::swap(moves[i], moves[j]);
  }
}

inline bool cut_by_limit(StopReason reason) {
  return reason == StopReason::kNodes || reason == StopReason::kMemory;
}

// A tally as the attacker sees it: playouts that reached the goal. Playouts know win, draw and loss
// only, so a score goal counts wins (N > 0) or wins and draws (N <= 0): an estimate, not a proof.
inline double reached(const Tally& tally, const Claim& claim) {
  const std::uint32_t wins = claim.attacker == Player::kFirst ? tally.wins : tally.losses;
  return claim.threshold > 0 ? wins : wins + tally.draws;
}

template <class G>
Bounds unknown_bounds(const typename G::Rules& rules, Player attacker) {
  const Value a = value_for(attacker, G::min_value(rules));
  const Value b = value_for(attacker, G::max_value(rules));
  return Bounds::unknown(std::min(a, b), std::max(a, b));
}

}  // namespace playproof
