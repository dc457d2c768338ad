// Connect on the CPU: the 32 games of a word at once, one bit a game. They fill the same cells in
// the same order and differ only in who has which cell of a pair, so a line has to be looked for
// only where k cells in a row are taken, and then for all games together.
#include <algorithm>
#include <bit>
#include <utility>

#include "kernels/cpu_playouts.h"
#include "kernels/random_words.h"

namespace playproof {
namespace {

constexpr int kMaxSide = Connect<6>::kMaxSide;
constexpr int kMaxCells = kMaxSide * kMaxSide;
constexpr int kMaxGrid = (kMaxSide + 2) * (kMaxSide + 2);
constexpr std::uint32_t kAll = ~std::uint32_t{0};

// The board inside a frame of cells that are never taken.
struct Grid {
  bool taken[kMaxGrid];
  std::uint32_t black[kMaxGrid];  // of taken cells: the lanes where Black has the stone

  void place(int cell, std::uint32_t black_lanes) {
    taken[cell] = true;
    black[cell] = black_lanes;
  }
};

// A block of two turns: the stones order[at .. middle) of one player, [middle .. end) of the other.
struct Block {
  std::uint32_t at = 0;
  std::uint32_t middle = 0;
  std::uint32_t end = 0;
  std::uint32_t pairs() const { return std::min(middle - at, end - middle); }
};

// What all words of a request have in common.
struct Leaf {
  RandomKey key;
  Grid grid;
  int size = 0;       // of the grid
  int directions[4];  // steps in the grid
  int connect = 0;
  std::uint32_t m = 0;   // empty cells
  int empty[kMaxCells];  // where they are in the grid, in ascending order
  std::uint32_t blocks = 0;
  std::uint32_t pairs = 0;
  Block block[kMaxCells];
  std::uint32_t mover = 0;  // all lanes if Black moves at the leaf, else none
};

template <int W>
void read_board(const typename Connect<W>::Rules& rules, const typename Connect<W>::State& state,
                Leaf& leaf) {
  const int stride = rules.columns + 2;
  leaf.size = (rules.rows + 2) * stride;
  leaf.connect = rules.connect;
  const int directions[4] = {1, stride, stride + 1, stride - 1};
  std::copy_n(directions, 4, leaf.directions);
  std::fill_n(leaf.grid.taken, leaf.size, false);
  std::fill_n(leaf.grid.black, leaf.size, 0);
  int cell = 0;
  for (int row = 1; row <= rules.rows; ++row) {
    for (int at = row * stride + 1; at <= row * stride + rules.columns; ++at, ++cell) {
      const bool black = has_cell(state.stones[0], cell);
      if (black || has_cell(state.stones[1], cell)) {
        leaf.grid.place(at, black ? kAll : 0);
      } else {
        leaf.empty[leaf.m++] = at;
      }
    }
  }
}

// Turns two by two from the leaf on; the first of them has `left` stones, all others `stones`.
void read_turns(std::uint32_t left, std::uint32_t stones, Leaf& leaf) {
  for (std::uint32_t at = 0; at < leaf.m; left = stones) {
    const std::uint32_t middle = std::min(at + left, leaf.m);
    const std::uint32_t end = std::min(middle + stones, leaf.m);
    leaf.block[leaf.blocks] = {at, middle, end};
    leaf.pairs += leaf.block[leaf.blocks].pairs();
    ++leaf.blocks;
    at = end;
  }
}

template <int W>
void read_leaf(const typename Connect<W>::Rules& rules, std::uint64_t seed,
               const LeafRequest<Connect<W>>& request, Leaf& leaf) {
  using G = Connect<W>;
  leaf.key = {seed, request.stream};
  leaf.mover = G::to_move(rules, request.state) == Player::kFirst ? kAll : 0;
  read_board<W>(rules, request.state, leaf);
  read_turns(static_cast<std::uint32_t>(G::stones_left_in_turn(rules, request.state)), rules.stones,
             leaf);
}

// A number below `choices` from as many random words as it takes: Lemire's method, exact.
std::uint32_t draw_below(RandomWords& random, std::uint32_t choices) {
  std::uint64_t product = std::uint64_t{random.next()} * choices;
  if (static_cast<std::uint32_t>(product) < choices) {
    const std::uint32_t rejected = (0 - choices) % choices;  // 2^32 mod choices
    while (static_cast<std::uint32_t>(product) < rejected) {
      product = std::uint64_t{random.next()} * choices;
    }
  }
  return static_cast<std::uint32_t>(product >> 32);
}

// The order that the words of a group share. Later cells are drawn when they are needed.
class Order {
 public:
  Order(const Leaf& leaf, std::uint32_t group) : m_(leaf.m), random_(leaf.key, kGroupFlag | group) {
    std::copy_n(leaf.empty, m_, cells_);
  }
  // The cells up to number `end` - 1.
  const int* up_to(std::uint32_t end) {
    for (; drawn_ < end; ++drawn_) {
      if (drawn_ + 1 < m_) {
        std::swap(cells_[drawn_], cells_[drawn_ + draw_below(random_, m_ - drawn_)]);
      }
    }
    return cells_;
  }

 private:
  std::uint32_t m_;
  std::uint32_t drawn_ = 0;
  RandomWords random_;
  int cells_[kMaxCells];
};

// Adds the lanes with a line of Black or of White through `cell`, one direction, all stones there.
void find_lines(const Grid& grid, int cell, int step, int connect, std::uint32_t (&lines)[2]) {
  // Of the taken cells in a row, at most connect - 1 to either side.
  int first = cell;
  int last = cell;
  while (last - cell < (connect - 1) * step && grid.taken[last + step]) last += step;
  while (cell - first < (connect - 1) * step && grid.taken[first - step]) first -= step;
  for (int start = first; start + (connect - 1) * step <= last; start += step) {
    std::uint32_t black = kAll;
    std::uint32_t white = kAll;
    for (int i = 0; i < connect && (black | white) != 0; ++i) {
      black &= grid.black[start + i * step];
      white &= ~grid.black[start + i * step];
    }
    lines[0] |= black;
    lines[1] |= white;
  }
}

// Lays the stones of a block; `exchanges` has one random word a pair, `first` the lanes where the
// first of the two turns is Black's.
void lay_block(const Block& block, const int* order, const std::uint32_t* exchanges,
               std::uint32_t first, Grid& grid) {
  for (std::uint32_t i = block.at; i < block.middle; ++i) grid.place(order[i], first);
  for (std::uint32_t i = block.middle; i < block.end; ++i) grid.place(order[i], ~first);
  for (std::uint32_t i = 0; i < block.pairs(); ++i) {
    grid.black[order[block.at + i]] ^= exchanges[i];
    grid.black[order[block.middle + i]] ^= exchanges[i];
  }
}

// Plays until the games of all `lanes` are over; the lanes that Black has won and White has won.
void play_word(const Leaf& leaf, std::uint32_t word, std::uint32_t lanes, Order& shared,
               std::uint32_t (&won)[2]) {
  Grid grid;
  std::copy_n(leaf.grid.taken, leaf.size, grid.taken);
  std::copy_n(leaf.grid.black, leaf.size, grid.black);
  std::uint32_t exchanges[kMaxCells / 2 + 4];
  random_words(leaf.key, word, leaf.pairs, exchanges);
  won[0] = won[1] = 0;
  std::uint32_t pair = 0;
  for (std::uint32_t b = 0; b < leaf.blocks && lanes != 0; ++b) {
    const Block& block = leaf.block[b];
    const int* order = shared.up_to(block.end);
    lay_block(block, order, exchanges + pair, leaf.mover, grid);
    pair += block.pairs();
    std::uint32_t lines[2] = {0, 0};
    for (std::uint32_t i = block.at; i < block.end; ++i) {
      for (const int step : leaf.directions) {
        find_lines(grid, order[i], step, leaf.connect, lines);
      }
    }
    // Where both have a line, the side of the block's first turn had his first.
    won[0] |= lanes & lines[0] & (leaf.mover | ~lines[1]);
    won[1] |= lanes & lines[1] & (~leaf.mover | ~lines[0]);
    lanes &= ~(lines[0] | lines[1]);
  }
}

template <int W>
Tally play(const typename Connect<W>::Rules& rules, std::uint64_t seed,
           const LeafRequest<Connect<W>>& request) {
  using G = Connect<W>;
  if (G::finished(rules, request.state)) {
    return certain_tally(G::value(rules, request.state), request.playouts);
  }
  Leaf leaf;
  read_leaf<W>(rules, seed, request, leaf);
  std::uint32_t group = request.first / kLanes / kConnectGroupWords;
  Order order(leaf, group);
  Tally tally;
  for_each_word(request.first, request.playouts, [&](std::uint32_t word, std::uint32_t lanes) {
    if (word / kConnectGroupWords != group) {
      group = word / kConnectGroupWords;
      order = Order(leaf, group);
    }
    std::uint32_t won[2];
    play_word(leaf, word, lane_mask(lanes), order, won);
    tally.wins += static_cast<std::uint32_t>(std::popcount(won[0]));
    tally.losses += static_cast<std::uint32_t>(std::popcount(won[1]));
  });
  tally.draws = request.playouts - tally.wins - tally.losses;
  return tally;
}

}  // namespace

template <>
void cpu_playouts<Connect<1>>(SimdLevel, const Connect<1>::Rules& rules, std::uint64_t seed,
                              std::span<const LeafRequest<Connect<1>>> requests, Tally* tallies) {
  for (const LeafRequest<Connect<1>>& request : requests) *tallies++ = play<1>(rules, seed, request);
}

template <>
void cpu_playouts<Connect<6>>(SimdLevel, const Connect<6>::Rules& rules, std::uint64_t seed,
                              std::span<const LeafRequest<Connect<6>>> requests, Tally* tallies) {
  for (const LeafRequest<Connect<6>>& request : requests) *tallies++ = play<6>(rules, seed, request);
}

}  // namespace playproof
