// Othello as eight threads of a device play a word of 32 boards of 8 x 8, for batches too small to
// keep a device busy with a thread a word: a thread takes about a third of the instructions, all
// of them together three times as many. games/PLAYOUTS.md, "Othello".
//
// A thread has a row in registers. What runs across rows is the business of the thread that has the
// line: a column, and of each kind of diagonals two which have eight squares together, one in each
// row. Rows and lines meet in memory. All threads of a word go through the steps of a ply together:
// one that reads what another has written waits until all have ended the step before.
#pragma once

#include <cstdint>

#include "kernels/othello/device.h"

namespace playproof {

inline constexpr std::uint32_t kOthelloThreads = 8;    // a word; rows, and squares of a row
inline constexpr std::uint32_t kOthelloWarpWords = 4;  // 32 threads
inline constexpr int kOthelloRowCountBits = 4;         // of a number of moves in a row, at most 8

// A warp's memory: five sets of squares, then what is one of each row. The words that lie together
// are of the four words of the warp. Squares are turned round by a place a row, so that threads
// never wait for each other, whether they ask for a row each or for a line each.
class OthelloWords {
 public:
  enum Set : std::uint32_t { kOwn, kOther, kLines };  // then of each kind of lines one
  static constexpr std::uint32_t kMoves = kOwn;       // when the discs have been read

  static constexpr std::uint32_t kSets = kLines + 3;
  static constexpr std::uint32_t kSquares = kOthelloThreads * kOthelloThreads;
  static constexpr std::uint32_t kOfRows = kOthelloRowCountBits + 4;  // counts; random words
  static constexpr std::uint32_t kWords =
      (kSets * kSquares + kOfRows * kOthelloThreads) * kOthelloWarpWords;

  // base: the first word in the warp's memory that is of this word.
  PP_HD OthelloWords(std::uint32_t* base, std::uint32_t thread) : base_(base), row_(thread) {
#pragma unroll
    for (std::uint32_t k = 0; k < kOthelloThreads; ++k) {
      turned_[k] = (thread + k) % kOthelloThreads * kOthelloWarpWords;
    }
  }
  // A word of this thread's row.
  PP_HD std::uint32_t& in_row(std::uint32_t set, std::uint32_t column) const {
    return word((set * kSquares + row_ * kOthelloThreads) * kOthelloWarpWords + turned_[column]);
  }
  PP_HD std::uint32_t& square(std::uint32_t set, std::uint32_t row, std::uint32_t column) const {
    const std::uint32_t at = row * kOthelloThreads + (row + column) % kOthelloThreads;
    return word((set * kSquares + at) * kOthelloWarpWords);
  }
  // A word of this thread's line, whose column is that of the row above and `step` on, modulo 8.
  PP_HD std::uint32_t& in_line(std::uint32_t set, std::uint32_t row, std::uint32_t step) const {
    return word((set * kSquares + row * kOthelloThreads) * kOthelloWarpWords +
                turned_[(row + row * step) % kOthelloThreads]);
  }
  // Number i of a row.
  PP_HD std::uint32_t& of_row(std::uint32_t row, std::uint32_t i) const {
    return word(((kSets * kSquares) + i * kOthelloThreads + row) * kOthelloWarpWords);
  }
  PP_HD std::uint32_t& random(std::uint32_t block, std::uint32_t i) const {
    return of_row(block, kOthelloRowCountBits + i);
  }

 private:
  PP_HD std::uint32_t& word(std::uint32_t i) const { return base_[i]; }

  std::uint32_t* base_;
  std::uint32_t row_;
  std::uint32_t turned_[kOthelloThreads];
};

// One thread of a word.
class OthelloRow {
 public:
  // `memory` is that of OthelloWords.
  PP_HD OthelloRow(const LeafRequest<Othello>& leaf, std::uint32_t* memory, std::uint32_t thread)
      : words_(memory, thread), row_(thread) {
    const int mover = leaf.state.to_move;
#pragma unroll
    for (std::uint32_t c = 0; c < kSide; ++c) {
      const std::uint32_t at = thread * kSide + c;
      const std::uint32_t black = all_lanes(((leaf.state.discs[0] >> at) & 1) != 0);
      const std::uint32_t white = all_lanes(((leaf.state.discs[1] >> at) & 1) != 0);
      own_[c] = mover == 0 ? black : white;
      other_[c] = mover == 0 ? white : black;
    }
  }

  // ---- The steps of a ply ----

  PP_HD void show_discs() const {
#pragma unroll
    for (std::uint32_t c = 0; c < kSide; ++c) {
      words_.in_row(OthelloWords::kOwn, c) = own_[c];
      words_.in_row(OthelloWords::kOther, c) = other_[c];
    }
  }
  // The random words of the ply: a block each of the first threads.
  PP_HD void draw(const RandomKey& key, std::uint32_t word, std::uint32_t ply) const {
    if (row_ >= kOthelloChoiceBlocks) return;
    const PhiloxCounter four = random_block(key, word, ply * kOthelloChoiceBlocks + row_);
#pragma unroll
    for (std::uint32_t i = 0; i < 4; ++i) words_.random(row_, i) = four.words[i];
  }

  // What may be turned in this thread's lines, and where that ends.
  PP_HD void look_along_lines() {
#pragma unroll
    for (int kind = 0; kind < kKinds; ++kind) {
      std::uint32_t own[kSide];
      std::uint32_t other[kSide];
#pragma unroll
      for (std::uint32_t i = 0; i < kSide; ++i) {
        own[i] = words_.in_line(OthelloWords::kOwn, i, step(kind));
        other[i] = words_.in_line(OthelloWords::kOther, i, step(kind)) & inner(kind, i);
      }
      othello_runs(own, other, up_[kind], down_[kind]);
#pragma unroll
      for (std::uint32_t i = 0; i < kSide; ++i) {
        words_.in_line(lines(kind), i, step(kind)) = end(up_[kind], down_[kind], i);
      }
    }
  }

  // The moves of this thread's row, and how many there are.
  PP_HD void find_moves() {
    std::uint32_t up[kSide];
    std::uint32_t down[kSide];
    othello_runs(own_, other_, up, down);
#pragma unroll
    for (std::uint32_t c = 0; c < kSide; ++c) {
      std::uint32_t ends = end(up, down, c);
#pragma unroll
      for (int kind = 0; kind < kKinds; ++kind) ends |= words_.in_row(lines(kind), c);
      moves_[c] = ends & ~(own_[c] | other_[c]);
    }
    std::uint32_t count[kOthelloRowCountBits] = {};
    add_planes(count, moves_);
#pragma unroll
    for (std::uint32_t i = 0; i < kOthelloRowCountBits; ++i) words_.of_row(row_, i) = count[i];
  }

  // Chooses a move and shows this row's part of it; returns the lanes that have one.
  PP_HD std::uint32_t choose() {
    std::uint32_t n[kOthelloCountBits] = {};
    std::uint32_t before[kOthelloCountBits] = {};  // moves in the rows above
    std::uint32_t up_to[kOthelloCountBits] = {};   // and in this one
#pragma unroll
    for (std::uint32_t row = 0; row < kSide; ++row) {
#pragma unroll
      for (int i = 0; i < kOthelloCountBits; ++i) before[i] = row == row_ ? n[i] : before[i];
      add_count(row, n);
#pragma unroll
      for (int i = 0; i < kOthelloCountBits; ++i) up_to[i] = row == row_ ? n[i] : up_to[i];
    }
    std::uint32_t some = 0;
#pragma unroll
    for (const std::uint32_t bit : n) some |= bit;
    std::uint32_t value[kOthelloCountBits];
    const auto random = [this](std::uint32_t block) {
      PhiloxCounter four;
#pragma unroll
      for (std::uint32_t i = 0; i < 4; ++i) four.words[i] = words_.random(block, i);
      return four;
    };
    if (n[kOthelloCountBits - 1] != 0) {
      othello_multiply<kOthelloCountBits>(random, n, value);
    } else {
      othello_multiply<kOthelloCountBits - 1>(random, n, value);
    }
    std::uint32_t above = 0;  // lanes whose move is in a row above: the borrow of value - before
    std::uint32_t here = 0;   // or in this one
    std::uint32_t rest[kOthelloRowBits];
#pragma unroll
    for (int i = 0; i < kOthelloCountBits; ++i) {
      if (i < kOthelloRowBits) rest[i] = parity(value[i], before[i], above);
      above = majority(~value[i], before[i], above);
      here = majority(~value[i], up_to[i], here);
    }
    here &= ~above;
#pragma unroll
    for (std::uint32_t& square : moves_) square &= here;
    othello_pick(rest, moves_);
#pragma unroll
    for (std::uint32_t c = 0; c < kSide; ++c) words_.in_row(OthelloWords::kMoves, c) = moves_[c];
    return some;
  }

  // Shows what the move turns in this thread's lines.
  PP_HD void turn_lines() {
#pragma unroll
    for (int kind = 0; kind < kKinds; ++kind) {
      std::uint32_t move[kSide];
#pragma unroll
      for (std::uint32_t i = 0; i < kSide; ++i) {
        move[i] = words_.in_line(OthelloWords::kMoves, i, step(kind));
      }
      othello_turn(move, up_[kind], down_[kind]);
#pragma unroll
      for (std::uint32_t i = 0; i < kSide; ++i) {
        const bool inner_row = i > 0 && i < kSide - 1;
        words_.in_line(lines(kind), i, step(kind)) = inner_row ? up_[kind][i] | down_[kind][i] : 0;
      }
    }
  }

  // Makes the move. The other side moves next.
  PP_HD void play() {
    std::uint32_t up[kSide];
    std::uint32_t down[kSide];
    othello_runs(own_, other_, up, down);
    othello_turn(moves_, up, down);
#pragma unroll
    for (std::uint32_t c = 0; c < kSide; ++c) {
      std::uint32_t turned = c > 0 && c < kSide - 1 ? up[c] | down[c] : 0;
#pragma unroll
      for (int kind = 0; kind < kKinds; ++kind) turned |= words_.in_row(lines(kind), c);
      const std::uint32_t own = own_[c] | turned | moves_[c];
      own_[c] = other_[c] & ~turned;
      other_[c] = own;
    }
  }

  // ---- The end ----

  // The word's outcome after show_discs() and so many plies; each thread has it.
  PP_HD WordOutcome outcome(int mover, std::uint32_t ply, std::uint32_t lanes) const {
    std::uint32_t own[kOthelloDiscBits] = {};
    std::uint32_t other[kOthelloDiscBits] = {};
#pragma unroll 1
    for (std::uint32_t row = 0; row < kSide; ++row) {
      std::uint32_t owns[kSide];
      std::uint32_t others[kSide];
#pragma unroll
      for (std::uint32_t c = 0; c < kSide; ++c) {
        owns[c] = words_.square(OthelloWords::kOwn, row, c);
        others[c] = words_.square(OthelloWords::kOther, row, c);
      }
      add_planes(own, owns);
      add_planes(other, others);
    }
    return othello_outcome(own, other, mover, ply, lanes);
  }

 private:
  static constexpr std::uint32_t kSide = kOthelloThreads;
  static constexpr int kKinds = 3;  // columns and both kinds of diagonals

  PP_HD static constexpr std::uint32_t step(int kind) {
    return kind == 2 ? kSide - 1 : static_cast<std::uint32_t>(kind);
  }
  PP_HD static constexpr std::uint32_t lines(int kind) {
    return OthelloWords::kLines + static_cast<std::uint32_t>(kind);
  }
  // Whether square i of this thread's line has neighbours in it on both sides.
  PP_HD std::uint32_t inner(int kind, std::uint32_t i) const {
    const std::uint32_t column = (row_ + i * step(kind)) % kSide;
    return all_lanes(kind == 0 || (column > 0 && column < kSide - 1));
  }
  // Where a run ends that comes from square i - 1 or i + 1.
  PP_HD static std::uint32_t end(const std::uint32_t (&up)[kSide],
                                 const std::uint32_t (&down)[kSide], std::uint32_t i) {
    return (i > 1 ? up[i - 1] : 0) | (i < kSide - 2 ? down[i + 1] : 0);
  }
  // Adds the number of moves of a row.
  PP_HD void add_count(std::uint32_t row, std::uint32_t (&n)[kOthelloCountBits]) const {
    std::uint32_t carry = 0;
#pragma unroll
    for (int i = 0; i < kOthelloCountBits; ++i) {
      if (i < kOthelloRowCountBits) {
        carry = add_two(n[i], words_.of_row(row, static_cast<std::uint32_t>(i)), carry);
      } else {
        const std::uint32_t next = n[i] & carry;
        n[i] ^= carry;
        carry = next;
      }
    }
  }

  OthelloWords words_;
  std::uint32_t row_;
  std::uint32_t own_[kSide];
  std::uint32_t other_[kSide];
  std::uint32_t moves_[kSide];
  std::uint32_t up_[kKinds][kSide];  // of the lines: othello_runs()
  std::uint32_t down_[kKinds][kSide];
};

}  // namespace playproof
