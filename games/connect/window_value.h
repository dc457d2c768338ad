// What a side's live windows are worth: ten for each that lacks three stones and one for each that
// lacks four (10 n3 + n2, by the stones that are there with six in a row). Of such windows wins by
// double threats are made; how well it tells positions that are won from others: docs/numbers.md.
// An estimate: nothing rests on it.
#pragma once

#include "games/connect/threats.h"

namespace playproof {

template <int W>
int window_value(const ConnectThreats<W>& position, int player) {
  const auto live = [&](int missing) {
    return position.live(player, position.windows().rules.connect - missing).size();
  };
  return 10 * live(3) + live(4);
}

}  // namespace playproof
