// First numbers of a leaf in depth-first search. n: legal moves of the leaf; R: the share of
// playouts that the side to move wins, smoothed: (w + 1/2) / (playouts + 1).
//   unit        phi = 1, delta = 1
//   mobility    phi = 1, delta = n           one more ply of unit (survey S2 section 7.1)
//   playouts    phi = A^(1 - R), delta = A^R
//   both        phi = A^(1 - R), delta = A^R n
//   deep        phi = delta = E^(D - depth) above depth D, else 1 (thesis 3.2, formula of Deep
//               df-pn; capped, E23)
#pragma once

#include <cstdint>
#include <vector>

#include "host/phi_delta.h"

namespace playproof {

// x^y for x >= 1 and 0 <= y <= 1, the same bits on every machine: square roots and products only.
double power(double x, double y);

class LeafNumbers {
 public:
  static LeafNumbers unit() { return {}; }
  static LeafNumbers mobility();
  // base >= 1: A. playouts >= 1.
  static LeafNumbers from_playouts(int playouts, double base, bool times_mobility);
  // base >= 0: E; depth: D. E = 0 is depth-first search: unknown leaves have 0 (E22).
  static LeafNumbers deep(std::uint64_t base, std::uint32_t depth);

  int playouts() const { return playouts_; }  // a leaf; 0: none
  bool needs_mobility() const { return mobility_; }

  // depth: plies below the root. wins: playouts that the side to move won.
  PhiDeltaPair operator()(std::uint32_t depth, int moves, double wins) const;

 private:
  int playouts_ = 0;
  bool mobility_ = false;
  bool deep_ = false;
  std::vector<PhiDelta> powers_;  // playouts: of 2 w + 1 = 1 .. 2 playouts + 1; deep: of E
};

}  // namespace playproof
