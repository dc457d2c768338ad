// Connect as a device plays it: a thread has a word of 32 games, and the words of one group that
// lie in one warp are a unit: they share the order of cells, and with it which cells are taken and
// where lines can be. games/PLAYOUTS.md, "Connect". One thread of a unit, its leader, writes what
// is shared; all read it.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "games/connect/rules.h"
#include "kernels/common/playout.h"
#include "kernels/common/random_words.h"
#include "kernels/connect/lines.h"
#include "kernels/device/device_words.h"

namespace playproof {

// What all games on a board have in common.
struct ConnectBoard {
  const ConnectLines* lines = nullptr;
  std::uint32_t cells = 0;
  std::uint32_t stones = 0;                             // a turn
  std::uint32_t first_line[ConnectLines::kDirections];  // lines of all directions are numbered
  std::uint32_t all_lines = 0;

  template <int W>
  PP_HD static ConnectBoard of(const typename Connect<W>::Rules& rules, const ConnectLines* lines) {
    ConnectBoard board;
    board.lines = lines;
    board.cells = rules.cells;
    board.stones = rules.stones;
    const std::uint32_t rows = rules.rows;
    const std::uint32_t columns = rules.columns;
    board.first_line[0] = 0;
    board.first_line[1] = rows;
    board.first_line[2] = rows + columns;
    board.first_line[3] = 2 * (rows + columns) - 1;
    board.all_lines = 3 * (rows + columns) - 2;
    return board;
  }
  // Of memory: what a unit needs, an odd number, so that threads of different units seldom wait for
  // each other; and what a thread needs besides.
  PP_HD std::uint32_t unit_words() const { return (all_lines + half_words()) | 1; }
  // 16 bits for each cell, as whole words: so many numbers of 16 bits, or words for two of each.
  PP_HD std::uint32_t half_words() const { return (cells + 1) / 2 * 2; }
  PP_HD std::uint32_t thread_words() const { return cells / 2 + 1; }
};

// Two turns: stones [at, middle) of one player, [middle, end) of the other, who is not first to
// move at the leaf. Stone i of one and stone i of the other are a pair, as far as both go.
struct ConnectBlock {
  std::uint32_t at = 0;
  std::uint32_t middle = 0;
  std::uint32_t end = 0;
  std::uint32_t first_pair = 0;

  PP_HD std::uint32_t pairs() const {
    return middle - at < end - middle ? middle - at : end - middle;
  }
  // The block that begins at stone `at`, the first turn having `left` stones, of m in all.
  PP_HD static ConnectBlock make(std::uint32_t at, std::uint32_t left, std::uint32_t stones,
                                 std::uint32_t m, std::uint32_t first_pair) {
    const std::uint32_t middle = at + left < m ? at + left : m;
    const std::uint32_t end = middle + stones < m ? middle + stones : m;
    return {at, middle, end, first_pair};
  }
  PP_HD ConnectBlock next(std::uint32_t stones, std::uint32_t m) const {
    return make(end, stones, stones, m, first_pair + pairs());
  }
};

// What the words of a unit share.
class ConnectUnit {
 public:
  // In memory of board.unit_words() words.
  PP_HD ConnectUnit(const ConnectBoard& board, std::byte* memory)
      : taken_(reinterpret_cast<std::uint32_t*>(memory)),
        order_(reinterpret_cast<std::uint16_t*>(taken_ + board.all_lines)),
        owner_(order_ + board.half_words()) {}

  // For the leader: the leaf's stones and empty cells.
  template <int W>
  PP_HD void begin(const ConnectBoard& board, const typename Connect<W>::State& state) const {
    for (std::uint32_t line = 0; line < board.all_lines; ++line) taken_[line] = 0;
    std::uint32_t m = 0;
    for (int word = 0; word < W; ++word) {
      const std::uint64_t cells = board_word(static_cast<int>(board.cells), word);
      const std::uint64_t black = state.stones[0][word];
      const std::uint64_t stones = black | state.stones[1][word];
      for (std::uint64_t left = cells & ~stones; left != 0; left &= left - 1) {
        order_[m++] = static_cast<std::uint16_t>(64 * word + lowest_bit64(left));
      }
      for (std::uint64_t left = stones; left != 0; left &= left - 1) {
        const int bit = lowest_bit64(left);
        take(board, static_cast<std::uint32_t>(64 * word + bit), 0, ((black >> bit) & 1) != 0);
      }
    }
  }
  // For the leader: draws the cells of a block and takes them. `mover_black`: Black has its first
  // turn.
  PP_HD void draw(const ConnectBoard& board, const ConnectBlock& block, std::uint32_t m,
                  bool mover_black, RollingWords& random) const {
    const std::uint32_t pairs = block.pairs();
    for (std::uint32_t i = block.at; i < block.end; ++i) {
      const std::uint32_t j = i + 1 < m ? i + draw_below(random, m - i) : i;
      const std::uint16_t cell = order_[j];
      order_[j] = order_[i];
      order_[i] = cell;
      const std::uint32_t place = i < block.middle ? i - block.at : i - block.middle;
      const std::uint32_t plane = place < pairs ? 1 + block.first_pair + place : 0;
      take(board, cell, plane, mover_black == (i < block.middle));
    }
  }

  PP_HD std::uint32_t cell(std::uint32_t stone) const { return order_[stone]; }
  // Where lines of `connect` taken cells begin that have the cell among them: bits of its line in
  // this direction.
  PP_HD std::uint32_t starts(const ConnectBoard& board, ConnectLines::Place place,
                             int direction) const {
    return board.lines->starts(taken_[board.first_line[direction] + place.line], place.bit);
  }
  // The lanes in which Black has a taken cell: those of plane number `plane`, plane 0 being none,
  // or the others.
  template <class Planes>
  PP_HD std::uint32_t black(std::uint32_t cell, Planes planes) const {
    const std::uint32_t owner = owner_[cell];
    return planes[owner / 2] ^ all_lanes((owner & 1) != 0);
  }

 private:
  PP_HD void take(const ConnectBoard& board, std::uint32_t cell, std::uint32_t plane,
                  bool others) const {
    owner_[cell] = static_cast<std::uint16_t>(2 * plane + (others ? 1 : 0));
    for (int d = 0; d < ConnectLines::kDirections; ++d) {
      const ConnectLines::Place place = board.lines->place[cell][d];
      taken_[board.first_line[d] + place.line] |= std::uint32_t{1} << place.bit;
    }
  }

  std::uint32_t* taken_;  // cells of every line
  std::uint16_t* order_;  // of the empty cells, as far as it is drawn
  std::uint16_t* owner_;  // of each taken cell: see black()
};

// The games of one word. `planes` are board.thread_words() words of memory.
template <class Planes>
class ConnectWord {
 public:
  PP_HD ConnectWord(const RandomKey& key, std::uint32_t word, std::uint32_t lanes, bool mover_black,
                    Planes planes)
      : planes_(planes),
        exchanges_(key, word),
        mover_(all_lanes(mover_black)),
        lanes_(lanes),
        playing_(lanes) {
    planes_[0] = 0;
  }

  PP_HD bool playing() const { return playing_ != 0; }
  // Plays a block whose cells are drawn.
  PP_HD void play(const ConnectBoard& board, const ConnectUnit& unit, const ConnectBlock& block) {
    for (std::uint32_t i = 0; i < block.pairs(); ++i) {
      planes_[1 + block.first_pair + i] = exchanges_.next();
    }
    std::uint32_t black = 0;
    std::uint32_t white = 0;
    for (std::uint32_t i = block.at; i < block.end; ++i) {
      find_lines(board, unit, unit.cell(i), black, white);
    }
    // Where both have a line, the side of the block's first turn had his first.
    won_ |= playing_ & black & (mover_ | ~white);
    lost_ |= playing_ & white & (~mover_ | ~black);
    playing_ &= ~(black | white);
  }
  PP_HD WordOutcome outcome() const { return {won_, lanes_ & ~(won_ | lost_)}; }

 private:
  // Adds the lanes with a line through the cell, which is taken.
  PP_HD void find_lines(const ConnectBoard& board, const ConnectUnit& unit, std::uint32_t cell,
                        std::uint32_t& black, std::uint32_t& white) const {
    for (int d = 0; d < ConnectLines::kDirections; ++d) {
      const ConnectLines::Place place = board.lines->place[cell][d];
      const auto step = static_cast<std::uint32_t>(board.lines->step[d]);
      std::uint32_t starts = unit.starts(board, place, d);
      for (; starts != 0; starts &= starts - 1) {
        const auto back = static_cast<std::uint32_t>(place.bit - lowest_bit64(starts));
        std::uint32_t at = cell - back * step;
        std::uint32_t all = ~std::uint32_t{0};
        std::uint32_t some = 0;
        for (int i = 0; i < board.lines->connect; ++i, at += step) {
          const std::uint32_t x = unit.black(at, planes_);
          all &= x;
          some |= x;
        }
        black |= all;
        white |= ~some;
      }
    }
  }

  Planes planes_;
  RollingWords exchanges_;
  std::uint32_t mover_;
  std::uint32_t lanes_;
  std::uint32_t playing_;
  std::uint32_t won_ = 0;
  std::uint32_t lost_ = 0;
};

// Words first .. first + words - 1 of one position.
struct ConnectRun {
  std::uint32_t first = 0;
  std::uint64_t words = 0;
};

// The most units that a warp of 32 words has, if the words of `count` runs, run(i) one after the
// other, are dealt to warps: that much memory it needs.
template <class Run>
unsigned most_connect_units(std::size_t count, const Run& run) {
  constexpr std::uint64_t kWarpWords = 32;
  std::uint64_t at = 0;  // words so far
  unsigned units = 0;    // in the warp that is being filled
  unsigned most = 0;
  for (std::size_t i = 0; i < count; ++i) {
    auto [first, left] = run(i);
    while (left > 0) {
      if (at % kWarpWords == 0) {
        units = 0;
        // Warp after warp alike, if there are so many: the first of them stands for the others.
        if (left > 2 * kWarpWords) left -= (left - kWarpWords) / kWarpWords * kWarpWords;
      }
      const std::uint64_t group = kConnectGroupWords - first % kConnectGroupWords;
      const std::uint64_t piece = std::min({left, group, kWarpWords - at % kWarpWords});
      most = std::max(most, ++units);
      first += static_cast<std::uint32_t>(piece);
      at += piece;
      left -= piece;
    }
  }
  return most;
}

}  // namespace playproof
