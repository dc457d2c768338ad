// The engine `cpu` (`sliced`): the playouts of games/PLAYOUTS.md on one core, on vectors of words.
// It must agree with the engine `reference` in every count, at every level of instructions.
#pragma once

#include <bit>
#include <cstdint>
#include <span>
#include <vector>

#include "kernels/common/playout.h"
#include "kernels/common/simd.h"

namespace playproof {

// The tallies of a batch, one a request: any playouts first .. first + playouts - 1 up to 2^32,
// first a multiple of 32. The machine must have the instructions of the level. Defined for games
// with engines of their own, in kernels/<game>/cpu.cpp.
template <class G>
void cpu_playouts(SimdLevel level, const typename G::Rules& rules,
                  std::span<const LeafRequest<G>> requests, Tally* tallies);

// The tally of one request, with the best instructions of the machine.
template <class G>
Tally cpu_playouts(const typename G::Rules& rules, const LeafRequest<G>& request) {
  Tally tally;
  cpu_playouts<G>(best_simd_level(), rules, std::span(&request, 1), &tally);
  return tally;
}

// What lanes do on their way, for tests of uniformity: sets of lanes, bit l of planes[p * words +
// w] says it of lane l of word w of the request. words: of a vector, at least those of the request,
// which must fit one (4 words always do).
struct PlayoutTrace {
  int words = 0;
  std::vector<std::uint32_t> planes;

  // The lanes of all sets together.
  std::uint64_t lanes() const {
    std::uint64_t sum = 0;
    for (const std::uint32_t plane : planes) sum += static_cast<unsigned>(std::popcount(plane));
    return sum;
  }
};

// Stones or discs laid in all playouts of a request together; passes do not count. For games whose
// playouts differ in length: Othello, Connect<1> and Connect<6>.
template <class G>
std::uint64_t cpu_playout_plies(SimdLevel level, const typename G::Rules& rules,
                                const LeafRequest<G>& request);

}  // namespace playproof
