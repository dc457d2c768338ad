// What tells a position from all others of its game, as few words as it takes: what a table stores
// instead of a whole State. Each game has an overload of position_id() in its identity.h, found by
// the type of the game:
//   IdWords<N> position_id(const G&, const typename G::State& state)
//
// Under the same rules equal identities are equal States, no more and no less. So an identity says,
// or lets one reckon: what lies where; who moves; how many stones are left in the turn, where a
// turn has several. What the words do not tell of the last two goes into the bit `turn` or into
// words of its own; depth parity never tells it, since positions can be given. tests/conformance.h
// walks small boards for two positions of one identity.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "games/core/game.h"

namespace playproof {

template <int N>
struct IdWords {
  std::array<std::uint64_t, N> words{};
  bool turn = false;  // one bit more: who moves, where the words do not tell

  bool operator==(const IdWords& other) const {
    std::uint64_t differ = turn != other.turn ? 1 : 0;
    for (std::size_t i = 0; i < words.size(); ++i) differ |= words[i] ^ other.words[i];
    return differ == 0;
  }
  bool operator<(const IdWords& other) const {
    for (std::size_t i = 0; i < words.size(); ++i) {
      if (words[i] != other.words[i]) return words[i] < other.words[i];
    }
    return turn < other.turn;
  }
  // Equal ids have equal hashes; no verdict rests on a hash.
  std::uint64_t hash() const {
    std::uint64_t sum = turn ? kGoldenGamma : 0;
    for (const std::uint64_t word : words) sum = mix64(sum ^ word);
    return sum;
  }
};

// Identifies positions of games where each ply adds one stone and none ever goes: from the empty
// board on their number tells who moves and how many stones are left in the turn, and who has won
// follows from where they lie.
template <int W>
IdWords<2 * W> stones_id(const std::uint64_t (&stones)[2][W]) {
  IdWords<2 * W> id;
  for (std::size_t i = 0; i < W; ++i) {
    id.words[i] = stones[0][i];
    id.words[W + i] = stones[1][i];
  }
  return id;
}

template <class G>
using PositionId = decltype(position_id(G{}, typename G::State{}));

}  // namespace playproof
