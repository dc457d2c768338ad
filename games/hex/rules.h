// Hex on rows x columns cells. The first player (Black) joins the top row to the bottom row, the
// second (White) the left column to the right one; exactly one of them succeeds, so there are no
// draws. Cell (row, column) is row * columns + column and touches its row neighbours, (row - 1,
// column), (row + 1, column), (row - 1, column + 1) and (row + 1, column - 1). A move is a cell.
// Black begins; but a position may be set up, with any stones and either side to move.
#pragma once

#include <cstdint>

#include "games/core/bitboard.h"
#include "games/core/game.h"

namespace playproof {

// W: 64-bit words a colour; 1 for boards of at most 64 cells, 2 of at most 128, else 6.
template <int W>
struct Hex {
  static constexpr int kMinSide = 2;
  static constexpr int kMaxSide = 19;
  static constexpr int kMaxCells = W < 6 ? 64 * W : kMaxSide * kMaxSide;

  struct Rules {
    std::uint8_t rows = 0;
    std::uint8_t columns = 0;
    std::uint16_t cells = 0;
    std::uint8_t length[2] = {};  // stones in the shortest chain: rows, columns
    SmallDivisor by_columns;
    // One-word boards only: the two edges of each player; the cells outside the first and the last
    // column.
    std::uint64_t edges[2][2] = {};
    std::uint64_t not_first = 0;
    std::uint64_t not_last = 0;
  };
  struct State {
    std::uint64_t stones[2][W] = {};
    std::uint16_t count = 0;  // stones on the board
    std::uint8_t winner = 0;  // 0 none yet, 1 first player, 2 second player
    // How many stones Black has more than where he has begun on the empty board and the sides took
    // turns: no move changes it. So count and lead tell who is to move, and how many stones each
    // side has.
    std::int16_t lead = 0;
    bool operator==(const State&) const = default;
  };

  static constexpr int kMaxMoves = kMaxCells;
  static constexpr int kMaxPlies = kMaxCells;
  static constexpr bool kConnection = true;  // connection.h

  // rows, columns in kMinSide .. kMaxSide, rows * columns <= kMaxCells.
  PP_HD static Rules make_rules(int rows, int columns) {
    Rules r;
    r.rows = static_cast<std::uint8_t>(rows);
    r.columns = static_cast<std::uint8_t>(columns);
    r.cells = static_cast<std::uint16_t>(rows * columns);
    r.length[0] = r.rows;
    r.length[1] = r.columns;
    r.by_columns = SmallDivisor::of(columns);
    if constexpr (W == 1) {
      const std::uint64_t board = board_word(rows * columns, 0);
      r.edges[0][0] = board_word(columns, 0);
      r.edges[0][1] = r.edges[0][0] << ((rows - 1) * columns);
      for (int row = 0; row < rows; ++row) r.edges[1][0] |= std::uint64_t{1} << (row * columns);
      r.edges[1][1] = r.edges[1][0] << (columns - 1);
      r.not_first = board & ~r.edges[1][0];
      r.not_last = board & ~r.edges[1][1];
    }
    return r;
  }

  PP_HD static State initial(const Rules&) { return {}; }
  // Any stones of the two players that share no cell, and who is to move.
  static State set_up(const Rules& rules, const std::uint64_t (&stones)[2][W], Player mover) {
    State s;
    int number[2] = {0, 0};
    for (int player = 0; player < 2; ++player) {
      for (int i = 0; i < W; ++i) {
        s.stones[player][i] = stones[player][i];
        number[player] += popcount64(stones[player][i]);
      }
      if (joins_edges(rules, stones[player], player)) {
        s.winner = static_cast<std::uint8_t>(player + 1);
      }
    }
    s.count = static_cast<std::uint16_t>(number[0] + number[1]);
    s.lead = static_cast<std::int16_t>(number[0] - number[1] - static_cast<int>(mover));
    return s;
  }
  PP_HD static bool finished(const Rules&, const State& s) { return s.winner != 0; }
  PP_HD static Value value(const Rules&, const State& s) { return s.winner == 1 ? 1 : -1; }
  PP_HD static Value min_value(const Rules&) { return -1; }
  PP_HD static Value max_value(const Rules&) { return 1; }
  PP_HD static Player to_move(const Rules&, const State& s) {
    return static_cast<Player>((s.count + s.lead) & 1);
  }
  PP_HD static int moves(const Rules& rules, const State& s, Move* out) {
    return empty_cells(s.stones, rules.cells, out);
  }
  PP_HD_INLINE static void play(const Rules& rules, State& s, Move cell) {
    const int player = (s.count + s.lead) & 1;
    add_cell(s.stones[player], cell);
    ++s.count;
    if (completes_chain(rules, s, player, cell)) s.winner = static_cast<std::uint8_t>(player + 1);
  }
  // The same stones with the other side to move have another one.
  PP_HD static std::uint64_t key(const Rules&, const State& s) {
    const std::uint64_t board = cells_key(s.stones);
    return (s.lead & 1) == 0 ? board : mix64(board + 1);
  }
  PP_HD static int max_plies_left(const Rules& rules, const State& s) {
    return s.winner != 0 ? 0 : rules.cells - s.count;
  }

 private:
  // The stone just placed on `cell` is the only one that can have completed a chain.
  PP_HD_INLINE static bool completes_chain(const Rules& rules, const State& s, int player,
                                           int cell) {
    const int own_twice = s.count + 1 + (player == 0 ? s.lead : -s.lead);  // or one more
    if (own_twice < 2 * rules.length[player]) return false;
    return joins_by(rules, s.stones[player], player, cell);
  }
  // Is the stone on `cell` part of a chain from edge to edge?
  PP_HD_INLINE static bool joins_by(const Rules& rules, const std::uint64_t (&own)[W], int player,
                                    int cell) {
    if constexpr (W == 1) {
      return flood_by_shifts(rules, own[0], player, std::uint64_t{1} << cell);
    } else {
      return flood_by_cells(rules, own, player, cell);
    }
  }
  static bool joins_edges(const Rules& rules, const std::uint64_t (&own)[W], int player) {
    const int stride = player == 0 ? 1 : rules.columns;  // along the first edge
    const int end = player == 0 ? rules.columns : rules.cells;
    for (int cell = 0; cell < end; cell += stride) {
      if (has_cell(own, cell) && joins_by(rules, own, player, cell)) return true;
    }
    return false;
  }

  PP_HD_INLINE static std::uint64_t grow(const Rules& rules, std::uint64_t set) {
    const int c = rules.columns;
    return (((set << 1) | (set >> (c - 1))) & rules.not_first) |
           (((set >> 1) | (set << (c - 1))) & rules.not_last) | (set << c) | (set >> c);
  }

  PP_HD_INLINE static bool flood_by_shifts(const Rules& rules, std::uint64_t own, int player,
                                           std::uint64_t stone) {
    const std::uint64_t first = rules.edges[player][0];
    const std::uint64_t last = rules.edges[player][1];
    if ((own & first) == 0 || (own & last) == 0) return false;
    std::uint64_t group = stone | (grow(rules, stone) & own);
    // Away from his edges a stone is only needed for a chain if it joins two neighbours.
    const std::uint64_t joined = group ^ stone;
    if ((stone & (first | last)) != 0 ? joined == 0 : (joined & (joined - 1)) == 0) return false;
    std::uint64_t before = stone;
    while (group != before) {
      before = group;
      group |= grow(rules, group) & own;
    }
    return (group & first) != 0 && (group & last) != 0;
  }

  // Depth-first walk over the group of `cell`: large boards have small groups.
  PP_HD static bool flood_by_cells(const Rules& rules, const std::uint64_t (&own)[W], int player,
                                   int cell) {
    const int c = rules.columns;
    std::uint64_t open[W];  // own stones not reached yet
    for (int i = 0; i < W; ++i) open[i] = own[i];
    Move stack[kMaxCells];
    int size = 0;
    bool first = false;
    bool last = false;
    const auto reach = [&](int next) {
      if (!has_cell(open, next)) return;
      open[next >> 6] &= ~(std::uint64_t{1} << (next & 63));
      stack[size++] = static_cast<Move>(next);
    };
    reach(cell);
    while (size > 0) {
      const int at = stack[--size];
      const int row = rules.by_columns.quotient(at);
      const int column = at - row * c;
      const int place = player == 0 ? row : column;
      first |= place == 0;
      last |= place == rules.length[player] - 1;
      if (first && last) return true;
      if (column > 0) reach(at - 1);
      if (column + 1 < c) reach(at + 1);
      if (row > 0) {
        reach(at - c);
        if (column + 1 < c) reach(at - c + 1);
      }
      if (row + 1 < rules.rows) {
        reach(at + c);
        if (column > 0) reach(at + c - 1);
      }
    }
    return false;
  }
};
static_assert(AcyclicGame<Hex<1>> && AcyclicGame<Hex<2>> && AcyclicGame<Hex<6>>);

}  // namespace playproof
