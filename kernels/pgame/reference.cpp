#include <cstdint>

#include "kernels/pgame/engines.h"

namespace playproof {

template <>
GameEnd reference_playout<RefPGame>(const RefPGame::Rules& rules, RefPGame::State s,
                                    PlayoutPlace place) {
  const auto branching = static_cast<std::uint32_t>(rules.branching);
  std::uint32_t planes = 0;  // the logarithm of the branching factor, rounded up
  while ((1u << planes) < branching) ++planes;
  std::uint32_t ply = 0;
  for (; !RefPGame::finished(rules, s); ++ply) {
    std::uint32_t branch = 0;
    if (1u << planes == branching) {
      for (std::uint32_t j = 0; j < planes; ++j) branch = 2 * branch + place.bit(ply * planes + j);
    } else {
      const std::uint64_t r = random_word(place.key, place.word, ply * kLanes + place.lane);
      branch = static_cast<std::uint32_t>((r * branching) >> 32);
    }
    RefPGame::play(rules, s, static_cast<Move>(branch));
  }
  return {RefPGame::value(rules, s), ply};
}

}  // namespace playproof
