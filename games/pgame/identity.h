// What tells positions of P-games apart. They have no symmetries.
#pragma once

#include <cstdint>

#include "games/core/identity.h"
#include "games/core/symmetry.h"
#include "games/pgame/rules.h"

namespace playproof {

// The ply is in the second word; MAX moves at even ones.
inline IdWords<2> position_id(const PGame&, const PGame::State& s) {
  const auto sum = static_cast<std::uint64_t>(static_cast<std::uint32_t>(s.sum));
  return {{s.hash, sum << 32 | s.ply}, false};
}

}  // namespace playproof
