// Exact values of P-games: what the oracle asks.
#pragma once

#include <span>

#include "kernels/common/exact_search.h"
#include "kernels/pgame/search.h"
#include "kernels/pgame/values.h"

namespace playproof {

template <>
struct ExactSearch<PGame> {
  using Search = PGameSearch;

  // Below some ten million leaves a core is done before the layers of a device have been started.
  static bool is_for_device(const PGame::Rules& rules, const PGame::State& position) {
    double leaves = 1;
    for (std::uint32_t ply = position.ply; ply < rules.depth; ++ply) leaves *= rules.branching;
    return leaves >= 1e7;
  }
  static DeviceError values_on_device(int ordinal, const PGame::Rules& rules,
                                      std::span<const PGame::State> positions, Value* values) {
    return pgame_values(ordinal, rules, positions, values);
  }
};

}  // namespace playproof
