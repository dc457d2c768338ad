// How long a path may be; where a line of play ends: with the game, or where a position comes
// again.
#pragma once

#include <cstdint>

#include "games/core/game.h"
#include "host/path/path.h"

namespace playproof {

// No path of a search is longer than so many plies: where positions can come again, no bound that
// is the game's.
template <Game G>
constexpr std::uint32_t most_plies() {
  if constexpr (AcyclicGame<G>) {
    return static_cast<std::uint32_t>(G::kMaxPlies);
  } else {
    return 0x7fffffffu;
  }
}

template <Game G>
class LineEnd {
 public:
  explicit LineEnd(const typename G::Rules& rules) : rules_(rules) {}
  // Asked of its positions, one after the other.
  bool at(const typename G::State& state) {
    if (G::finished(rules_, state) || met_.find(state) != Path<G>::kNowhere) return true;
    met_.push(state);
    return false;
  }

 private:
  typename G::Rules rules_;
  Path<G> met_;
};
template <AcyclicGame G>
class LineEnd<G> {
 public:
  explicit LineEnd(const typename G::Rules& rules) : rules_(rules) {}
  bool at(const typename G::State& state) const { return G::finished(rules_, state); }

 private:
  typename G::Rules rules_;
};

}  // namespace playproof
