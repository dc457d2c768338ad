// Lines of Action on the CPU: chooses among the builds of cpu.inc for several instruction sets.
#include <array>
#include <bit>
#include <cstring>

#if defined(__x86_64__)
#include <immintrin.h>
#endif

#include "kernels/common/random_words.h"
#include "kernels/loa/engines.h"
#include "kernels/loa/rays.h"

namespace playproof {
namespace {

struct Played {
  Tally tally;
  std::uint64_t plies = 0;  // of all playouts together
};

namespace baseline {
constexpr int kBlocks = 2;
inline unsigned select(std::uint64_t set, unsigned n) {
  for (; n > 0; --n) set &= set - 1;
  return static_cast<unsigned>(lowest_bit64(set));
}
#include "kernels/loa/cpu.inc"
}  // namespace baseline

// Clang does not know these pragmas: it builds the baseline alone.
#if defined(__x86_64__) && !defined(__clang__)
#pragma GCC push_options
#pragma GCC target("avx2,bmi,bmi2,popcnt")
namespace avx2 {
constexpr int kBlocks = 4;
inline unsigned select(std::uint64_t set, unsigned n) {
  return static_cast<unsigned>(lowest_bit64(_pdep_u64(std::uint64_t{1} << n, set)));
}
#include "kernels/loa/cpu.inc"
}  // namespace avx2
#pragma GCC pop_options

#pragma GCC push_options
#pragma GCC target("avx512f,avx512dq,avx512vl,avx512bw,bmi,bmi2,popcnt")
namespace avx512 {
constexpr int kBlocks = 8;
inline unsigned select(std::uint64_t set, unsigned n) {
  return static_cast<unsigned>(lowest_bit64(_pdep_u64(std::uint64_t{1} << n, set)));
}
#include "kernels/loa/cpu.inc"
}  // namespace avx512
#pragma GCC pop_options
#endif

using Play = Played (*)(const Loa::Rules& rules, const LoaRays& rays,
                        const LeafRequest<Loa>& request);

Play player([[maybe_unused]] SimdLevel level) {
#if defined(__x86_64__) && !defined(__clang__)
  if (level == SimdLevel::kAvx512) return avx512::play;
  if (level == SimdLevel::kAvx2) return avx2::play;
#endif
  return baseline::play;
}

// By size of the board.
constexpr auto kRays = [] {
  std::array<LoaRays, Loa::kMaxSize - Loa::kMinSize + 1> all{};
  int size = Loa::kMinSize;
  for (LoaRays& rays : all) rays.fill(size++, 0, 1);
  return all;
}();

Played play_with(Play play, const Loa::Rules& rules, const LeafRequest<Loa>& request) {
  if (Loa::finished(rules, request.state)) {
    return {certain_tally(Loa::value(rules, request.state), request.playouts), 0};
  }
  return play(rules, kRays[static_cast<std::size_t>(rules.size - Loa::kMinSize)], request);
}

}  // namespace

template <>
void cpu_playouts<Loa>(SimdLevel level, const Loa::Rules& rules,
                       std::span<const LeafRequest<Loa>> requests, Tally* tallies) {
  const Play play = player(level);
  for (const LeafRequest<Loa>& request : requests) {
    *tallies++ = play_with(play, rules, request).tally;
  }
}

template <>
std::uint64_t cpu_playout_plies<Loa>(SimdLevel level, const Loa::Rules& rules,
                                     const LeafRequest<Loa>& request) {
  return play_with(player(level), rules, request).plies;
}

}  // namespace playproof
