// The names of all games; their types are in games/list.h.
#pragma once

#include "games/core/spec.h"

namespace playproof {

// All games, with their options. Defaults: hex size 5; othello size 8; connect6 size 19;
// pgame branching 2, depth 20, tree 1.
const Catalogue& game_catalogue();

}  // namespace playproof
