// The playouts of a leaf of Connect on a board of up to 64 cells by one thread: games/PLAYOUTS.md,
// "Connect". A word is played with a bit a game: which cells are taken is the same in all of its
// games, so that only lines of taken cells are looked at.
#pragma once

#include <cstdint>

#include "kernels/connect/device.h"
#include "kernels/connect/engines.h"
#include "kernels/search/leaf_playouts.h"

namespace playproof {

// What a leaf's games on a small board have in common, but for the order of its empty cells.
class SmallConnectLeaf {
 public:
  using Small = Connect<1>;

  PP_HD SmallConnectLeaf(const Small::Rules& rules, const Small::State& leaf)
      : rules_(rules),
        leaf_(leaf),
        mover_(all_lanes(Small::to_move(rules, leaf) == Player::kFirst)),
        left_(static_cast<std::uint32_t>(Small::stones_left_in_turn(rules, leaf))) {}

  // The order of the empty cells that a group of words shares.
  PP_HD void draw_order(const RandomKey& key, std::uint32_t group) {
    empty_ = static_cast<std::uint32_t>(Small::moves(rules_, leaf_, order_));
    RollingWords random(key, kGroupFlag | group);
#pragma unroll 1
    for (std::uint32_t i = 0; i + 1 < empty_; ++i) {
      const std::uint32_t from = i + draw_below(random, empty_ - i);
      const Move cell = order_[from];
      order_[from] = order_[i];
      order_[i] = cell;
    }
  }

  // One word, some lanes of it.
  PP_HD WordOutcome play(const RandomKey& key, std::uint32_t word, std::uint32_t lanes) {
    RollingWords exchanges(key, word);
    for (int cell = 0; cell < rules_.cells; ++cell) {
      black_[cell] = all_lanes(has_cell(leaf_.stones[0], cell));
    }
    std::uint64_t taken = leaf_.stones[0][0] | leaf_.stones[1][0];
    WordOutcome outcome;
    std::uint32_t playing = lanes;
    ConnectBlock block = ConnectBlock::make(0, left_, rules_.stones, empty_, 0);
#pragma unroll 1
    while (playing != 0 && block.at < empty_) {
      deal(block, exchanges);
      for (std::uint32_t i = block.at; i < block.end; ++i) taken |= std::uint64_t{1} << order_[i];
      ConnectLanes lines;
      for (std::uint32_t i = block.at; i < block.end; ++i) add_lines(taken, order_[i], lines);
      // Where both have a line, the side of the block's first turn had his first.
      outcome.won |= playing & lines.black & (mover_ | ~lines.white);
      playing &= ~(lines.black | lines.white);
      block = block.next(rules_.stones, empty_);
    }
    outcome.drawn = playing;
    return outcome;
  }

 private:
  // Says who has the cells of a block.
  PP_HD void deal(const ConnectBlock& block, RollingWords& exchanges) {
    const std::uint32_t pairs = block.pairs();
    for (std::uint32_t i = 0; block.at + i < block.middle || block.middle + i < block.end; ++i) {
      const std::uint32_t exchanged = i < pairs ? exchanges.next() : 0;
      if (block.at + i < block.middle) black_[order_[block.at + i]] = mover_ ^ exchanged;
      if (block.middle + i < block.end) black_[order_[block.middle + i]] = ~mover_ ^ exchanged;
    }
  }
  // Adds the lanes in which a side has a line of taken cells with this one among them.
  PP_HD void add_lines(std::uint64_t taken, int cell, ConnectLanes& lines) const {
    const int c = rules_.columns;
    const int up = rules_.by_columns.quotient(cell);
    const int left = cell - up * c;
    const int down = rules_.rows - 1 - up;
    const int right = c - 1 - left;
#pragma unroll 1
    for (int d = 0; d < 4; ++d) {
      const int step = d == 0 ? 1 : c + d - 2;  // rows, rising diagonals, columns, falling ones
      const int before = d == 0 ? left : d == 1 ? least(up, right) : d == 2 ? up : least(up, left);
      const int after = d == 0   ? right
                        : d == 1 ? least(down, left)
                        : d == 2 ? down
                                 : least(down, right);
      const int from = run(taken, cell, -step, before);
      const int to = run(taken, cell, step, after);
      int first = cell - from * step;
#pragma unroll 1
      for (int left_of = from + to + 2 - rules_.connect; left_of > 0; --left_of, first += step) {
        std::uint32_t all = ~std::uint32_t{0};
        std::uint32_t some = 0;
#pragma unroll 1
        for (int i = 0; i < rules_.connect; ++i) {
          const std::uint32_t black = black_[first + i * step];
          all &= black;
          some |= black;
        }
        lines.black |= all;
        lines.white |= ~some;
      }
    }
  }
  // Counts taken cells in a row beyond one, as far as a line with it can reach.
  PP_HD int run(std::uint64_t taken, int cell, int step, int room) const {
    const int most = least(room, rules_.connect - 1);
    int length = 0;
    while (length < most && (taken >> (cell + step * (length + 1)) & 1) != 0) ++length;
    return length;
  }
  PP_HD static int least(int a, int b) { return a < b ? a : b; }

  const Small::Rules& rules_;
  const Small::State& leaf_;
  std::uint32_t mover_;  // all lanes if Black is to move at the leaf
  std::uint32_t left_;   // stones of the turn that it is in
  std::uint32_t empty_ = 0;
  Move order_[Small::kMaxCells];           // of the empty cells
  std::uint32_t black_[Small::kMaxCells];  // of taken cells: the lanes in which Black has it
};

template <>
struct LeafPlayouts<Connect<1>> {
  PP_HD static Tally play(const Connect<1>::Rules& rules, const Connect<1>::State& leaf,
                          const RandomKey& key, std::uint32_t playouts) {
    SmallConnectLeaf games(rules, leaf);
    return play_words(playouts, [&](std::uint32_t word, std::uint32_t lanes) {
      if (word % kConnectGroupWords == 0) games.draw_order(key, word / kConnectGroupWords);
      return games.play(key, word, lanes);
    });
  }
};

}  // namespace playproof
