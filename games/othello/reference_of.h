// The two rule sets of one game (games/core/reference_of.h).
#pragma once

#include <cstdint>

#include "games/core/reference_of.h"
#include "games/core/text_tools.h"
#include "games/othello/reference.h"
#include "games/othello/rules.h"

namespace playproof {

template <>
struct ReferenceOf<Othello> {
  using Type = RefOthello;
  static Type::Rules rules(const Othello::Rules& r) { return {r.size}; }
  static Type::State state(const Othello::Rules& r, const Othello::State& s) {
    const std::uint64_t discs[2][1] = {{s.discs[0]}, {s.discs[1]}};
    return {board_text(discs, r.size * r.size, '-', 'X', 'O'), s.to_move == 0 ? 'X' : 'O'};
  }
};

}  // namespace playproof
