// Othello on the CPU: reads the leaves, and chooses among the builds of cpu_othello.inc.
#include <algorithm>
#include <cstring>

#if defined(__x86_64__)
#include <immintrin.h>
#endif

#include "kernels/common/random_words.h"
#include "kernels/common/word_packer.h"
#include "kernels/othello/engines.h"

namespace playproof {
namespace {

constexpr int kChoiceBits = 24;  // a ply and lane

// What all words of a request have in common.
struct Leaf {
  RandomKey key;
  std::uint64_t discs[2];  // of the side to move, and of the other
  std::uint32_t to_move = 0;
};
using Pack = WordPack<Leaf>;

using Engine = void(int side, const Pack& pack, WordResults& results);
#define PP_ENGINE "kernels/othello/cpu.inc"
#include "kernels/common/instruction_sets.inc"

void read_leaf(const LeafRequest<Othello>& request, Leaf& leaf) {
  leaf.key = request.key;
  leaf.to_move = request.state.to_move;
  leaf.discs[0] = request.state.discs[leaf.to_move];
  leaf.discs[1] = request.state.discs[leaf.to_move ^ 1];
}

void play_all(SimdLevel level, const Othello::Rules& rules,
              std::span<const LeafRequest<Othello>> requests, Tally* tallies,
              PlayoutTrace* trace = nullptr) {
  const Builds builds = builds_of(level);
  const Build& build =
      fits_words<Othello>(requests, builds.narrow.words) ? builds.narrow : builds.wide;
  if (trace != nullptr) trace->words = build.words;
  play_packed<Othello, Leaf>(
      rules, build.words, requests, tallies,
      [&](const Othello::State& state) {
        return rules.size * rules.size - popcount64(state.discs[0] | state.discs[1]);
      },
      read_leaf,
      [&](const Pack& pack, WordResults& results) {
        if (trace != nullptr) results.trace = &trace->planes;
        build.play(rules.size, pack, results);
      });
}

}  // namespace

template <>
void cpu_playouts<Othello>(SimdLevel level, const Othello::Rules& rules,
                           std::span<const LeafRequest<Othello>> requests, Tally* tallies) {
  play_all(level, rules, requests, tallies);
}

PlayoutTrace cpu_othello_moves(SimdLevel level, const Othello::Rules& rules,
                               const LeafRequest<Othello>& request) {
  PlayoutTrace trace;
  Tally tally;
  play_all(level, rules, std::span(&request, 1), &tally, &trace);
  return trace;
}

template <>
std::uint64_t cpu_playout_plies<Othello>(SimdLevel level, const Othello::Rules& rules,
                                         const LeafRequest<Othello>& request) {
  PlayoutTrace trace;
  Tally tally;
  play_all(level, rules, std::span(&request, 1), &tally, &trace);
  return trace.lanes();
}

}  // namespace playproof
