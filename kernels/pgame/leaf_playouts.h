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
        play_lanes<kMany>(rules, leaf, key, i, kMany, tally);
        i += kMany;
      } else {
        play_lanes<kFew>(rules, leaf, key, i, kFew, tally);
        i += kFew;
      }
    }
    if (i < playouts) play_lanes<1>(rules, leaf, key, i, 1, tally);
    return tally;
  }

  // Playouts first .. first + kCount - 1, all of one word, of which the first `wanted` count.
  template <std::uint32_t kCount>
  PP_HD static void play_lanes(const PGame::Rules& rules, const PGame::State& leaf,
                               const RandomKey& key, std::uint32_t first, std::uint32_t wanted,
                               Tally& tally) {
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
        std::uint32_t branches[kCount];
        const std::uint32_t first_bits = random.next() >> lane;
#pragma unroll
        for (std::uint32_t l = 0; l < kCount; ++l) branches[l] = first_bits >> l & 1;
#pragma unroll 1
        for (std::uint32_t bit = 1; bit < bits; ++bit) {  // the first one is on top
          const std::uint32_t more_bits = random.next() >> lane;
#pragma unroll
          for (std::uint32_t l = 0; l < kCount; ++l) {
            branches[l] = branches[l] << 1 | (more_bits >> l & 1);
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
    std::uint32_t ahead = 0;  // bit l: playout l, as the side sees it that has moved last
    std::uint32_t behind = 0;
#pragma unroll
    for (std::uint32_t l = 0; l < kCount; ++l) {
      ahead |= std::uint32_t{paths[l].ahead > 0} << l;
      behind |= std::uint32_t{paths[l].ahead < 0} << l;
    }
    const auto some_ahead = static_cast<std::uint32_t>(popcount64(ahead & lane_mask(wanted)));
    const auto some_behind = static_cast<std::uint32_t>(popcount64(behind & lane_mask(wanted)));
    const bool max_next = ((leaf.ply + plies) & 1) == 0;
    tally.wins += max_next ? some_behind : some_ahead;
    tally.losses += max_next ? some_ahead : some_behind;
    tally.draws += wanted - some_ahead - some_behind;
  }

 private:
  static constexpr std::uint32_t kMany = 10;  // lanes: the playouts of the thesis at once
  static constexpr std::uint32_t kFew = 2;    // divides those of a word

  PP_HD static void go(PGamePath& path, std::uint32_t branch) {
    // One golden gamma is the game's, another one mix64()'s.
    path.hash = finish_mix64(path.hash + (branch + 2) * kGoldenGamma);
    path.ahead = PGame::edge(path.hash) - path.ahead;
  }
};

}  // namespace playproof
