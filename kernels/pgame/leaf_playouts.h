// The playouts of a leaf of a P-game by one thread: games/PLAYOUTS.md, "P-games". Some lanes of a
// word go down together, since a random word has a bit for each of them.
#pragma once

#include <cstdint>

#include "kernels/numbers/arithmetic.h"
#include "kernels/pgame/device.h"
#include "kernels/search/leaf_playouts.h"

namespace playproof {

template <>
struct LeafPlayouts<PGame> {
  PP_HD static Tally play(const PGame::Rules& rules, const PGame::State& leaf, const RandomKey& key,
                          std::uint32_t playouts) {
    Tally tally;
    std::uint32_t i = 0;
    while (playouts - i >= kFew) {
      const std::uint32_t left = lesser(playouts - i, kLanes - i % kLanes);
      if (left >= kMany) {
        play_lanes<kMany>(rules, leaf, key, i, tally);
        i += kMany;
      } else {
        play_lanes<kFew>(rules, leaf, key, i, tally);
        i += kFew;
      }
    }
    if (i < playouts) play_lanes<1>(rules, leaf, key, i, tally);
    return tally;
  }

 private:
  static constexpr std::uint32_t kMany = 10;  // lanes: the playouts of the thesis at once
  static constexpr std::uint32_t kFew = 2;    // divides those of a word

  // Playouts first .. first + kCount - 1, all of one word.
  template <std::uint32_t kCount>
  PP_HD static void play_lanes(const PGame::Rules& rules, const PGame::State& leaf,
                               const RandomKey& key, std::uint32_t first, Tally& tally) {
    const bool max_moves = PGame::to_move(rules, leaf) == Player::kFirst;
    PGamePath paths[kCount];
#pragma unroll
    for (std::uint32_t l = 0; l < kCount; ++l) {
      paths[l] = {leaf.hash, max_moves ? -leaf.sum : leaf.sum};
    }
    const std::uint32_t plies = rules.depth - leaf.ply;
    const std::uint32_t word = first / kLanes;
    const std::uint32_t lane = first % kLanes;
    const std::uint32_t branching = rules.branching;
    if ((branching & (branching - 1)) == 0) {
      const auto bits = static_cast<std::uint32_t>(lowest_bit64(branching));
      RollingWords random(key, word);
#pragma unroll 1
      for (std::uint32_t ply = 0; ply < plies; ++ply) {
        std::uint32_t branches[kCount] = {};
#pragma unroll 1
        for (std::uint32_t bit = 0; bit < bits; ++bit) {  // the first one on top
          const std::uint32_t drawn = random.next() >> lane;
#pragma unroll
          for (std::uint32_t l = 0; l < kCount; ++l) {
            branches[l] = branches[l] << 1 | (drawn >> l & 1);
          }
        }
#pragma unroll
        for (std::uint32_t l = 0; l < kCount; ++l) go(paths[l], branches[l]);
      }
    } else {
#pragma unroll 1
      for (std::uint32_t ply = 0; ply < plies; ++ply) {
#pragma unroll 1
        for (std::uint32_t l = 0; l < kCount; ++l) {
          paths[l].go(random_word(key, word, kLanes * ply + lane + l), branching);
        }
      }
    }
    const bool max_next = ((leaf.ply + plies) & 1) == 0;
#pragma unroll
    for (std::uint32_t l = 0; l < kCount; ++l) {
      const std::int32_t sum = max_next ? -paths[l].ahead : paths[l].ahead;
      count_value(static_cast<Value>((sum > 0) - (sum < 0)), tally);
    }
  }
  PP_HD static void go(PGamePath& path, std::uint32_t branch) {
    // One golden gamma is the game's, another one mix64()'s.
    path.hash = finish_mix64(path.hash + (branch + 2) * kGoldenGamma);
    path.ahead = PGame::edge(path.hash) - path.ahead;
  }
};

}  // namespace playproof
