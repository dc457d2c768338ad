// Hex on the CPU: reads the leaves, and chooses among the builds of cpu_hex.inc.
#include <algorithm>
#include <cstring>

#if defined(__x86_64__)
#include <immintrin.h>
#endif

#include "kernels/common/random_words.h"
#include "kernels/common/word_packer.h"
#include "kernels/hex/engines.h"

namespace playproof {
namespace {

constexpr int kMaxSide = Hex<6>::kMaxSide;
constexpr int kMaxCells = kMaxSide * kMaxSide;
constexpr int kBoardWords = (kMaxCells + 63) / 64;
constexpr int kNoCell = kMaxCells;

struct Shape {
  int rows = 0;
  int columns = 0;
  int words = 0;                          // of 64 cells
  std::uint64_t cells[kBoardWords] = {};  // those of the board
};

// What all words of a request have in common.
struct Leaf {
  RandomKey key;
  const std::uint64_t* stones[2] = {};  // of the request: Black's, White's
  std::uint32_t m = 0;                  // empty cells
  std::uint32_t wanted = 0;             // how many of them become Black's
  std::uint32_t whites = 0;             // all lanes if White moves, else none
  std::uint32_t rejected = 0;           // 2^16 mod m
};

using Pack = WordPack<Leaf>;

using Engine = void(const Shape& shape, const Pack& pack, WordResults& results);
#define PP_ENGINE "kernels/hex/cpu.inc"
#include "kernels/common/instruction_sets.inc"

Shape make_shape(int rows, int columns) {
  Shape shape;
  shape.rows = rows;
  shape.columns = columns;
  shape.words = (rows * columns + 63) / 64;
  for (int i = 0; i < shape.words; ++i) shape.cells[i] = board_word(rows * columns, i);
  return shape;
}

template <int W>
void read_leaf(const typename Hex<W>::Rules& rules, const LeafRequest<Hex<W>>& request,
               Leaf& leaf) {
  const auto& state = request.state;
  const bool black_moves = Hex<W>::to_move(rules, state) == Player::kFirst;
  leaf.key = request.key;
  leaf.stones[0] = state.stones[0];
  leaf.stones[1] = state.stones[1];
  leaf.m = static_cast<std::uint32_t>(rules.cells - state.count);
  leaf.wanted = (leaf.m + (black_moves ? 1 : 0)) / 2;
  leaf.whites = black_moves ? 0 : ~std::uint32_t{0};
  leaf.rejected = 65536 % leaf.m;
}

template <int W>
void play(SimdLevel level, const typename Hex<W>::Rules& rules,
          std::span<const LeafRequest<Hex<W>>> requests, Tally* tallies,
          PlayoutTrace* trace = nullptr) {
  const Builds builds = builds_of(level);
  const Build& build =
      fits_words<Hex<W>>(requests, builds.narrow.words) ? builds.narrow : builds.wide;
  if (trace != nullptr) trace->words = build.words;
  const Shape shape = make_shape(rules.rows, rules.columns);
  play_packed<Hex<W>, Leaf>(
      rules, build.words, requests, tallies,
      [&](const typename Hex<W>::State& state) { return rules.cells - state.count; },
      [&](const LeafRequest<Hex<W>>& request, Leaf& leaf) { read_leaf<W>(rules, request, leaf); },
      [&](const Pack& pack, WordResults& results) {
        if (trace != nullptr) results.trace = &trace->planes;
        build.play(shape, pack, results);
      });
}

}  // namespace

template <>
void cpu_playouts<Hex<1>>(SimdLevel level, const Hex<1>::Rules& rules,
                          std::span<const LeafRequest<Hex<1>>> requests, Tally* tallies) {
  play<1>(level, rules, requests, tallies);
}

template <>
void cpu_playouts<Hex<2>>(SimdLevel level, const Hex<2>::Rules& rules,
                          std::span<const LeafRequest<Hex<2>>> requests, Tally* tallies) {
  play<2>(level, rules, requests, tallies);
}

template <>
void cpu_playouts<Hex<6>>(SimdLevel level, const Hex<6>::Rules& rules,
                          std::span<const LeafRequest<Hex<6>>> requests, Tally* tallies) {
  play<6>(level, rules, requests, tallies);
}

template <int W>
PlayoutTrace cpu_hex_boards(SimdLevel level, const typename Hex<W>::Rules& rules,
                            const LeafRequest<Hex<W>>& request) {
  PlayoutTrace trace;
  Tally tally;
  play<W>(level, rules, std::span(&request, 1), &tally, &trace);
  return trace;
}
template PlayoutTrace cpu_hex_boards<1>(SimdLevel, const Hex<1>::Rules&,
                                        const LeafRequest<Hex<1>>&);
template PlayoutTrace cpu_hex_boards<2>(SimdLevel, const Hex<2>::Rules&,
                                        const LeafRequest<Hex<2>>&);
template PlayoutTrace cpu_hex_boards<6>(SimdLevel, const Hex<6>::Rules&,
                                        const LeafRequest<Hex<6>>&);

}  // namespace playproof
