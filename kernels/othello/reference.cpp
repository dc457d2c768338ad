#include <algorithm>
#include <cstdint>
#include <vector>

#include "kernels/othello/engines.h"

namespace playproof {

template <>
GameEnd reference_playout<RefOthello>(const RefOthello::Rules& rules, RefOthello::State s,
                                      PlayoutPlace place) {
  constexpr std::uint32_t kBits = 24;
  std::size_t discs = 0;
  for (std::uint32_t ply = 0; !RefOthello::finished(rules, s); ++ply) {
    const std::vector<Move> moves = RefOthello::moves(rules, s);  // at least a pass
    std::uint64_t r = 0;
    for (std::uint32_t j = 0; j < kBits; ++j) r = 2 * r + place.bit(ply * kBits + j);
    const Move move = moves[(moves.size() * r) >> kBits];
    if (move != RefOthello::kPass) ++discs;
    RefOthello::play(rules, s, move);
  }
  return {static_cast<Value>(std::clamp<int>(RefOthello::value(rules, s), -1, 1)), discs};
}

}  // namespace playproof
