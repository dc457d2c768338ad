// Lines of Action on boards of 4 x 4 to 8 x 8. A stone moves along a line, straight or diagonal, by
// exactly as many cells as there are stones of either side on that line; it jumps over its own
// side's stones, not over the other's, and may end on one of these, which it captures. Who has all
// of his stones in one group, diagonal neighbours included, wins; so does who leaves the other side
// without a move. The first player is Black, X, whose stones begin above and below.
//
// One 64-bit word a side for every size: cell (row, column) is row * 8 + column, a1 = 0, b1 = 1. A
// move is 64 * from + to.
//
// Each side's Euler number, its groups less the holes in them, is kept move by move (Gray 1971;
// Winands, Uiterwijk and van den Herik 2001 count quads for it). More than one says that it is not
// connected, so that few positions are asked for their groups.
#pragma once

#include <cstdint>

#include "games/core/bitboard.h"
#include "games/core/game.h"
#include "games/core/quads.h"

namespace playproof {

struct Loa {
  static constexpr int kMinSize = 4;
  static constexpr int kMaxSize = 8;

  struct Rules {
    std::uint8_t size = 0;
    bool mover_wins = false;  // where a move connects both sides; else a draw
    PathRule repetition = PathRule::kThirdDraws;
    std::uint64_t board = 0;
  };
  enum class Outcome : std::uint8_t { kOpen, kFirst, kSecond, kDraw };
  struct State {
    std::uint64_t stones[2] = {};
    std::int8_t euler[2] = {};  // follows from the stones
    std::uint8_t to_move = 0;   // 0 first player, 1 second player
    Outcome outcome{};          // follows from the rest
    bool operator==(const State&) const = default;
  };

  static constexpr int kMaxMoves = 96;  // 12 stones, 8 directions
  static constexpr PathRule kPaths = PathRule::kOfRules;
  PP_HD static PathRule path_rule(const Rules& rules) { return rules.repetition; }

  // The cells of the first rows and columns that a word holds.
  PP_HD static Rules make_rules(int size, PathRule repetition, bool mover_wins) {
    Rules rules;
    rules.size = static_cast<std::uint8_t>(size);
    rules.mover_wins = mover_wins;
    rules.repetition = repetition;
    for (int row = 0; row < size; ++row) rules.board |= board_word(size, 0) << (8 * row);
    return rules;
  }
  static constexpr int kMostStones = 12;  // of a side, on the largest board
  // No side has more stones.
  PP_HD static int most_stones(const Rules& rules) { return 2 * (rules.size - 2); }

  // The position with these stones, at least one a side; to_move 0 or 1.
  PP_HD static State make_state(const Rules& rules, std::uint64_t black, std::uint64_t white,
                                int to_move) {
    State s;
    s.stones[0] = black;
    s.stones[1] = white;
    for (int side = 0; side < 2; ++side) {
      std::uint64_t placed = 0;
      for (std::uint64_t rest = s.stones[side]; rest != 0; rest &= rest - 1) {
        change_euler(s, side, euler_gain(placed, lowest_bit64(rest)));
        placed |= rest & (~rest + 1);
      }
    }
    s.to_move = static_cast<std::uint8_t>(to_move);
    end_move(rules, s, is_connected(s, to_move));
    return s;
  }
  PP_HD static State initial(const Rules& rules) {
    const int last = rules.size - 1;
    const std::uint64_t row = board_word(last, 0) & ~std::uint64_t{1};  // b1 to the last but one
    const std::uint64_t column =
        kFirstColumn & rules.board & ~(std::uint64_t{1} << (8 * last)) & ~std::uint64_t{1};
    return make_state(rules, row | row << (8 * last), column | column << last, 0);
  }
  PP_HD static bool finished(const Rules&, const State& s) { return s.outcome != Outcome::kOpen; }
  PP_HD static Value value(const Rules&, const State& s) {
    return static_cast<Value>((s.outcome == Outcome::kFirst) - (s.outcome == Outcome::kSecond));
  }
  PP_HD static Value min_value(const Rules&) { return -1; }
  PP_HD static Value max_value(const Rules&) { return 1; }
  PP_HD static Player to_move(const Rules&, const State& s) {
    return static_cast<Player>(s.to_move);
  }
  PP_HD static int moves(const Rules& rules, const State& s, Move* out) {
    Move* end = out;
    for (std::uint64_t rest = s.stones[s.to_move]; rest != 0; rest &= rest - 1) {
      const int from = lowest_bit64(rest);
      for (std::uint64_t to = targets(rules, s, from); to != 0; to &= to - 1) {
        *end++ = static_cast<Move>(64 * from + lowest_bit64(to));
      }
    }
    return static_cast<int>(end - out);
  }
  PP_HD static void play(const Rules& rules, State& s, Move move) {
    const int from = move / 64;
    const int to = move % 64;
    std::uint64_t& own = s.stones[s.to_move];
    own ^= std::uint64_t{1} << from;
    change_euler(s, s.to_move, euler_gain(own, to) - euler_gain(own, from));
    own |= std::uint64_t{1} << to;
    s.to_move ^= 1;
    std::uint64_t& other = s.stones[s.to_move];
    const bool captures = (other >> to & 1) != 0;
    if (captures) {
      other ^= std::uint64_t{1} << to;
      change_euler(s, s.to_move, -euler_gain(other, to));
    }
    // A side that loses no stone is not connected by the other's move.
    end_move(rules, s, captures && is_connected(s, s.to_move));
  }
  PP_HD static std::uint64_t key(const Rules&, const State& s) {
    const std::uint64_t stones[2][1] = {{s.stones[0]}, {s.stones[1]}};
    return mix64(cells_key(stones) + s.to_move);
  }

  // Of games/core/quads.h.
  PP_HD static int quad_groups(const State& s, Player player) {
    const int euler = s.euler[static_cast<int>(player)];
    return euler > 1 ? euler : 1;
  }

  // These cells and those beside them; of the last column and the rows above it may reach beyond a
  // board of less than 8 x 8.
  PP_HD static std::uint64_t grown(std::uint64_t cells) {
    const std::uint64_t wide =
        cells | (cells & ~(kFirstColumn << 7)) << 1 | (cells & ~kFirstColumn) >> 1;
    return wide | wide << 8 | wide >> 8;
  }
  // All of these stones that `some` of them are joined to.
  PP_HD static std::uint64_t group_of(std::uint64_t some, std::uint64_t stones) {
    for (std::uint64_t before = 0; some != before;) {
      before = some;
      some = grown(some) & stones;
    }
    return some;
  }
  // The cells that the stone on `from`, of who is to move, may go to.
  PP_HD static std::uint64_t targets(const Rules& rules, const State& s, int from) {
    const std::uint64_t own = s.stones[s.to_move];
    const std::uint64_t other = s.stones[s.to_move ^ 1];
    const int row = from / 8;
    const int column = from % 8;
    const std::uint64_t to =
        targets_on(std::uint64_t{0xff} << (8 * row), 1, from, own, other) |
        targets_on(kFirstColumn << column, 8, from, own, other) |
        targets_on(by_rows(kDiagonal, row - column), 9, from, own, other) |
        targets_on(by_rows(kAntidiagonal, row + column - 7), 7, from, own, other);
    return to & rules.board & ~own;
  }

 private:
  static constexpr std::uint64_t kFirstColumn = 0x0101010101010101;
  static constexpr std::uint64_t kDiagonal = 0x8040201008040201;      // a1 to h8
  static constexpr std::uint64_t kAntidiagonal = 0x0102040810204080;  // h1 to a8

  // Who has won after a move; `other` says whether the side that is to move now is connected.
  PP_HD static void end_move(const Rules& rules, State& s, bool other) {
    const int mover = s.to_move ^ 1;
    const auto win_of = [](int side) { return side == 0 ? Outcome::kFirst : Outcome::kSecond; };
    s.outcome = Outcome::kOpen;
    if (is_connected(s, mover)) {
      s.outcome = other && !rules.mover_wins ? Outcome::kDraw : win_of(mover);
    } else if (other) {
      s.outcome = win_of(s.to_move);
    } else if (!has_move(rules, s)) {
      s.outcome = win_of(mover);
    }
  }

  // ---- groups ----------------------------------------------------------------------------------

  // By how much a stone on `cell`, where none is, changes the Euler number of these. It is in four
  // quads, squares of two by two cells; a quad with one stone counts 1, with three -1, with two
  // that touch by a corner -2, and four of that are one.
  PP_HD static int euler_gain(std::uint64_t stones, int cell) {
    const int row = cell & 56;
    const int column = cell & 7;
    // Three cells of a row, the middle one above, in or below the cell's row.
    const auto around = [&](std::uint64_t word) {
      return static_cast<unsigned>((word >> row & 0xff) << 1 >> column & 7);
    };
    const unsigned below = around(stones << 8);
    const unsigned level = around(stones);
    const unsigned above = around(stones >> 8);
    // Of the other three cells of a quad bit 0 is beside the cell, bit 1 above or below it, bit 2
    // on the diagonal. A digit is what the cell adds to the quad's count, and 3.
    const auto quad = [](unsigned side, unsigned row_of_quad, unsigned right) {
      const unsigned beside = side >> (2 * right) & 1;
      const unsigned over = row_of_quad >> 1 & 1;
      const unsigned corner = row_of_quad >> (2 * right) & 1;
      return static_cast<int>(0x42204224u >> 4 * (beside | over << 1 | corner << 2) & 15u);
    };
    const int sum = quad(level, below, 0) + quad(level, below, 1) + quad(level, above, 0) +
                    quad(level, above, 1);
    return (sum - 12) / 4;
  }
  PP_HD static void change_euler(State& s, int side, int by) {
    s.euler[side] = static_cast<std::int8_t>(s.euler[side] + by);
  }
  PP_HD static bool is_connected(const State& s, int side) {
    if (s.euler[side] > 1) return false;
    const std::uint64_t stones = s.stones[side];
    return group_of(stones & (~stones + 1), stones) == stones;
  }

  // ---- moves -----------------------------------------------------------------------------------

  PP_HD static std::uint64_t by_rows(std::uint64_t line, int rows) {
    return rows >= 0 ? line << (8 * rows) : line >> (-8 * rows);
  }
  // The two cells of a line, one cell being `step` from the next, that the stone on `from` may
  // reach.
  PP_HD static std::uint64_t targets_on(std::uint64_t line, int step, int from, std::uint64_t own,
                                        std::uint64_t other) {
    const int distance = step * popcount64(line & (own | other));
    const std::uint64_t start = std::uint64_t{1} << from;
    // A cell beyond the board is on no line, or on another one.
    const std::uint64_t up = from + distance < 64 ? (start << distance) & line : 0;
    const std::uint64_t down = from >= distance ? (start >> distance) & line : 0;
    const std::uint64_t over_up = line & (up - (start << 1));
    const std::uint64_t over_down = line & (start - (down << 1));
    return ((over_up & other) == 0 ? up : 0) | ((over_down & other) == 0 ? down : 0);
  }
  PP_HD static bool has_move(const Rules& rules, const State& s) {
    for (std::uint64_t rest = s.stones[s.to_move]; rest != 0; rest &= rest - 1) {
      if (targets(rules, s, lowest_bit64(rest)) != 0) return true;
    }
    return false;
  }
};
static_assert(HasQuads<Loa>);

}  // namespace playproof
