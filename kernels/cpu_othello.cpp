// Othello on the CPU: makes the random choices of a ply for all lanes of a word, and chooses among
// the builds of cpu_othello.inc for several instruction sets.
#include "kernels/cpu_playouts.h"
#include "kernels/random_words.h"

namespace playproof {
namespace {

constexpr std::uint32_t kChoiceBits = 24;  // a ply and lane

// Exchanges the two blocks of kStep x kStep bits beside the diagonal of each block twice that size.
template <std::uint32_t kStep>
void exchange_blocks(std::uint32_t (&rows)[kLanes], std::uint32_t low_halves) {
  for (std::uint32_t top = 0; top < kLanes; top += 2 * kStep) {
    for (std::uint32_t i = top; i < top + kStep; ++i) {
      const std::uint32_t moved = ((rows[i] >> kStep) ^ rows[i + kStep]) & low_halves;
      rows[i] ^= moved << kStep;
      rows[i + kStep] ^= moved;
    }
  }
}

// The planes of a ply as one number a lane, first plane on top.
void ply_choices(const RandomKey& key, std::uint32_t word, std::uint32_t ply,
                 std::uint32_t (&choices)[kLanes]) {
  constexpr std::uint32_t kBlocks = kChoiceBits / 4;
  std::uint32_t planes[kChoiceBits];
  random_blocks(key, word, ply * kBlocks, kBlocks, planes);
  for (std::uint32_t j = 0; j < kChoiceBits; ++j) choices[kChoiceBits - 1 - j] = planes[j];
  for (std::uint32_t j = kChoiceBits; j < kLanes; ++j) choices[j] = 0;
  exchange_blocks<16>(choices, 0x0000ffff);
  exchange_blocks<8>(choices, 0x00ff00ff);
  exchange_blocks<4>(choices, 0x0f0f0f0f);
  exchange_blocks<2>(choices, 0x33333333);
  exchange_blocks<1>(choices, 0x55555555);
}

namespace baseline {
constexpr int kSize = 1;
#include "kernels/cpu_othello.inc"
}  // namespace baseline

// Clang does not know these pragmas: it builds the baseline alone.
#if defined(__x86_64__) && !defined(__clang__)
#pragma GCC push_options
#pragma GCC target("avx2")
namespace avx2 {
constexpr int kSize = 4;
#include "kernels/cpu_othello.inc"
}  // namespace avx2
#pragma GCC pop_options

#pragma GCC push_options
#pragma GCC target("avx512f,avx512dq,avx512vl,avx512bw")
namespace avx512 {
constexpr int kSize = 8;
#include "kernels/cpu_othello.inc"
}  // namespace avx512
#pragma GCC pop_options
#endif

using Play = void (*)(const Othello::Rules& rules, const Othello::State& leaf, const RandomKey& key,
                      std::uint32_t word, std::uint32_t lanes, std::uint64_t (&discs)[2][kLanes]);

Play player([[maybe_unused]] SimdLevel level) {
#if defined(__x86_64__) && !defined(__clang__)
  if (level == SimdLevel::kAvx512) return avx512::play;
  if (level == SimdLevel::kAvx2) return avx2::play;
#endif
  return baseline::play;
}

Tally play_with(Play play, const Othello::Rules& rules, std::uint64_t seed,
                const LeafRequest<Othello>& request) {
  if (Othello::finished(rules, request.state)) {
    return certain_tally(Othello::value(rules, request.state), request.playouts);
  }
  Tally tally;
  for_each_word(request.first, request.playouts, [&](std::uint32_t word, std::uint32_t lanes) {
    std::uint64_t discs[2][kLanes];
    play(rules, request.state, {seed, request.stream}, word, lanes, discs);
    for (std::uint32_t lane = 0; lane < lanes; ++lane) {
      const int lead = popcount64(discs[0][lane]) - popcount64(discs[1][lane]);
      tally.wins += lead > 0 ? 1 : 0;
      tally.draws += lead == 0 ? 1 : 0;
      tally.losses += lead < 0 ? 1 : 0;
    }
  });
  return tally;
}

}  // namespace

template <>
void cpu_playouts<Othello>(SimdLevel level, const Othello::Rules& rules, std::uint64_t seed,
                           std::span<const LeafRequest<Othello>> requests, Tally* tallies) {
  const Play play = player(level);
  for (const LeafRequest<Othello>& request : requests) *tallies++ = play_with(play, rules, seed, request);
}

}  // namespace playproof
