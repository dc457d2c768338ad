// Moves that cannot be taken back, in games whose positions can come again: after a conversion
// (Schijf, Allis and Uiterwijk 1994) no position that was before can come any more. A game that can
// tell has a Conversions<G> of its own; of others no move is known to be one.
#pragma once

#include "games/core/game.h"

namespace playproof {

template <Game G>
class Conversions {
 public:
  explicit Conversions(const typename G::Rules& /*rules*/) {}
  bool converts(const typename G::State& /*from*/, const typename G::State& /*to*/) const {
    return false;
  }
};

}  // namespace playproof
