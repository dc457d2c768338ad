// Connect on the CPU: reads the leaves, draws the orders of cells that groups of words share, and
// chooses among the builds of cpu_connect.inc.
#include <algorithm>
#include <bit>
#include <cstring>
#include <utility>

#if defined(__x86_64__)
#include <immintrin.h>
#endif

#include "kernels/common/random_words.h"
#include "kernels/common/word_packer.h"
#include "kernels/connect/engines.h"
#include "kernels/connect/lines.h"

namespace playproof {
namespace {

constexpr int kMaxCells = Connect<6>::kMaxCells;
constexpr int kDirections = ConnectLines::kDirections;
constexpr std::uint32_t kAll = ~std::uint32_t{0};

// A block of two turns: the stones order[at .. middle) of one player, [middle .. end) of the other.
struct Block {
  std::uint32_t at = 0;
  std::uint32_t middle = 0;
  std::uint32_t end = 0;
  std::uint32_t pairs() const { return std::min(middle - at, end - middle); }
};

struct Stone {
  std::uint16_t cell = 0;
  std::uint32_t black = 0;  // all lanes, or none
};

// What all words of a request have in common.
struct Leaf {
  RandomKey key;
  TakenCells taken;
  int stones = 0;
  Stone stone[kMaxCells];
  std::uint32_t m = 0;             // empty cells
  std::uint16_t empty[kMaxCells];  // which, in ascending order
  std::uint32_t blocks = 0;
  Block block[kMaxCells];
  std::uint32_t mover = 0;  // all lanes if Black moves at the leaf, else none
};

// The order that the words of a group share. Later cells are drawn when they are needed.
class Order {
 public:
  Order(const Leaf& leaf, std::uint32_t group) : m_(leaf.m), random_(leaf.key, kGroupFlag | group) {
    std::copy_n(leaf.empty, m_, cells_);
  }
  // The cells up to number `end` - 1.
  const std::uint16_t* up_to(std::uint32_t end) {
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
  std::uint16_t cells_[kMaxCells];
};

using Engine = void(const ConnectLines& shape, const Leaf& leaf, Order& shared,
                    std::uint32_t first_word, const std::uint32_t* lanes, WordResults& results);
#define PP_ENGINE "kernels/connect/cpu.inc"
#include "kernels/common/instruction_sets.inc"

template <int W>
void read_board(const ConnectLines& shape, const typename Connect<W>::Rules& rules,
                const typename Connect<W>::State& state, Leaf& leaf) {
  for (int cell = 0; cell < rules.cells; ++cell) {
    const bool black = has_cell(state.stones[0], cell);
    if (black || has_cell(state.stones[1], cell)) {
      leaf.stone[leaf.stones++] = {static_cast<std::uint16_t>(cell), black ? kAll : 0};
      leaf.taken.add(shape, cell);
    } else {
      leaf.empty[leaf.m++] = static_cast<std::uint16_t>(cell);
    }
  }
}

// Turns two by two from the leaf on; the first of them has `left` stones, all others `stones`.
void read_turns(std::uint32_t left, std::uint32_t stones, Leaf& leaf) {
  for (std::uint32_t at = 0; at < leaf.m; left = stones) {
    const std::uint32_t middle = std::min(at + left, leaf.m);
    const std::uint32_t end = std::min(middle + stones, leaf.m);
    leaf.block[leaf.blocks] = {at, middle, end};
    ++leaf.blocks;
    at = end;
  }
}

template <int W>
void read_leaf(const ConnectLines& shape, const typename Connect<W>::Rules& rules,
               const LeafRequest<Connect<W>>& request, Leaf& leaf) {
  using G = Connect<W>;
  leaf.key = request.key;
  leaf.mover = G::to_move(rules, request.state) == Player::kFirst ? kAll : 0;
  read_board<W>(shape, rules, request.state, leaf);
  read_turns(static_cast<std::uint32_t>(G::stones_left_in_turn(rules, request.state)), rules.stones,
             leaf);
}

// Playouts first .. first + playouts - 1, all of one group.
void play_group(const Builds& builds, const ConnectLines& shape, const Leaf& leaf,
                std::uint32_t first, std::uint32_t playouts, Tally& tally, PlayoutTrace* trace) {
  Order order(leaf, first / kLanes / kConnectGroupWords);
  const auto narrow = static_cast<std::uint32_t>(builds.narrow.words) * kLanes;
  const Build& build = playouts <= narrow ? builds.narrow : builds.wide;
  const auto size = static_cast<std::uint32_t>(build.words) * kLanes;
  for (std::uint32_t done = 0; done < playouts; done += size) {
    std::uint32_t lanes[kMaxVectorWords] = {};
    std::uint32_t* next = lanes;
    for_each_word(first + done, std::min(size, playouts - done),
                  [&](std::uint32_t, std::uint32_t count) { *next++ = lane_mask(count); });
    WordResults results;
    if (trace != nullptr) {
      trace->words = build.words;
      results.trace = &trace->planes;
    }
    build.play(shape, leaf, order, (first + done) / kLanes, lanes, results);
    for (int i = 0; i < build.words; ++i) {
      tally.wins += static_cast<std::uint32_t>(std::popcount(results.won[i]));
      tally.draws += static_cast<std::uint32_t>(std::popcount(results.drawn[i]));
    }
  }
}

template <int W>
Tally play(const Builds& builds, const ConnectLines& shape, const typename Connect<W>::Rules& rules,
           const LeafRequest<Connect<W>>& request, PlayoutTrace* trace = nullptr) {
  using G = Connect<W>;
  if (G::finished(rules, request.state)) {
    return certain_tally(G::value(rules, request.state), request.playouts);
  }
  Leaf leaf;
  read_leaf<W>(shape, rules, request, leaf);
  constexpr std::uint32_t kGroup = kConnectGroupWords * kLanes;
  Tally tally;
  for (std::uint32_t done = 0; done < request.playouts;) {
    const std::uint32_t first = request.first + done;
    const std::uint32_t here = std::min(request.playouts - done, kGroup - first % kGroup);
    play_group(builds, shape, leaf, first, here, tally, trace);
    done += here;
  }
  tally.losses = request.playouts - tally.wins - tally.draws;
  return tally;
}

template <int W>
void play_all(SimdLevel level, const typename Connect<W>::Rules& rules,
              std::span<const LeafRequest<Connect<W>>> requests, Tally* tallies) {
  const Builds builds = builds_of(level);
  const ConnectLines shape = ConnectLines::of(rules.rows, rules.columns, rules.connect);
  for (const LeafRequest<Connect<W>>& request : requests) {
    *tallies++ = play<W>(builds, shape, rules, request);
  }
}

template <int W>
std::uint64_t plies(SimdLevel level, const typename Connect<W>::Rules& rules,
                    const LeafRequest<Connect<W>>& request) {
  const ConnectLines shape = ConnectLines::of(rules.rows, rules.columns, rules.connect);
  PlayoutTrace trace;
  play<W>(builds_of(level), shape, rules, request, &trace);
  return trace.lanes();
}

}  // namespace

template <>
void cpu_playouts<Connect<1>>(SimdLevel level, const Connect<1>::Rules& rules,
                              std::span<const LeafRequest<Connect<1>>> requests, Tally* tallies) {
  play_all<1>(level, rules, requests, tallies);
}

template <>
void cpu_playouts<Connect<6>>(SimdLevel level, const Connect<6>::Rules& rules,
                              std::span<const LeafRequest<Connect<6>>> requests, Tally* tallies) {
  play_all<6>(level, rules, requests, tallies);
}

template <>
std::uint64_t cpu_playout_plies<Connect<1>>(SimdLevel level, const Connect<1>::Rules& rules,
                                            const LeafRequest<Connect<1>>& request) {
  return plies<1>(level, rules, request);
}

template <>
std::uint64_t cpu_playout_plies<Connect<6>>(SimdLevel level, const Connect<6>::Rules& rules,
                                            const LeafRequest<Connect<6>>& request) {
  return plies<6>(level, rules, request);
}

}  // namespace playproof
