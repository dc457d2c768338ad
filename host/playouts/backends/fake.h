// `fake`: no playouts, to time the search alone.
#pragma once

#include <bit>
#include <cstdint>
#include <memory>

#include "host/playouts/backend.h"
#include "host/playouts/function.h"

namespace playproof {

// Numbers that look like the tallies of a game without draws: they depend on seed, stream and the
// playouts asked for alone, also when a request is split. The win rate differs from leaf to leaf.
template <class G>
Tally fake_playouts(const typename G::Rules&, const LeafRequest<G>& request) {
  const std::uint64_t leaf = mix64(request.key.seed ^ mix64(request.key.stream));
  Tally tally;
  for_each_word(request.first, request.playouts, [&](std::uint32_t word, std::uint32_t lanes) {
    const std::uint64_t random = mix64(leaf + (word + std::uint64_t{1}) * kGoldenGamma);
    const auto a = static_cast<std::uint32_t>(random);
    const auto b = static_cast<std::uint32_t>(random >> 32);
    const std::uint32_t wins = leaf % 3 == 0 ? a & b : leaf % 3 == 1 ? a : a | b;
    tally.wins += static_cast<std::uint32_t>(std::popcount(wins & lane_mask(lanes)));
  });
  tally.losses = request.playouts - tally.wins;
  return tally;
}

struct FakeBackend {
  static BackendInfo info() {
    BackendInfo info{
        {"fake", "no playouts: numbers that look like tallies, to time the search alone", {}},
        "fake"};
    info.plays = false;
    return info;
  }
  template <Game G>
  static std::unique_ptr<PlayoutEvaluator<G>> make(const BackendParts<G>& parts) {
    return make_function_evaluator(parts, {"fake", one_by_one<G>(fake_playouts<G>), 0.01, 10});
  }
};

}  // namespace playproof
