#include <cstdint>
#include <vector>

#include "kernels/hex/engines.h"

namespace playproof {

template <>
GameEnd reference_playout<RefHex>(const RefHex::Rules& rules, RefHex::State s, PlayoutPlace place) {
  const bool black_moves = RefHex::to_move(rules, s) == Player::kFirst;
  const std::vector<Move> empty = RefHex::moves(rules, s);
  const auto m = static_cast<std::uint32_t>(empty.size());

  std::vector<bool> movers(m);  // cells that go to the side to move
  std::uint32_t count = 0;
  for (std::uint32_t e = 0; e < m; ++e) {
    movers[e] = place.bit(e) == 1;
    count += movers[e] ? 1 : 0;
  }
  const std::uint32_t wanted = (m + 1) / 2;
  const std::uint32_t group = kGroupFlag | (place.word / kHexGroupWords);
  for (std::uint32_t draw = 0; count != wanted; ++draw) {
    const std::uint32_t two = random_word(place.key, group, draw / 2);
    const std::uint32_t half = draw % 2 == 0 ? two & 0xffff : two >> 16;
    if (((half * m) & 0xffff) < 65536 % m) continue;
    const std::uint32_t e = (half * m) >> 16;
    if (count > wanted && movers[e]) {
      movers[e] = false;
      --count;
    } else if (count < wanted && !movers[e]) {
      movers[e] = true;
      ++count;
    }
  }
  for (std::uint32_t e = 0; e < m; ++e) s.cells[empty[e]] = movers[e] == black_moves ? 'B' : 'W';
  return {RefHex::value(rules, s), m};
}

}  // namespace playproof
