#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "kernels/loa/engines.h"

namespace playproof {
namespace {

int sign(int x) { return (x > 0) - (x < 0); }

// Where a move comes from, and in which direction it goes: 0 along the row, 1 up and to the right,
// 2 up, 3 up and to the left, where up is to the next row; 4 to 7 are the opposite ones.
struct Way {
  int row, column;  // it comes from
  std::uint32_t direction;
};
Way way_of(Move move) {
  const int row = move / 512;
  const int column = move / 64 % 8;
  const int up = sign(move / 8 % 8 - row);
  const int right = sign(move % 8 - column);
  const std::uint32_t line = up == 0 ? 0 : right == 0 ? 2 : right == up ? 1 : 3;
  return {row, column, line + (up < 0 || (up == 0 && right < 0) ? 4u : 0u)};
}

}  // namespace

template <>
GameEnd reference_playout<RefLoa>(const RefLoa::Rules& rules, RefLoa::State s, PlayoutPlace place) {
  std::uint32_t byte = 0;
  for (std::size_t ply = 0; ply < kLoaLongestPlayout; ++ply) {
    if (RefLoa::finished(rules, s)) return {RefLoa::value(rules, s), ply};
    const std::vector<Move> moves = RefLoa::moves(rules, s);
    std::vector<int> stones;
    for (std::size_t i = 0; i < s.cells.size(); ++i) {
      if (s.cells[i] == s.mover) stones.push_back(static_cast<int>(i));
    }
    const auto n = static_cast<std::uint32_t>(stones.size());
    auto played = moves.end();
    while (played == moves.end()) {
      const std::uint32_t index = 128 * (byte / 16) + 4 * place.lane + byte / 4 % 4;
      const std::uint32_t b = random_word(place.key, place.word, index) >> (8 * (byte % 4)) & 255;
      ++byte;
      if (b * n % 32 < 32 % n) continue;
      const std::uint32_t pair = b * n / 32;
      const int stone = stones[pair / 8];
      played = std::find_if(moves.begin(), moves.end(), [&](Move move) {
        const Way way = way_of(move);
        return way.row * rules.size + way.column == stone && way.direction == pair % 8;
      });
    }
    RefLoa::play(rules, s, *played);
  }
  if (RefLoa::finished(rules, s)) return {RefLoa::value(rules, s), kLoaLongestPlayout};
  return {0, kLoaLongestPlayout, true};
}

}  // namespace playproof
