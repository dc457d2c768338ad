// Proof zones: what a proven win needs (games/core/zoned.h). Where games may be drawn, to win means
// to have what one claims: a win, or no loss.
//
// The claim of a zone. V wins position p with zone Z: cells that hold V's stones or are empty, no
// stone of the loser L. Then V wins every position p' of the same side to move in which the
// V-stones of p inside Z are V's, and the cells of Z that are empty in p are empty or V's. What
// lies outside Z does not matter. Every Z meets all sets of cells by which L might have won, so
// that he has not in any p'. Rules:
//   1  V has won: Zoned<G>::of_finished.
//   2  V moves, and the position after his move is won with Z: so is this one, with Z.
//   3  L moves; replies r are won for V, each with a zone Z_r. A reply outside Z_r leads to a
//      position of which Z_r claims the same as after r, so it needs no proof of its own: only the
//      replies inside all the Z_r, the must-play, are left. Once there are none the position is won
//      with the union of the Z_r. (A reply lies outside its own zone.)
#pragma once

#include <algorithm>
#include <cstddef>
#include <span>
#include <vector>

#include "games/core/cell_set.h"
#include "games/core/zoned.h"
#include "kernels/numbers/bounds.h"
#include "kernels/schemes/claim.h"

namespace playproof {

// Rule 3: few of `zones`, as numbers in ascending order, that together leave no cell of `replies`
// in all of them, with a small union; greedy by replies left out per cell that joins the union,
// then what has become needless goes again. Unspecified if all of them leave one.
template <int W>
std::vector<std::size_t> choose_few(std::span<const CellSet<W>> zones, const CellSet<W>& replies) {
  std::vector<std::size_t> chosen;
  CellSet<W> left = replies;
  CellSet<W> sum;
  while (!left.empty()) {
    std::size_t best = zones.size();
    int gain = 0;
    int cost = 0;
    for (std::size_t i = 0; i < zones.size(); ++i) {
      const int out = (left - zones[i]).size();
      const int in = (zones[i] - sum).size();
      if (out * (cost + 1) <= gain * (in + 1)) continue;
      best = i;
      gain = out;
      cost = in;
    }
    if (best == zones.size()) break;
    chosen.push_back(best);
    left &= zones[best];
    sum |= zones[best];
  }
  // Is chosen[i] needless: do the others still leave nothing?
  const auto needless = [&](std::size_t i) {
    CellSet<W> rest = replies;
    for (std::size_t j = 0; j < chosen.size(); ++j) {
      if (j != i) rest &= zones[chosen[j]];
    }
    return rest.empty();
  };
  for (std::size_t i = chosen.size(); i-- > 0;) {
    if (!needless(i)) continue;
    chosen.erase(chosen.begin() + static_cast<std::ptrdiff_t>(i));
  }
  std::sort(chosen.begin(), chosen.end());
  return chosen;
}

// Their union, and what of `cells` lies in all of them.
template <int W>
struct FewZones {
  CellSet<W> zone;
  CellSet<W> left;
};
template <int W>
FewZones<W> few_zones(std::span<const CellSet<W>> zones, const CellSet<W>& replies,
                      const CellSet<W>& cells) {
  FewZones<W> few{{}, cells};
  for (const std::size_t i : choose_few(zones, replies)) {
    few.zone |= zones[i];
    few.left &= zones[i];
  }
  return few;
}

// What a zone of this player's says of the value for the attacker: that he has it his way with the
// claim. In games without draws that is all there is to say.
template <ZonedGame G>
Bounds bounds_of(const typename G::Rules& rules, Player winner, const Claim& claim) {
  const bool proved = winner == claim.attacker;
  if constexpr (!Zoned<G>::kDraws) return Bounds::exact(proved ? Value{1} : Value{-1});
  const Bounds any = unknown_bounds<G>(rules, claim.attacker);
  return proved ? Bounds::unknown(claim.threshold, any.upper())
                : Bounds::unknown(any.lower(), static_cast<Value>(claim.threshold - 1));
}
// What is said of a position with a zone where rules, probes or children say `bounds`: no more than
// the zone proves, whatever other claim may need them later.
template <class G>
Bounds proved_by_zone(const typename G::Rules& rules, const Bounds& bounds, const Claim& claim) {
  if constexpr (ZonedGame<G>) {
    if constexpr (Zoned<G>::kDraws) {
      if (!bounds.decides(claim.threshold)) return unknown_bounds<G>(rules, claim.attacker);
      const bool proved = bounds.proves(claim.threshold);
      return bounds_of<G>(rules, proved ? claim.attacker : opponent(claim.attacker), claim);
    }
  }
  return bounds;
}

// The rules as searches use them. Tests put broken ones in their place.
template <class G>
struct ZoneRules {
  static Zone<G> finished(const auto& rules, const auto& state, Player winner) {
    return Zoned<G>::of_finished(rules, state, winner);
  }
  // The zone of a won node from that of the child chosen.
  static Zone<G> won(const Zone<G>& child) { return child; }
  // The zone of a lost node from those of its replies: of those that need a proof (`replies`), and
  // what is left of all its empty cells. (The others are captured: host/knowledge/zone_loss.h.)
  static auto lost(std::span<const Zone<G>> zones, const Zone<G>& replies, const Zone<G>& empty) {
    return few_zones(zones, replies, empty);
  }
  // The cells of the board that need no search after a reply with this zone.
  static Zone<G> outside(const Zone<G>& zone, const Zone<G>& board) { return board - zone; }
};

}  // namespace playproof
