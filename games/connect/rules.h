// connect(rows, columns, k, p): players place stones on empty cells; k or more of one's own in a
// line (row, column or diagonal) win at once; a full board is a draw. The first turn is one stone,
// every later turn is p stones. One stone is one ply and one move. Connect6 is connect(19, 19, 6,
// 2). Cell (row, column) is row * columns + column.
#pragma once

#include <cstdint>

#include "games/core/bitboard.h"
#include "games/core/game.h"

namespace playproof {

// W is the number of 64-bit words a colour: 1 for boards of at most 64 cells, else 6.
template <int W>
struct Connect {
  using WithRaces = Connect;  // games/core/race.h
  static constexpr int kMinSide = 2;
  static constexpr int kMaxSide = 19;
  static constexpr int kMaxCells = W == 1 ? 64 : kMaxSide * kMaxSide;
  static constexpr int kMinLine = 2;
  static constexpr int kMaxStones = 8;  // a turn
  static constexpr std::uint8_t kDraw = 3;

  struct Rules {
    std::uint8_t rows = 0;
    std::uint8_t columns = 0;
    std::uint8_t connect = 0;  // k
    std::uint8_t stones = 0;   // p
    std::uint16_t cells = 0;
    SmallDivisor by_columns;
    SmallDivisor by_stones;
  };
  struct State {
    std::uint64_t stones[2][W] = {};
    std::uint16_t count = 0;  // stones on the board
    std::uint8_t winner = 0;  // 0 not finished, 1 first player, 2 second player, kDraw
    bool operator==(const State&) const = default;
  };

  static constexpr int kMaxMoves = kMaxCells;
  static constexpr int kMaxPlies = kMaxCells;

  // rows, columns in kMinSide .. kMaxSide, rows * columns <= kMaxCells; k in kMinLine ..
  // max(rows, columns); p in 1 .. kMaxStones.
  PP_HD static Rules make_rules(int rows, int columns, int k, int p) {
    Rules r;
    r.rows = static_cast<std::uint8_t>(rows);
    r.columns = static_cast<std::uint8_t>(columns);
    r.connect = static_cast<std::uint8_t>(k);
    r.stones = static_cast<std::uint8_t>(p);
    r.cells = static_cast<std::uint16_t>(rows * columns);
    r.by_columns = SmallDivisor::of(columns);
    r.by_stones = SmallDivisor::of(p);
    return r;
  }

  PP_HD static State initial(const Rules&) { return {}; }
  PP_HD static bool finished(const Rules&, const State& s) { return s.winner != 0; }
  PP_HD static Value value(const Rules&, const State& s) {
    return static_cast<Value>((s.winner == 1) - (s.winner == 2));
  }
  PP_HD static Value min_value(const Rules&) { return -1; }
  PP_HD static Value max_value(const Rules&) { return 1; }
  PP_HD static Player to_move(const Rules& rules, const State& s) {
    return static_cast<Player>(rules.by_stones.quotient(s.count + rules.stones - 1) & 1);
  }
  // Stones that the side to move still places before the other is to move (1 .. p), if the board
  // has room. Not asked of a finished position.
  PP_HD static int stones_left_in_turn(const Rules& rules, const State& s) {
    const int shifted = s.count + rules.stones - 1;
    return rules.stones - (shifted - rules.by_stones.quotient(shifted) * rules.stones);
  }
  PP_HD static int moves(const Rules& rules, const State& s, Move* out) {
    return empty_cells(s.stones, rules.cells, out);
  }
  PP_HD static void play(const Rules& rules, State& s, Move cell) {
    const int player = static_cast<int>(to_move(rules, s));
    add_cell(s.stones[player], cell);
    ++s.count;
    if (s.count >= rules.connect && completes_line(rules, s.stones[player], cell)) {
      s.winner = static_cast<std::uint8_t>(player + 1);
    } else if (s.count == rules.cells) {
      s.winner = kDraw;
    }
  }
  PP_HD static std::uint64_t key(const Rules&, const State& s) { return cells_key(s.stones); }
  PP_HD static int max_plies_left(const Rules& rules, const State& s) {
    return s.winner != 0 ? 0 : rules.cells - s.count;
  }

 private:
  PP_HD static int smaller(int a, int b) { return a < b ? a : b; }

  // Length of the run of own stones beyond `cell`, at most `room` cells in steps of `step`.
  PP_HD static int run(const std::uint64_t (&own)[W], int cell, int step, int room) {
    int length = 0;
    while (length < room && has_cell(own, cell + step * (length + 1))) ++length;
    return length;
  }

  PP_HD static bool completes_line(const Rules& rules, const std::uint64_t (&own)[W], int cell) {
    const int c = rules.columns;
    const int need = rules.connect - 1;
    const int up = rules.by_columns.quotient(cell);
    const int left = cell - up * c;
    const int down = rules.rows - 1 - up;
    const int right = c - 1 - left;
    const auto line = [&](int step, int before, int after) {
      return run(own, cell, -step, before) + run(own, cell, step, after) >= need;
    };
    return line(1, left, right) || line(c, up, down) ||
           line(c + 1, smaller(up, left), smaller(down, right)) ||
           line(c - 1, smaller(up, right), smaller(down, left));
  }
};
static_assert(AcyclicGame<Connect<1>> && AcyclicGame<Connect<6>>);

}  // namespace playproof
