// Proof zones: what a proven win needs (games/core/connection.h).
//
// The claim of a zone. V wins position p with zone Z: cells that hold V's stones or are empty, no
// stone of the loser L. Then V wins every position p' of the same side to move in which the
// V-stones of p inside Z are V's, and the cells of Z that are empty in p are empty or V's. What
// lies outside Z does not matter. Rules:
//   1  V has won: Z is a winning set (Connection<G>::winning_set).
//   2  V moves, and the position after his move is won with Z: so is this one, with Z.
//   3  L moves; replies r are won for V, each with a zone Z_r. A reply outside Z_r leads to a
//      position of which Z_r claims the same as after r, so it needs no proof of its own: only the
//      replies inside all the Z_r, the must-play, are left. Once there are none the position is won
//      with the union of the Z_r. (A reply lies outside its own zone.)
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "games/core/cell_set.h"

namespace playproof {

// Rule 3: the union of few of `zones` that together leave no cell of `replies` in all of them;
// greedy by replies left out per cell that joins the union, then what has become needless goes
// again. Unspecified if all of them leave one.
template <int W>
CellSet<W> union_of_few(std::span<const CellSet<W>> zones, const CellSet<W>& replies) {
  std::vector<CellSet<W>> chosen;
  CellSet<W> left = replies;
  CellSet<W> sum;
  while (!left.empty()) {
    const CellSet<W>* best = nullptr;
    int gain = 0;
    int cost = 0;
    for (const CellSet<W>& zone : zones) {
      const int out = (left - zone).size();
      const int in = (zone - sum).size();
      if (out * (cost + 1) <= gain * (in + 1)) continue;
      best = &zone;
      gain = out;
      cost = in;
    }
    if (best == nullptr) break;
    chosen.push_back(*best);
    left &= *best;
    sum |= *best;
  }
  // Without chosen[i] the others still leave nothing.
  const auto needless = [&](std::size_t i) {
    CellSet<W> rest = replies;
    for (std::size_t j = 0; j < chosen.size(); ++j) {
      if (j != i) rest &= chosen[j];
    }
    return rest.empty();
  };
  for (std::size_t i = chosen.size(); i-- > 0;) {
    if (!needless(i)) continue;
    chosen.erase(chosen.begin() + static_cast<std::ptrdiff_t>(i));
  }
  CellSet<W> zone;
  for (const CellSet<W>& each : chosen) zone |= each;
  return zone;
}

}  // namespace playproof
