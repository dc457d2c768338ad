// P-games on the CPU: chooses among the builds of cpu_pgame.inc for several instruction sets.
#include <bit>
#include <cstring>

#include "kernels/common/random_words.h"
#include "kernels/pgame/engines.h"

namespace playproof {
namespace {

constexpr int kMaxPlanes = 6;  // a ply: branching 64

// What all words of a request have in common.
struct Leaf {
  RandomKey key;
  PGame::State state;
  int plies = 0;  // to the end
  std::uint32_t branching = 2;
  int planes = 0;  // a ply: log2 of the branching factor, or 0 if it is no power of two
};

namespace baseline {
constexpr int kSize = 1;
#include "kernels/pgame/cpu.inc"
}  // namespace baseline

// Clang does not know these pragmas: it builds the baseline alone.
#if defined(__x86_64__) && !defined(__clang__)
#pragma GCC push_options
#pragma GCC target("avx2")
namespace avx2 {
constexpr int kSize = 4;
#include "kernels/pgame/cpu.inc"
}  // namespace avx2
#pragma GCC pop_options

#pragma GCC push_options
#pragma GCC target("avx512f,avx512dq,avx512vl,avx512bw")
namespace avx512 {
constexpr int kSize = 8;
#include "kernels/pgame/cpu.inc"
}  // namespace avx512
#pragma GCC pop_options
#endif

using Play = Tally (*)(const Leaf& leaf, std::uint32_t first, std::uint32_t playouts);

Play player([[maybe_unused]] SimdLevel level) {
#if defined(__x86_64__) && !defined(__clang__)
  if (level == SimdLevel::kAvx512) return avx512::play;
  if (level == SimdLevel::kAvx2) return avx2::play;
#endif
  return baseline::play;
}

Tally play_with(Play play, const PGame::Rules& rules, const LeafRequest<PGame>& request) {
  Leaf leaf;
  leaf.key = request.key;
  leaf.state = request.state;
  leaf.plies = PGame::max_plies_left(rules, request.state);
  leaf.branching = rules.branching;
  if (std::has_single_bit(rules.branching)) leaf.planes = std::countr_zero(rules.branching);
  return play(leaf, request.first, request.playouts);
}

}  // namespace

template <>
void cpu_playouts<PGame>(SimdLevel level, const PGame::Rules& rules,
                         std::span<const LeafRequest<PGame>> requests, Tally* tallies) {
  const Play play = player(level);
  for (const LeafRequest<PGame>& request : requests) *tallies++ = play_with(play, rules, request);
}

}  // namespace playproof
