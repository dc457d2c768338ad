// Othello as one thread of a device plays it: a word of 32 boards, one bit a board, all in step.
// games/PLAYOUTS.md, "Othello". The discs are in registers; the squares that may be taken, then
// the one that is taken, are in memory of the thread, which costs a device no time of its logic.
#pragma once

#include <cstdint>

#include "games/othello/rules.h"
#include "kernels/common/playout.h"
#include "kernels/common/random_words.h"
#include "kernels/device/device_words.h"
#include "kernels/device/plane_sums.h"

namespace playproof {

inline constexpr std::uint32_t kOthelloChoiceBits = 24;  // a ply and lane
inline constexpr std::uint32_t kOthelloChoiceBlocks = kOthelloChoiceBits / 4;
inline constexpr int kOthelloCountBits = 6;  // of a number of moves, at most 33
inline constexpr int kOthelloRowBits = 3;    // of a number of a move in its row
inline constexpr int kOthelloDiscBits = 7;   // of a number of discs

template <int kSide>
struct OthelloBoards {
  std::uint32_t own[kSide * kSide];  // discs of the side to move
  std::uint32_t other[kSide * kSide];
};

// Words of memory that a thread needs: a square each, then of each row but the last one the number
// of moves in it and those above.
inline constexpr int othello_memory(int side) {
  return side * side + (side - 1) * kOthelloCountBits;
}
template <int kSide>
PP_HD constexpr std::uint32_t othello_count_at(int row, int bit) {
  return static_cast<std::uint32_t>(kSide * kSide + row * kOthelloCountBits + bit);
}

// ---- The moves ----

// The other side's discs in unbroken runs that begin beside an own disc in the row before, in the
// three directions: element d + 1 comes from column - d.
template <int kSide>
struct OthelloRuns {
  std::uint32_t from[3][kSide];
};

// Finds, in one row, the squares at the ends of runs that come from the row before; then the runs
// go on through this row, unless it is the last one.
template <int kSide>
PP_HD inline void othello_cross_row(const OthelloBoards<kSide>& b, int row, int before,
                                    OthelloRuns<kSide>& runs, std::uint32_t (&ends)[kSide]) {
  const bool inner_row = row > 0 && row < kSide - 1;
  OthelloRuns<kSide> next;
#pragma unroll
  for (int c = 0; c < kSide; ++c) {
#pragma unroll
    for (int d = -1; d <= 1; ++d) {
      const int from = c - d;
      next.from[d + 1][c] = 0;
      if (from < 0 || from >= kSide || before < 0 || before >= kSide) continue;
      const std::uint32_t run = runs.from[d + 1][from];
      ends[c] |= run;
      if (!inner_row || (d != 0 && (c == 0 || c == kSide - 1))) continue;
      next.from[d + 1][c] = b.other[row * kSide + c] & (b.own[before * kSide + from] | run);
    }
  }
  runs = next;
}

// Finds, in one row, the squares at the ends of runs within it.
template <int kSide>
PP_HD inline void othello_along_row(const OthelloBoards<kSide>& b, int row,
                                    std::uint32_t (&ends)[kSide]) {
  const int at = row * kSide;
  std::uint32_t right = 0;
  std::uint32_t left = 0;
#pragma unroll
  for (int c = 1; c < kSide - 1; ++c) {
    right = b.other[at + c] & (b.own[at + c - 1] | right);
    ends[c + 1] |= right;
    const int mirrored = kSide - 1 - c;
    left = b.other[at + mirrored] & (b.own[at + mirrored + 1] | left);
    ends[mirrored - 1] |= left;
  }
}

// Writes the squares that the side to move may take and, row by row, how many there are so far; n
// is how many there are.
template <int kSide, class Memory>
PP_HD inline void othello_moves(const OthelloBoards<kSide>& b, Memory moves,
                                std::uint32_t (&n)[kOthelloCountBits]) {
  OthelloRuns<kSide> runs = {};
#pragma unroll
  for (int row = kSide - 1; row >= 0; --row) {
    std::uint32_t ends[kSide] = {};
    othello_along_row(b, row, ends);
    othello_cross_row(b, row, row + 1, runs, ends);
#pragma unroll
    for (int c = 0; c < kSide; ++c) moves[static_cast<std::uint32_t>(row * kSide + c)] = ends[c];
  }
  read_memory_again();
  runs = {};
#pragma unroll
  for (int row = 0; row < kSide; ++row) {
    std::uint32_t ends[kSide];
#pragma unroll
    for (int c = 0; c < kSide; ++c) ends[c] = moves[static_cast<std::uint32_t>(row * kSide + c)];
    othello_cross_row(b, row, row - 1, runs, ends);
#pragma unroll
    for (int c = 0; c < kSide; ++c) {
      const int at = row * kSide + c;
      ends[c] &= ~(b.own[at] | b.other[at]);
      moves[static_cast<std::uint32_t>(at)] = ends[c];
    }
    add_planes(n, ends);
    if (row == kSide - 1) continue;
#pragma unroll
    for (int i = 0; i < kOthelloCountBits; ++i) moves[othello_count_at<kSide>(row, i)] = n[i];
  }
}

// ---- The choice ----

// floor(n r / 2^24) of each lane, r from the 24 random words of a ply, the first one on top: (value
// + r's bit * n) / 2 for each bit of r from below. n has kBits bits; random(i) is block i of the
// words.
template <int kBits, class Random>
PP_HD inline void othello_multiply(const Random& random,
                                   const std::uint32_t (&n)[kOthelloCountBits],
                                   std::uint32_t (&value)[kOthelloCountBits]) {
#pragma unroll
  for (std::uint32_t& bit : value) bit = 0;
#pragma unroll 1
  for (std::uint32_t block = kOthelloChoiceBlocks; block > 0; --block) {
    const PhiloxCounter four = random(block - 1);
#pragma unroll
    for (int j = 3; j >= 0; --j) {
      const std::uint32_t r = four.words[j];
      std::uint32_t carry = value[0] & n[0] & r;
#pragma unroll
      for (int i = 1; i < kBits; ++i) {
        // Sum and carry of value, n & r and carry: written like this they are three LOP3.
        const std::uint32_t half = value[i] ^ (n[i] & r);
        value[i - 1] = half ^ carry;
        carry = (carry & half) | (value[i] & ~half);
      }
      value[kBits - 1] = carry;
    }
  }
}

// Leaves of the moves of a row the one with this number, which is lost.
template <int kSide>
PP_HD inline void othello_pick(std::uint32_t (&number)[kOthelloRowBits],
                               std::uint32_t (&row)[kSide]) {
#pragma unroll
  for (std::uint32_t& square : row) {
    std::uint32_t borrow = square;
#pragma unroll
    for (std::uint32_t& bit : number) {
      const std::uint32_t next = borrow & ~bit;
      bit ^= borrow;
      borrow = next;
    }
    square = borrow;  // the number was 0; now it is 7, and there are at most 7 moves more
  }
}

// Leaves of the moves the one with number `value` of each lane, in ascending order of squares;
// `some` are the lanes that have one.
template <int kSide, class Memory>
PP_HD inline void othello_select(const std::uint32_t (&value)[kOthelloCountBits],
                                 std::uint32_t some, Memory moves) {
  std::uint32_t so_far = 0;                    // lanes whose move is in one of the rows so far
  std::uint32_t columns[kSide] = {};           // moves of the row it is in
  std::uint32_t rows[kSide];                   // which row that is
  std::uint32_t before[kOthelloRowBits] = {};  // moves in the rows above
#pragma unroll
  for (int row = 0; row < kSide; ++row) {
    std::uint32_t up_to = some;
    if (row < kSide - 1) {
      up_to = 0;  // the borrow of value - count
#pragma unroll
      for (int i = 0; i < kOthelloCountBits; ++i) {
        up_to = majority(~value[i], moves[othello_count_at<kSide>(row, i)], up_to);
      }
    }
    const std::uint32_t here = up_to & ~so_far;
    so_far = up_to;
    rows[row] = here;
#pragma unroll
    for (int i = 0; i < kOthelloRowBits; ++i) {
      if (row > 0) before[i] |= moves[othello_count_at<kSide>(row - 1, i)] & here;
    }
#pragma unroll
    for (int c = 0; c < kSide; ++c) {
      columns[c] |= moves[static_cast<std::uint32_t>(row * kSide + c)] & here;
    }
  }
  std::uint32_t rest[kOthelloRowBits];  // the number of the move in its row
  std::uint32_t borrow = 0;
#pragma unroll
  for (int i = 0; i < kOthelloRowBits; ++i) {
    rest[i] = parity(value[i], before[i], borrow);
    borrow = majority(~value[i], before[i], borrow);
  }
  othello_pick(rest, columns);
#pragma unroll
  for (int row = 0; row < kSide; ++row) {
#pragma unroll
    for (int c = 0; c < kSide; ++c) {
      moves[static_cast<std::uint32_t>(row * kSide + c)] = rows[row] & columns[c];
    }
  }
}

// Chooses a move and leaves it alone in `moves`; returns the lanes that have one.
template <int kSide, class Memory>
PP_HD inline std::uint32_t othello_choose(const OthelloBoards<kSide>& b, const RandomKey& key,
                                          std::uint32_t word, std::uint32_t ply, Memory moves) {
  std::uint32_t n[kOthelloCountBits] = {};
  othello_moves<kSide>(b, moves, n);
  std::uint32_t some = 0;
#pragma unroll
  for (const std::uint32_t bit : n) some |= bit;
  std::uint32_t value[kOthelloCountBits];
  const auto random = [&](std::uint32_t block) {
    return random_block(key, word, ply * kOthelloChoiceBlocks + block);
  };
  if (n[kOthelloCountBits - 1] != 0) {
    othello_multiply<kOthelloCountBits>(random, n, value);
  } else {
    othello_multiply<kOthelloCountBits - 1>(random, n, value);
  }
  read_memory_again();
  othello_select<kSide>(value, some, moves);
  read_memory_again();
  return some;
}

// ---- The flips ----

// Finds, in a line, the other side's discs in unbroken runs that begin beside an own disc before
// them (up) or behind them (down). Those of the ends are left open.
template <int kLength>
PP_HD inline void othello_runs(const std::uint32_t (&own)[kLength],
                               const std::uint32_t (&other)[kLength], std::uint32_t (&up)[kLength],
                               std::uint32_t (&down)[kLength]) {
  std::uint32_t above = 0;
  std::uint32_t below = 0;
#pragma unroll
  for (int i = 1; i < kLength - 1; ++i) {
    const int j = kLength - 1 - i;
    above = other[i] & (own[i - 1] | above);
    up[i] = above;
    below = other[j] & (own[j + 1] | below);
    down[j] = below;
  }
}

// Leaves of the runs what a move at their end turns.
template <int kLength>
PP_HD inline void othello_turn(const std::uint32_t (&move)[kLength], std::uint32_t (&up)[kLength],
                               std::uint32_t (&down)[kLength]) {
  std::uint32_t from_above = 0;
  std::uint32_t from_below = 0;
#pragma unroll
  for (int i = 1; i < kLength - 1; ++i) {
    const int j = kLength - 1 - i;
    from_above = up[j] & (move[j + 1] | from_above);
    up[j] = from_above;
    from_below = down[i] & (move[i - 1] | from_below);
    down[i] = from_below;
  }
}

// Turns the discs of one line, kLength squares from `at` on, that the move turns. At once: a move
// turns discs of its own four lines only, and they meet nowhere else.
template <int kLength, int kSide, class Memory>
PP_HD inline void othello_flip_line(OthelloBoards<kSide>& b, Memory moves, int at, int step) {
  std::uint32_t own[kLength];
  std::uint32_t other[kLength];
  std::uint32_t move[kLength];
#pragma unroll
  for (int i = 0; i < kLength; ++i) {
    own[i] = b.own[at + i * step];
    other[i] = b.other[at + i * step];
    move[i] = moves[static_cast<std::uint32_t>(at + i * step)];
  }
  std::uint32_t up[kLength];
  std::uint32_t down[kLength];
  othello_runs(own, other, up, down);
  othello_turn(move, up, down);
#pragma unroll
  for (int i = 1; i < kLength - 1; ++i) {
    b.own[at + i * step] |= up[i] | down[i];
    b.other[at + i * step] &= ~(up[i] | down[i]);
  }
}

// The diagonals of kLength squares, both ways, and the shorter ones.
template <int kLength, int kSide, class Memory>
PP_HD inline void othello_flip_diagonals(OthelloBoards<kSide>& b, Memory moves) {
  constexpr int kRest = kSide - kLength;
  othello_flip_line<kLength, kSide>(b, moves, kRest, kSide + 1);
  othello_flip_line<kLength, kSide>(b, moves, kLength - 1, kSide - 1);
  if constexpr (kRest > 0) {
    othello_flip_line<kLength, kSide>(b, moves, kRest * kSide, kSide + 1);
    othello_flip_line<kLength, kSide>(b, moves, kRest * kSide + kSide - 1, kSide - 1);
  }
  if constexpr (kLength > 3) othello_flip_diagonals<kLength - 1, kSide>(b, moves);
}

// Makes the move of each lane. The other side moves next.
template <int kSide, class Memory>
PP_HD inline void othello_play_moves(OthelloBoards<kSide>& b, Memory moves) {
#pragma unroll
  for (int at = 0; at < kSide * kSide; ++at) {
    forget_origin(b.own[at]);
    forget_origin(b.other[at]);
  }
#pragma unroll
  for (int i = 0; i < kSide; ++i) {
    othello_flip_line<kSide, kSide>(b, moves, i * kSide, 1);
    othello_flip_line<kSide, kSide>(b, moves, i, kSide);
  }
  othello_flip_diagonals<kSide, kSide>(b, moves);
#pragma unroll
  for (int at = 0; at < kSide * kSide; ++at) {
    const std::uint32_t own = b.own[at] | moves[static_cast<std::uint32_t>(at)];
    b.own[at] = b.other[at];
    b.other[at] = own;
  }
}

// ---- The game ----

// The outcome of a game that is over, from the numbers of discs of the side to move and of the
// other one, after so many plies; `mover` was to move at first.
PP_HD inline WordOutcome othello_outcome(const std::uint32_t (&own)[kOthelloDiscBits],
                                         const std::uint32_t (&other)[kOthelloDiscBits], int mover,
                                         std::uint32_t ply, std::uint32_t lanes) {
  std::uint32_t more = 0;
  std::uint32_t equal = ~std::uint32_t{0};
#pragma unroll
  for (int i = kOthelloDiscBits - 1; i >= 0; --i) {
    more |= equal & own[i] & ~other[i];
    equal &= ~(own[i] ^ other[i]);
  }
  // The greater number is Black's, if the side to move is Black.
  const std::uint32_t whites = all_lanes(((static_cast<std::uint32_t>(mover) + ply) & 1) != 0);
  return {(more ^ (whites & ~equal)) & lanes, equal & lanes};
}

// One word. `moves` has room for othello_memory(kSide) words.
template <int kSide, class Memory>
PP_HD inline WordOutcome othello_play(const LeafRequest<Othello>& leaf, std::uint32_t word,
                                      std::uint32_t lanes, Memory moves) {
  const RandomKey key = leaf.key;
  const int mover = leaf.state.to_move;
  const std::uint64_t discs[2] = {mover == 0 ? leaf.state.discs[0] : leaf.state.discs[1],
                                  mover == 0 ? leaf.state.discs[1] : leaf.state.discs[0]};
  OthelloBoards<kSide> b;
#pragma unroll
  for (int at = 0; at < kSide * kSide; ++at) {
    b.own[at] = all_lanes(((discs[0] >> at) & 1) != 0);
    b.other[at] = all_lanes(((discs[1] >> at) & 1) != 0);
  }
  std::uint32_t ply = 0;
#pragma unroll 1
  for (int idle = 0; idle < 2; ++ply) {  // plies on end in which no lane had a move
    idle = (othello_choose<kSide>(b, key, word, ply, moves) & lanes) != 0 ? 0 : idle + 1;
    othello_play_moves<kSide>(b, moves);
  }
  std::uint32_t own[kOthelloDiscBits] = {};
  std::uint32_t other[kOthelloDiscBits] = {};
  add_planes(own, b.own);
  add_planes(other, b.other);
  return othello_outcome(own, other, mover, ply, lanes);
}

}  // namespace playproof
