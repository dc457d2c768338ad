// The two rule sets of one game (games/core/reference_of.h).
#pragma once

#include <vector>

#include "games/core/reference_of.h"
#include "games/nim/reference.h"
#include "games/nim/rules.h"

namespace playproof {

template <>
struct ReferenceOf<Nim> {
  using Type = RefNim;
  static Type::Rules rules(const Nim::Rules& r) {
    return {std::vector<int>(r.sizes, r.sizes + r.heaps)};
  }
  static Type::State state(const Nim::Rules& r, const Nim::State& s) {
    return {std::vector<int>(s.sizes, s.sizes + r.heaps), s.to_move == 0};
  }
};

}  // namespace playproof
