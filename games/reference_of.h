// Which reference rules belong to a game, and how its rules and states look there. This is the only
// place where both rule sets are seen together outside the tests.
#pragma once

#include <cstdint>

#include "games/connect.h"
#include "games/game.h"
#include "games/hex.h"
#include "games/othello.h"
#include "games/pgame.h"
#include "games/reference/connect.h"
#include "games/reference/hex.h"
#include "games/reference/othello.h"
#include "games/reference/pgame.h"
#include "games/text_tools.h"

namespace playproof {

// ReferenceOf<G>::Type                the reference rule set of G
// ReferenceOf<G>::rules(rules)        the same rules there
// ReferenceOf<G>::state(rules, state) the same position there
template <Game G>
struct ReferenceOf;

template <>
struct ReferenceOf<PGame> {
  using Type = RefPGame;
  static Type::Rules rules(const PGame::Rules& r) { return {r.tree, r.branching, r.depth}; }
  static Type::State state(const PGame::Rules&, const PGame::State& s) {
    return {s.hash, s.sum, static_cast<int>(s.ply)};
  }
};

template <int W>
struct ReferenceOf<Hex<W>> {
  using Type = RefHex;
  static Type::Rules rules(const typename Hex<W>::Rules& r) { return {r.rows, r.columns}; }
  static Type::State state(const typename Hex<W>::Rules& r, const typename Hex<W>::State& s) {
    return {board_text(s.stones, r.cells, '.', 'B', 'W')};
  }
};

template <>
struct ReferenceOf<Othello> {
  using Type = RefOthello;
  static Type::Rules rules(const Othello::Rules& r) { return {r.size}; }
  static Type::State state(const Othello::Rules& r, const Othello::State& s) {
    const std::uint64_t discs[2][1] = {{s.discs[0]}, {s.discs[1]}};
    return {board_text(discs, r.size * r.size, '-', 'X', 'O'), s.to_move == 0 ? 'X' : 'O'};
  }
};

template <int W>
struct ReferenceOf<Connect<W>> {
  using Type = RefConnect;
  static Type::Rules rules(const typename Connect<W>::Rules& r) {
    return {r.rows, r.columns, r.connect, r.stones};
  }
  static Type::State state(const typename Connect<W>::Rules& r,
                           const typename Connect<W>::State& s) {
    return {board_text(s.stones, r.cells, '.', 'B', 'W')};
  }
};

}  // namespace playproof
