// What tells positions of Nim apart. (That heaps may change places is not used.)
#pragma once

#include "games/core/identity.h"
#include "games/core/symmetry.h"
#include "games/nim/rules.h"

namespace playproof {

// Any heaps can be left to either side: who moves is the bit.
inline IdWords<1> position_id(const Nim&, const Nim::State& s) {
  return {{Nim::packed(s)}, s.to_move != 0};
}

}  // namespace playproof
