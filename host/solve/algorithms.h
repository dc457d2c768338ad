// All algorithms: the only place that lists them. To add one: docs/add-an-algorithm.md.
#pragma once

#include <memory>
#include <string_view>

#include "host/solve/algorithms/deeppn.h"
#include "host/solve/algorithms/depth_first.h"
#include "host/solve/algorithms/mcpn.h"
#include "host/solve/algorithms/mcts.h"
#include "host/solve/algorithms/minimax.h"
#include "host/solve/algorithms/pn.h"
#include "host/solve/algorithms/ppn.h"

namespace playproof {

template <class... Algorithm>
struct AlgorithmList {
  static Catalogue catalogue() { return {"algorithm", {Algorithm::info()...}}; }
  // Calls f.template operator()<A>() with the algorithm of that name; one of them has it.
  template <class F>
  static void visit(std::string_view name, const F& f) {
    (void)((name == Algorithm::info().name && (f.template operator()<Algorithm>(), true)) || ...);
  }
};

using AllAlgorithms =
    AlgorithmList<MinimaxAlgorithm, PnAlgorithm, DeepPnAlgorithm, McpnAlgorithm, PpnAlgorithm,
                  MctsAlgorithm, UctAlgorithm, DfpnAlgorithm, PdsAlgorithm, PnStarAlgorithm>;

// Of the list, those that keep a table between two searches.
template <class Algorithm>
inline constexpr bool kHasTable = requires {
  Algorithm::kHasTable;
};

}  // namespace playproof
