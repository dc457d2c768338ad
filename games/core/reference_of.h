// Which reference rules belong to a game, and how its rules and states look there. Outside the
// tests only the specialisations, games/<game>/reference_of.h, see both rule sets of a game
// together.
#pragma once

#include "games/core/game.h"

namespace playproof {

// ReferenceOf<G>::Type                the reference rule set of G
// ReferenceOf<G>::rules(rules)        the same rules there
// ReferenceOf<G>::state(rules, state) the same position there
template <Game G>
struct ReferenceOf;

}  // namespace playproof
