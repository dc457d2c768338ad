// The two rule sets of one game (games/core/reference_of.h).
#pragma once

#include "games/core/reference_of.h"
#include "games/pgame/reference.h"
#include "games/pgame/rules.h"

namespace playproof {

template <>
struct ReferenceOf<PGame> {
  using Type = RefPGame;
  static Type::Rules rules(const PGame::Rules& r) { return {r.tree, r.branching, r.depth}; }
  static Type::State state(const PGame::Rules&, const PGame::State& s) {
    return {s.hash, s.sum, static_cast<int>(s.ply)};
  }
};

}  // namespace playproof
