// What one side plays along a line of play.
#pragma once

#include "games/core/game.h"

namespace playproof {

// One side of a line of play: what it plays in the position that the line has reached.
template <Game G>
class Guide {
 public:
  using State = typename G::State;
  virtual ~Guide() = default;
  // A move that holds what was proven; kNoMove if it would need playouts that nobody can play.
  virtual Move move(const State& state) = 0;
  // Somebody plays it in `state`.
  virtual void follow(const State& /*state*/, Move /*move*/) {}
};

}  // namespace playproof
