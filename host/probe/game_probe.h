// The probe that is a search of the game's own: its exact ending, its wins by threats, or within a
// few plies. Of games with none of them it takes nothing, and costs nothing.
#pragma once

#include "games/core/ending.h"
#include "games/core/look.h"
#include "games/core/race.h"
#include "host/probe/endings.h"
#include "host/probe/looks.h"
#include "host/probe/races.h"

namespace playproof {

template <Game G>
struct GameProbeOf {
  using Type = EndingProbe<G>;
};
template <Game G>
requires HasRaces<G>
struct GameProbeOf<G> {
  static_assert(!HasEnding<G>);
  using Type = RaceProbe<G>;
};
template <Game G>
requires HasLooks<G>
struct GameProbeOf<G> {
  static_assert(!HasEnding<G>);
  using Type = LookProbe<G>;
};
template <Game G>
using GameProbe = typename GameProbeOf<G>::Type;

}  // namespace playproof
