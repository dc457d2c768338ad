// Random positions of any game for the tests of playouts.
#pragma once

#include <cstddef>
#include <cstdint>
#include <ostream>
#include <vector>

#include "games/core/random_position.h"
#include "kernels/common/playout.h"
#include "tests/kernels/hex_set_ups.h"

namespace playproof {

// `count` random positions, from the start of the game to its end; where nobody knows how long it
// lasts, to about half of the random games' length.
template <Game G>
std::vector<typename G::State> random_positions(const typename G::Rules& rules, int count,
                                                std::uint64_t seed) {
  std::vector<typename G::State> states;
  int plies = 120;
  if constexpr (AcyclicGame<G>) plies = G::max_plies_left(rules, G::initial(rules));
  for (int i = 0; i < count; ++i) {
    const std::uint64_t game = mix64(seed + static_cast<std::uint64_t>(i));
    states.push_back(random_position<G>(rules, i * plies / count, game));
  }
  return states;
}

// The same; of a game that has positions which no play leads to every other one is such.
template <Game G>
std::vector<typename G::State> any_positions(const typename G::Rules& rules, int count,
                                             std::uint64_t seed) {
  std::vector<typename G::State> states = random_positions<G>(rules, count, seed);
  if constexpr (HasSetUps<G>) {
    for (std::size_t i = 1; i < states.size(); i += 2) {
      states[i] = random_set_up<G>(rules, seed + i);
    }
  }
  return states;
}

template <Game G>
LeafRequest<G> request_of(const typename G::Rules& rules, const typename G::State& state,
                          std::uint32_t first, std::uint32_t playouts, std::uint64_t seed = 1) {
  LeafRequest<G> request;
  request.state = state;
  request.key = {seed, G::key(rules, state)};
  request.first = first;
  request.playouts = playouts;
  return request;
}

inline Tally operator+(const Tally& a, const Tally& b) {
  return {a.wins + b.wins, a.draws + b.draws, a.losses + b.losses, a.truncated + b.truncated};
}

inline std::ostream& operator<<(std::ostream& out, const Tally& tally) {
  return out << tally.wins << " wins, " << tally.draws << " draws, " << tally.losses << " losses, "
             << tally.truncated << " truncated";
}

}  // namespace playproof
