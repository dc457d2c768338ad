// P-games: uniform MIN/MAX trees with a random value on each edge (Kocsis & Szepesvari 2006;
// thesis of Zhang Song, section 5.4). MAX moves at the root. An edge is worth 0..127, added when
// MAX moves and subtracted when MIN moves; the sum along the path decides: > 0 is a win for MAX,
// 0 a draw. The tree is a hash, so it needs no memory:
//   h(root) = mix(tree);  h(child i) = mix(h(parent) + (i + 1) * golden gamma);
//   value of the edge to a child = h(child) >> 57.
// Branching and depth do not enter the hash: a deeper tree begins with the shallower one.
#pragma once

#include <cstdint>

#include "games/core/game.h"

namespace playproof {

struct PGame {
  struct Rules {
    std::uint64_t tree = 1;
    std::uint8_t branching = 2;  // 2..64
    std::uint8_t depth = 20;     // 1..64
  };
  struct State {
    std::uint64_t hash = 0;  // of the path from the root
    std::int32_t sum = 0;    // of the signed edge values on that path
    std::uint32_t ply = 0;
    bool operator==(const State&) const = default;
  };

  static constexpr int kMaxMoves = 64;
  static constexpr int kMaxPlies = 64;
  static constexpr bool kTree = true;  // no two paths meet: a table of positions would only grow

  PP_HD static State initial(const Rules& rules) { return {mix64(rules.tree), 0, 0}; }
  // The rules as far as playouts depend on them: the tree is in the states.
  static Rules playout_rules(Rules rules) {
    rules.tree = 0;
    return rules;
  }
  PP_HD static bool finished(const Rules& rules, const State& s) { return s.ply >= rules.depth; }
  PP_HD static Value value(const Rules&, const State& s) {
    return static_cast<Value>((s.sum > 0) - (s.sum < 0));
  }
  PP_HD static Value min_value(const Rules&) { return -1; }
  PP_HD static Value max_value(const Rules&) { return 1; }
  PP_HD static Player to_move(const Rules&, const State& s) {
    return (s.ply & 1) == 0 ? Player::kFirst : Player::kSecond;
  }
  PP_HD static int moves(const Rules& rules, const State&, Move* out) {
    for (int i = 0; i < rules.branching; ++i) out[i] = static_cast<Move>(i);
    return rules.branching;
  }
  // The value of the edge to the node with this hash.
  PP_HD static std::int32_t edge(std::uint64_t hash) {
    return static_cast<std::int32_t>(hash >> 57);
  }
  PP_HD static void play(const Rules&, State& s, Move branch) {
    s.hash = mix64(s.hash + (static_cast<std::uint64_t>(branch) + 1) * kGoldenGamma);
    s.sum += (s.ply & 1) == 0 ? edge(s.hash) : -edge(s.hash);
    ++s.ply;
  }
  PP_HD static std::uint64_t key(const Rules&, const State& s) { return s.hash; }
  PP_HD static int max_plies_left(const Rules& rules, const State& s) {
    return rules.depth - static_cast<int>(s.ply);
  }
};
static_assert(AcyclicGame<PGame>);

}  // namespace playproof
