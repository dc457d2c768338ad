// Nim: heaps of objects; the side to move takes one or more from one heap; who takes the last
// object wins (normal play). The value is known without search: the side to move wins exactly if
// the sizes of the heaps, added without carries, are not 0 (Bouton 1901). That makes it a check of
// everything that searches.
#pragma once

#include <cstdint>

#include "games/core/game.h"

namespace playproof {

struct Nim {
  static constexpr int kMaxHeaps = 8;
  static constexpr int kMaxHeap = 15;

  struct Rules {
    std::uint8_t heaps = 3;
    std::uint8_t sizes[kMaxHeaps] = {3, 4, 5};  // at the beginning; 0 beyond `heaps`
  };
  struct State {
    std::uint8_t sizes[kMaxHeaps] = {};
    std::uint8_t to_move = 0;
    bool operator==(const State&) const = default;
  };

  static constexpr int kMaxMoves = kMaxHeaps * kMaxHeap;
  static constexpr int kMaxPlies = kMaxHeaps * kMaxHeap;

  // The move that takes `count` objects, 1..15, from a heap.
  PP_HD static constexpr Move take(int heap, int count) {
    return static_cast<Move>(heap * kMaxHeap + count - 1);
  }
  PP_HD static constexpr int heap_of(Move move) { return move / kMaxHeap; }
  PP_HD static constexpr int count_of(Move move) { return move % kMaxHeap + 1; }

  PP_HD static State initial(const Rules& rules) {
    State s;
    for (int i = 0; i < kMaxHeaps; ++i) s.sizes[i] = rules.sizes[i];
    return s;
  }
  PP_HD static bool finished(const Rules& rules, const State& s) {
    return max_plies_left(rules, s) == 0;
  }
  PP_HD static Value value(const Rules&, const State& s) {
    return static_cast<Value>(s.to_move == 0 ? -1 : 1);  // the other side took the last object
  }
  PP_HD static Value min_value(const Rules&) { return -1; }
  PP_HD static Value max_value(const Rules&) { return 1; }
  PP_HD static Player to_move(const Rules&, const State& s) {
    return s.to_move == 0 ? Player::kFirst : Player::kSecond;
  }
  PP_HD static int moves(const Rules& rules, const State& s, Move* out) {
    int n = 0;
    for (int heap = 0; heap < rules.heaps; ++heap) {
      for (int count = 1; count <= s.sizes[heap]; ++count) out[n++] = take(heap, count);
    }
    return n;
  }
  PP_HD static void play(const Rules&, State& s, Move move) {
    const int heap = heap_of(move);
    s.sizes[heap] = static_cast<std::uint8_t>(s.sizes[heap] - count_of(move));
    s.to_move ^= 1;
  }
  PP_HD static std::uint64_t key(const Rules&, const State& s) {
    return mix64(packed(s) + (s.to_move == 0 ? 0 : kGoldenGamma));
  }
  PP_HD static int max_plies_left(const Rules&, const State& s) {
    int objects = 0;
    for (const std::uint8_t size : s.sizes) objects += size;
    return objects;
  }

  // The sizes, a byte each.
  PP_HD static std::uint64_t packed(const State& s) {
    std::uint64_t word = 0;
    for (int heap = 0; heap < kMaxHeaps; ++heap) word |= std::uint64_t{s.sizes[heap]} << 8 * heap;
    return word;
  }
};

static_assert(AcyclicGame<Nim>);

}  // namespace playproof
