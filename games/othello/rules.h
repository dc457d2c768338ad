// Othello on 4 x 4, 6 x 6 and 8 x 8 boards, one 64-bit word a colour for every size. Square
// (row, column) is row * size + column, a1 = 0, b1 = 1. The first player is Black, X. A player
// without a move passes, which is a ply and the move kPass; when neither can move the game is over.
// The value is the disc difference for Black, empty squares going to the winner.
#pragma once

#include <cstdint>

#include "games/core/bitboard.h"
#include "games/core/game.h"

namespace playproof {

struct Othello {
  static constexpr Move kPass = 64;  // on every size

  struct Rules {
    std::uint8_t size = 0;
    std::uint64_t board = 0;
    std::uint64_t inner = 0;       // outside the first and the last column
    std::uint64_t centre[2] = {};  // discs of the start position
  };
  struct State {
    std::uint64_t discs[2] = {};
    std::uint64_t legal = 0;    // squares that the side to move may take, follows from the rest
    std::uint8_t to_move = 0;   // 0 first player, 1 second player
    std::uint8_t finished = 0;  // follows from the rest
    bool operator==(const State&) const = default;
  };

  static constexpr int kMaxMoves = 60;
  static constexpr int kMaxPlies = 120;  // between two passes lies a disc

  // size is 4, 6 or 8. On 8 x 8 White holds d4 and e5, Black e4 and d5.
  PP_HD static Rules make_rules(int size) {
    Rules r;
    r.size = static_cast<std::uint8_t>(size);
    r.board = board_word(size * size, 0);
    std::uint64_t left = 0;
    for (int row = 0; row < size; ++row) left |= std::uint64_t{1} << (row * size);
    r.inner = r.board & ~(left | (left << (size - 1)));
    const int d4 = (size / 2 - 1) * (size + 1);
    r.centre[0] = (std::uint64_t{1} << (d4 + 1)) | (std::uint64_t{1} << (d4 + size));
    r.centre[1] = (std::uint64_t{1} << d4) | (std::uint64_t{1} << (d4 + size + 1));
    return r;
  }
  // The state with these discs; to_move 0 or 1.
  PP_HD static State make_state(const Rules& rules, std::uint64_t black, std::uint64_t white,
                                int to_move) {
    State s;
    s.discs[0] = black;
    s.discs[1] = white;
    s.to_move = static_cast<std::uint8_t>(to_move);
    complete(rules, s);
    return s;
  }

  PP_HD static State initial(const Rules& rules) {
    return make_state(rules, rules.centre[0], rules.centre[1], 0);
  }
  PP_HD static bool finished(const Rules&, const State& s) { return s.finished != 0; }
  PP_HD static Value value(const Rules& rules, const State& s) {
    const int black = popcount64(s.discs[0]);
    const int white = popcount64(s.discs[1]);
    const int empty = rules.size * rules.size - black - white;
    const int winners = black > white ? empty : black < white ? -empty : 0;
    return static_cast<Value>(black - white + winners);
  }
  PP_HD static Value min_value(const Rules& rules) {
    return static_cast<Value>(-rules.size * rules.size);
  }
  PP_HD static Value max_value(const Rules& rules) {
    return static_cast<Value>(rules.size * rules.size);
  }
  PP_HD static Player to_move(const Rules&, const State& s) {
    return static_cast<Player>(s.to_move);
  }
  PP_HD static int moves(const Rules&, const State& s, Move* out) {
    if (s.legal != 0) return static_cast<int>(append_cells(s.legal, 0, out) - out);
    *out = kPass;
    return 1;
  }
  PP_HD static void play(const Rules& rules, State& s, Move square) {
    if (square != kPass) {
      std::uint64_t& own = s.discs[s.to_move];
      std::uint64_t& other = s.discs[s.to_move ^ 1];
      const std::uint64_t disc = std::uint64_t{1} << square;
      const std::uint64_t turned = flips(rules, own, other, disc);
      own ^= turned | disc;
      other ^= turned;
    }
    s.to_move ^= 1;
    complete(rules, s);
  }
  PP_HD static std::uint64_t key(const Rules&, const State& s) {
    const std::uint64_t discs[2][1] = {{s.discs[0]}, {s.discs[1]}};
    return mix64(cells_key(discs) + s.to_move);
  }
  PP_HD static int max_plies_left(const Rules& rules, const State& s) {
    if (s.finished != 0) return 0;
    // A pass can only stand before a disc, and not before this one if there is a square to take.
    const int empty = rules.size * rules.size - popcount64(s.discs[0] | s.discs[1]);
    return 2 * empty - (s.legal != 0 ? 1 : 0);
  }

 private:
  // Fills in what follows from discs and side to move.
  PP_HD static void complete(const Rules& rules, State& s) {
    const std::uint64_t own = s.discs[s.to_move];
    const std::uint64_t other = s.discs[s.to_move ^ 1];
    s.legal = mobility(rules, own, other);
    s.finished = s.legal == 0 && mobility(rules, other, own) == 0 ? 1 : 0;
  }

  // Squares next to a line of other discs (`via`, without the columns where the direction would
  // wrap around) that starts at an own disc, both ways along one direction. Three doubling steps
  // reach the six discs that fit between two ends on 8 x 8 (Kogge-Stone).
  PP_HD static std::uint64_t reachable(std::uint64_t own, std::uint64_t via, int step) {
    std::uint64_t up = via & (own << step);
    std::uint64_t down = via & (own >> step);
    std::uint64_t via_up = via & (via << step);
    std::uint64_t via_down = via & (via >> step);
    up |= via & (up << step);
    down |= via & (down >> step);
    up |= via_up & (up << (2 * step));
    down |= via_down & (down >> (2 * step));
    up |= via_up & (up << (2 * step));
    down |= via_down & (down >> (2 * step));
    return (up << step) | (down >> step);
  }
  PP_HD static std::uint64_t mobility(const Rules& rules, std::uint64_t own, std::uint64_t other) {
    const int n = rules.size;
    const std::uint64_t via = other & rules.inner;
    const std::uint64_t found = reachable(own, via, 1) | reachable(own, other, n) |
                                reachable(own, via, n - 1) | reachable(own, via, n + 1);
    return found & rules.board & ~(own | other);
  }

  // The discs of `via` that a new disc turns, both ways along one direction.
  PP_HD static std::uint64_t turned(std::uint64_t own, std::uint64_t via, std::uint64_t disc,
                                    int step) {
    std::uint64_t up = via & (disc << step);
    std::uint64_t down = via & (disc >> step);
    const std::uint64_t via_up = via & (via << step);
    const std::uint64_t via_down = via & (via >> step);
    up |= via & (up << step);
    down |= via & (down >> step);
    up |= via_up & (up << (2 * step));
    down |= via_down & (down >> (2 * step));
    up |= via_up & (up << (2 * step));
    down |= via_down & (down >> (2 * step));
    return (((up << step) & own) != 0 ? up : 0) | (((down >> step) & own) != 0 ? down : 0);
  }
  PP_HD static std::uint64_t flips(const Rules& rules, std::uint64_t own, std::uint64_t other,
                                   std::uint64_t disc) {
    const int n = rules.size;
    const std::uint64_t via = other & rules.inner;
    return turned(own, via, disc, 1) | turned(own, other, disc, n) | turned(own, via, disc, n - 1) |
           turned(own, via, disc, n + 1);
  }
};
static_assert(AcyclicGame<Othello>);

}  // namespace playproof
