// The rule of lost positions, 3 of host/zone/zone.h, with cells that the winner has captured
// (games/hex/fill.h): a reply in one of these needs no proof of its own, since he answers it in the
// cell beside it. So of all replies those are left that are captured; the zone is the union of the
// zones used, with what the captured cells rest on. The one place where searches and checks have
// it.
#pragma once

#include <span>

#include "games/core/connection.h"
#include "host/zone/zone.h"

namespace playproof {

// The zone of a lost position. `zones`: of lost replies and of threats. `empty`: its empty cells,
// `left_out` those of them that need no proof. captured(cells) -> what these rest on.
template <ZonedGame G>
Zone<G> zone_of_loss(std::span<const Zone<G>> zones, const Zone<G>& empty, const Zone<G>& left_out,
                     auto&& captured) {
  const auto few = ZoneRules<G>::lost(zones, empty - left_out, empty);
  return few.left.empty() ? few.zone : few.zone | captured(few.left);
}
// The same where nothing is captured.
template <ZonedGame G>
Zone<G> zone_of_loss(std::span<const Zone<G>> zones, const Zone<G>& empty) {
  return ZoneRules<G>::lost(zones, empty, empty).zone;
}
// Does a zone follow so from others?
template <ZonedGame G>
bool follows_from(std::span<const Zone<G>> zones, const Zone<G>& empty, const Zone<G>& left_out,
                  const Zone<G>& zone, auto&& captured) {
  Zone<G> left = empty;
  for (const Zone<G>& one : zones) {
    if (one.within(zone)) left &= one;
  }
  return (left - left_out).empty() && captured(left).within(zone);
}

}  // namespace playproof
