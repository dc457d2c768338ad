// Hex on the CPU: puts the words of many requests into vectors and chooses among the builds of
// cpu_hex.inc. Words of different leaves share a vector, so that small requests cost little more a
// playout than large ones; leaves with about as many empty cells are put together.
#include <algorithm>
#include <bit>
#include <cstring>
#include <numeric>
#include <vector>

#if defined(__x86_64__)
#include <immintrin.h>
#endif

#include "kernels/cpu_playouts.h"
#include "kernels/random_words.h"

namespace playproof {
namespace {

constexpr int kMaxWords = 16;  // of a vector
constexpr int kMaxSide = Hex<6>::kMaxSide;
constexpr int kMaxCells = kMaxSide * kMaxSide;
constexpr int kMaxStrip = 4;  // columns that the reduction takes at a time
constexpr int kMaxGrid = kMaxSide * (kMaxSide + 1);
constexpr int kNoCell = kMaxGrid;

// The board in strips of columns; what is to the right of the board is White's.
struct Shape {
  int rows = 0;
  int columns = 0;
  int strip = 0;   // columns
  int stride = 0;  // columns of all strips: cell (row, column) is at row * stride + column
  std::uint16_t at[kMaxCells] = {};  // where each cell is
};

// What all words of a request have in common.
struct Leaf {
  std::uint64_t stream = 0;
  std::uint32_t m = 0;         // empty cells
  std::uint32_t wanted = 0;    // how many of them become Black's
  std::uint32_t whites = 0;    // all lanes if White moves, else none
  std::uint32_t rejected = 0;  // 2^16 mod m
  std::uint32_t black[(kMaxCells + 31) / 32];  // stones, by cell
  std::uint16_t at[kMaxCells + 8];             // places of the empty cells, then kNoCell
};

// The words that a vector plays. Those that are not needed have no lanes.
struct Pack {
  const Shape* shape = nullptr;
  std::uint64_t seed = 0;
  bool one_leaf = false;
  int piece = 1;  // so many words on end have the leaf and the group in common: 4, 2 or 1
  std::uint32_t fewest = 0;  // empty cells of a leaf
  std::uint32_t most = 0;
  std::uint32_t* boards = nullptr;  // cells by words: where Black's stones end up, if not null
  const Leaf* leaf[kMaxWords];
  std::uint32_t stream_low[kMaxWords];
  std::uint32_t stream_high[kMaxWords];
  std::uint32_t word[kMaxWords];
  std::uint32_t lanes[kMaxWords];
  std::uint32_t m[kMaxWords];
  std::uint32_t wanted[kMaxWords];
  std::uint32_t whites[kMaxWords];
};

#define PP_ENGINE "kernels/cpu_hex.inc"
#include "kernels/instruction_sets.inc"

Shape make_shape(int rows, int columns) {
  Shape shape;
  shape.rows = rows;
  shape.columns = columns;
  const int strips = (columns + kMaxStrip - 1) / kMaxStrip;
  shape.strip = (columns + strips - 1) / strips;
  shape.stride = shape.strip * strips;
  for (int cell = 0; cell < rows * columns; ++cell) {
    shape.at[cell] = static_cast<std::uint16_t>(cell / columns * shape.stride + cell % columns);
  }
  return shape;
}

template <int W>
std::uint32_t empty_cells_of(const typename Hex<W>::Rules& rules,
                             const typename Hex<W>::State& state) {
  return static_cast<std::uint32_t>(rules.cells - state.count);
}

template <int W>
void read_leaf(const typename Hex<W>::Rules& rules, const Shape& shape,
               const LeafRequest<Hex<W>>& request, Leaf& leaf) {
  const auto& state = request.state;
  leaf.stream = request.stream;
  leaf.m = empty_cells_of<W>(rules, state);
  const bool black_moves = Hex<W>::to_move(rules, state) == Player::kFirst;
  leaf.wanted = (leaf.m + (black_moves ? 1 : 0)) / 2;
  leaf.whites = black_moves ? 0 : ~std::uint32_t{0};
  leaf.rejected = 65536 % leaf.m;
  for (int i = 0; i < (rules.cells + 31) / 32; ++i) {
    leaf.black[i] = static_cast<std::uint32_t>(state.stones[0][i / 2] >> (i % 2 * 32));
  }
  std::uint16_t* at = leaf.at;
  for (int i = 0; i < W; ++i) {
    std::uint64_t empty = board_word(rules.cells, i) & ~(state.stones[0][i] | state.stones[1][i]);
    for (; empty != 0; empty &= empty - 1) *at++ = shape.at[64 * i + lowest_bit64(empty)];
  }
  std::fill_n(at, 8, static_cast<std::uint16_t>(kNoCell));
}

// Gathers words until a vector is full, plays it and adds to the tallies.
template <int W>
class Packer {
 public:
  Packer(const typename Hex<W>::Rules& rules, std::uint64_t seed, const Build& build)
      : rules_(rules), shape_(make_shape(rules.rows, rules.columns)), build_(build) {
    pack_.shape = &shape_;
    pack_.seed = seed;
  }

  void add(const LeafRequest<Hex<W>>& request, Tally& tally) {
    Leaf* leaf = nullptr;
    for_each_word(request.first, request.playouts, [&](std::uint32_t word, std::uint32_t lanes) {
      if (leaf == nullptr) {
        leaf = &leaves_[words_];
        read_leaf<W>(rules_, shape_, request, *leaf);
      }
      add_word(*leaf, word, lane_mask(lanes), tally);
      if (words_ < build_.words) return;
      play();
      if (leaf != leaves_) leaves_[0] = *leaf;  // the rest of its words come first
      leaf = leaves_;
    });
  }
  // Plays what has been added.
  void play() {
    if (words_ == 0) return;
    const int words = words_;
    while (words_ < build_.words) {
      add_word(*pack_.leaf[words - 1], pack_.word[words - 1], 0, *tallies_[words - 1]);
    }
    complete_pack();
    std::uint32_t won[kMaxWords];
    build_.play(pack_, won);
    for (int i = 0; i < words; ++i) {
      tallies_[i]->wins += static_cast<std::uint32_t>(std::popcount(won[i]));
    }
    words_ = 0;
  }

 private:
  void add_word(const Leaf& leaf, std::uint32_t word, std::uint32_t lanes, Tally& tally) {
    const int i = words_++;
    pack_.leaf[i] = &leaf;
    pack_.stream_low[i] = static_cast<std::uint32_t>(leaf.stream);
    pack_.stream_high[i] = static_cast<std::uint32_t>(leaf.stream >> 32);
    pack_.word[i] = word;
    pack_.lanes[i] = lanes;
    pack_.m[i] = leaf.m;
    pack_.wanted[i] = leaf.wanted;
    pack_.whites[i] = leaf.whites;
    tallies_[i] = &tally;
  }
  bool same_group(int i, int j) const {
    return pack_.leaf[i] == pack_.leaf[j] &&
           pack_.word[i] / kHexGroupWords == pack_.word[j] / kHexGroupWords;
  }
  void complete_pack() {
    const int words = build_.words;
    pack_.one_leaf = std::all_of(pack_.leaf, pack_.leaf + words,
                                 [&](const Leaf* leaf) { return leaf == pack_.leaf[0]; });
    const auto [fewest, most] = std::minmax_element(pack_.m, pack_.m + words);
    pack_.fewest = *fewest;
    pack_.most = *most;
    for (pack_.piece = 4; pack_.piece > 1; pack_.piece /= 2) {
      bool fits = true;
      for (int i = 0; i < words; ++i) fits &= same_group(i, i - i % pack_.piece);
      if (fits) break;
    }
  }

  typename Hex<W>::Rules rules_;
  Shape shape_;
  Build build_;
  Pack pack_;
  int words_ = 0;
  Tally* tallies_[kMaxWords];
  Leaf leaves_[kMaxWords];
};

template <int W>
void play(SimdLevel level, const typename Hex<W>::Rules& rules, std::uint64_t seed,
          std::span<const LeafRequest<Hex<W>>> requests, Tally* tallies) {
  std::uint64_t playouts = 0;
  std::vector<std::uint32_t> order;  // of the requests that are played
  order.reserve(requests.size());
  for (std::uint32_t i = 0; i < requests.size(); ++i) {
    tallies[i] = {};
    if (Hex<W>::finished(rules, requests[i].state)) {
      tallies[i] = certain_tally(Hex<W>::value(rules, requests[i].state), requests[i].playouts);
    } else {
      order.push_back(i);
      playouts += requests[i].playouts;
    }
  }
  std::stable_sort(order.begin(), order.end(), [&](std::uint32_t i, std::uint32_t j) {
    return requests[i].state.count > requests[j].state.count;
  });
  const Builds builds = builds_of(level);
  const bool few = playouts <= static_cast<std::uint64_t>(builds.narrow.words) * kLanes;
  Packer<W> packer(rules, seed, few ? builds.narrow : builds.wide);
  for (const std::uint32_t i : order) packer.add(requests[i], tallies[i]);
  packer.play();
  for (const std::uint32_t i : order) tallies[i].losses = requests[i].playouts - tallies[i].wins;
}

}  // namespace

template <>
void cpu_playouts<Hex<1>>(SimdLevel level, const Hex<1>::Rules& rules, std::uint64_t seed,
                          std::span<const LeafRequest<Hex<1>>> requests, Tally* tallies) {
  play<1>(level, rules, seed, requests, tallies);
}

template <>
void cpu_playouts<Hex<6>>(SimdLevel level, const Hex<6>::Rules& rules, std::uint64_t seed,
                          std::span<const LeafRequest<Hex<6>>> requests, Tally* tallies) {
  play<6>(level, rules, seed, requests, tallies);
}

}  // namespace playproof
