// Small games that no list has: what the games of the list do not do.
#pragma once

#include <cstdint>

#include "games/core/game.h"
#include "games/core/identity.h"

namespace playproof {

// A token on a line of cells; both sides move it by one cell, and who moves it to an end wins. It
// may go to and fro for ever, so it says nothing of how long a game lasts.
struct Shuttle {
  struct Rules {
    std::uint8_t cells = 5;
  };
  struct State {
    std::uint8_t at = 0;
    std::uint8_t to_move = 0;
    bool operator==(const State&) const = default;
  };
  static constexpr int kMaxMoves = 2;
  static constexpr PathRule kPaths = PathRule::kRepetitionDraws;

  static State initial(const Rules& r) { return {static_cast<std::uint8_t>(r.cells / 2), 0}; }
  static bool finished(const Rules& r, const State& s) { return s.at == 0 || s.at + 1 == r.cells; }
  static Value value(const Rules&, const State& s) { return s.to_move == 1 ? 1 : -1; }
  static Value min_value(const Rules&) { return -1; }
  static Value max_value(const Rules&) { return 1; }
  static Player to_move(const Rules&, const State& s) { return static_cast<Player>(s.to_move); }
  static int moves(const Rules&, const State&, Move* out) {
    out[0] = 0;
    out[1] = 1;
    return 2;
  }
  static void play(const Rules&, State& s, Move move) {
    s.at = static_cast<std::uint8_t>(move == 0 ? s.at - 1 : s.at + 1);
    s.to_move ^= 1;
  }
  static std::uint64_t key(const Rules&, const State& s) { return mix64(s.at * 2u + s.to_move); }
};
inline IdWords<1> position_id(const Shuttle&, const Shuttle::State& s) {
  return {{s.at}, s.to_move != 0};
}

// A heap; in its turn a side takes an object twice, or once and passes. Who takes the last wins. So
// one heap comes with either side to move and with one or two takings left: kTold says whether the
// identity tells so.
template <bool kMoverTold, bool kLeftTold>
struct Takings {
  struct Rules {
    std::uint8_t objects = 5;
  };
  struct State {
    std::uint8_t heap = 0;
    std::uint8_t to_move = 0;
    std::uint8_t left = 2;
    bool operator==(const State&) const = default;
  };
  static constexpr int kMaxMoves = 2;
  static constexpr int kMaxPlies = 511;

  static State initial(const Rules& r) { return {r.objects, 0, 2}; }
  static bool finished(const Rules&, const State& s) { return s.heap == 0; }
  static Value value(const Rules&, const State& s) { return s.to_move == 0 ? 1 : -1; }
  static Value min_value(const Rules&) { return -1; }
  static Value max_value(const Rules&) { return 1; }
  static Player to_move(const Rules&, const State& s) { return static_cast<Player>(s.to_move); }
  static int moves(const Rules&, const State& s, Move* out) {
    out[0] = 0;
    out[1] = 1;  // passes
    return s.left == 2 ? 1 : 2;
  }
  static void play(const Rules&, State& s, Move move) {
    s.heap = static_cast<std::uint8_t>(s.heap - (move == 0 ? 1 : 0));
    if (s.heap == 0) return;  // whoever took it
    if (--s.left == 0) {
      s.left = 2;
      s.to_move ^= 1;
    }
  }
  static std::uint64_t key(const Rules&, const State& s) {
    return mix64(s.heap * 8u + s.to_move * 4u + s.left);
  }
  static int max_plies_left(const Rules&, const State& s) {
    return s.heap == 0 ? 0 : 2 * s.heap - (s.left == 2 ? 1 : 0);
  }
};
template <bool kMoverTold, bool kLeftTold>
IdWords<1> position_id(const Takings<kMoverTold, kLeftTold>&,
                       const typename Takings<kMoverTold, kLeftTold>::State& s) {
  return {{s.heap + (kLeftTold ? std::uint64_t{s.left} << 8 : 0)}, kMoverTold && s.to_move != 0};
}

}  // namespace playproof
