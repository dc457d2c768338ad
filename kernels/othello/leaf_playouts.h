// The playouts of a leaf of Othello by one thread: games/PLAYOUTS.md, "Othello". Some lanes of a
// word go down together, since a random word has a bit for each of them. (Boards as bits of words,
// as kernels/othello/device.h has them, need 128 registers for the discs alone.)
#pragma once

#include <cstdint>

#include "kernels/othello/device.h"
#include "kernels/othello/engines.h"
#include "kernels/search/leaf_playouts.h"

namespace playproof {

template <>
struct LeafPlayouts<Othello> {
  PP_HD static Tally play(const Othello::Rules& rules, const Othello::State& leaf,
                          const RandomKey& key, std::uint32_t playouts) {
    Tally tally;
    for (std::uint32_t i = 0; i < playouts; i += kTogether) {
      const std::uint32_t left = playouts - i;
      play_lanes(rules, leaf, key, i, left < kTogether ? left : kTogether, tally);
    }
    return tally;
  }

 private:
  static constexpr std::uint32_t kTogether = 8;  // lanes; divides those of a word

  // Playouts first .. first + count - 1, all of one word.
  PP_HD static void play_lanes(const Othello::Rules& rules, const Othello::State& leaf,
                               const RandomKey& key, std::uint32_t first, std::uint32_t count,
                               Tally& tally) {
    Othello::State games[kTogether];
#pragma unroll 1
    for (std::uint32_t l = 0; l < count; ++l) games[l] = leaf;
    std::uint32_t left = count;
#pragma unroll 1
    for (std::uint32_t ply = 0; left > 0; ++ply) {
      std::uint32_t numbers[kTogether] = {};  // of kOthelloChoiceBits bits, the first one on top
#pragma unroll 1
      for (std::uint32_t block = 0; block < kOthelloChoiceBlocks; ++block) {
        const PhiloxCounter four =
            random_block(key, first / kLanes, ply * kOthelloChoiceBlocks + block);
#pragma unroll
        for (const std::uint32_t word : four.words) {
          const std::uint32_t drawn = word >> (first % kLanes);
#pragma unroll
          for (std::uint32_t l = 0; l < kTogether; ++l) {
            numbers[l] = numbers[l] << 1 | (drawn >> l & 1);
          }
        }
      }
#pragma unroll 1
      for (std::uint32_t l = 0; l < count; ++l) {
        if (Othello::finished(rules, games[l])) continue;
        play_ply(rules, games[l], numbers[l]);
        if (!Othello::finished(rules, games[l])) continue;
        count_value(Othello::value(rules, games[l]), tally);
        --left;
      }
    }
  }
  PP_HD static void play_ply(const Othello::Rules& rules, Othello::State& game,
                             std::uint32_t number) {
    Move move = Othello::kPass;
    std::uint64_t legal = game.legal;
    if (legal != 0) {
      const auto moves = static_cast<std::uint64_t>(popcount64(legal));
      for (std::uint64_t n = (moves * number) >> kOthelloChoiceBits; n > 0; --n) legal &= legal - 1;
      move = static_cast<Move>(lowest_bit64(legal));
    }
    Othello::play(rules, game, move);
  }
};

}  // namespace playproof
