// All algorithms: the only place that lists them. To add one: docs/add-an-algorithm.md.
#pragma once

#include "games/core/named_types.h"
#include "host/solve/algorithms/deeppn.h"
#include "host/solve/algorithms/depth_first.h"
#include "host/solve/algorithms/dfews.h"
#include "host/solve/algorithms/dfppn.h"
#include "host/solve/algorithms/ews.h"
#include "host/solve/algorithms/mcpn.h"
#include "host/solve/algorithms/mcts.h"
#include "host/solve/algorithms/minimax.h"
#include "host/solve/algorithms/pn.h"
#include "host/solve/algorithms/pn2.h"
#include "host/solve/algorithms/ppn.h"
#include "host/solve/algorithms/vcdt.h"
#include "host/solve/algorithms/wpns.h"

namespace playproof {

using AllAlgorithms =
    NamedTypes<MinimaxAlgorithm, AlphaBetaAlgorithm, PnAlgorithm, Pn2Algorithm, DeepPnAlgorithm,
               WpnsAlgorithm, McpnAlgorithm, PpnAlgorithm, EwsAlgorithm, MctsAlgorithm,
               UctAlgorithm, DfpnAlgorithm, PdsAlgorithm, PnStarAlgorithm, DfppnAlgorithm,
               DfewsAlgorithm, VcdtAlgorithm, VcstAlgorithm, RzopAlgorithm>;

// True of those in the list that keep a table between two searches.
template <class Algorithm>
inline constexpr bool kHasTable = requires {
  Algorithm::kHasTable;
};

// True of those in the list that search games in which positions can come again.
template <class Algorithm>
inline constexpr bool kKnowsPaths = requires {
  Algorithm::kKnowsPaths;
};

}  // namespace playproof
