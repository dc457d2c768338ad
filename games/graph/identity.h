// What tells positions of graphs apart: their nodes, which say who moves. They have no symmetries.
#pragma once

#include "games/core/identity.h"
#include "games/core/symmetry.h"
#include "games/graph/rules.h"

namespace playproof {

inline IdWords<1> position_id(const Graph&, const Graph::State& s) { return {{s.node}, false}; }

}  // namespace playproof
