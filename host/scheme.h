// What a scheme of the best-first engine offers. A scheme is the few formulas in which PN, DeepPN,
// MCPN and PPN differ; the engine (host/best_first.h) does the rest.
//
//   struct Scheme {
//     using Label = ...;                          the numbers of a node; trivially copyable, ==
//     static constexpr bool kPlayouts;            leaves are evaluated by playouts
//     int playouts;                               (if kPlayouts) a leaf
//     Label proved() const, disproved() const;    of a node whose bounds decide the goal
//     bool needs_mobility() const;                Leaf::mobility and or_node must be filled in
//     Label leaf(const Leaf&) const;              of an unsolved leaf
//     bool possible(const Label&, const Leaf&) const;   (if kPlayouts) could leaf() say that,
//                                                 whatever its playouts find?
//     void back_up(bool or_node, children, Label&) const;   of an unsolved expanded node
//     bool prefers(bool or_node, const Label& a, const Label& b) const;
//   };                                            select a rather than b; neither on a tie
// A scheme whose preference is the lesser of two numbers may say so: prefers(o, a, b) is
// cost(o, a) < cost(o, b); then each child costs one computation instead of two a comparison.
//     double cost(bool or_node, const Label&) const;
#pragma once

#include <cstdint>

#include "kernels/playout.h"

namespace playproof {

// Where a leaf stands, and for schemes with playouts what they found.
struct Leaf {
  bool or_node = true;      // the attacker is to move
  std::uint32_t depth = 0;  // plies below the root
  int mobility = 0;         // legal moves
  double reached = 0;       // playouts in which the attacker reached the goal
  double playouts = 0;
};

// The open child that no other is preferred to, the first such on ties; -1 if none is open.
// `held` >= 0 is the index of an open child that wins ties.
template <class Scheme, class Children>
int best_open_child(const Scheme& scheme, bool or_node, const Children& children, int held = -1) {
  int best = held;
  if constexpr (requires { scheme.cost(or_node, children[0].label); }) {
    double least = held < 0 ? 0 : scheme.cost(or_node, children[held].label);
    for (int i = 0; i < children.size(); ++i) {
      if (!children[i].open()) continue;
      const double cost = scheme.cost(or_node, children[i].label);
      if (best >= 0 && !(cost < least)) continue;
      best = i;
      least = cost;
    }
  } else {
    for (int i = 0; i < children.size(); ++i) {
      if (!children[i].open()) continue;
      if (best < 0 || scheme.prefers(or_node, children[i].label, children[best].label)) best = i;
    }
  }
  return best;
}

// The leaf rules of MCPN and PPN: an estimate that is never 0 or 1. R is the share of playouts that
// reach the goal. clamp: min(1 - theta, max(theta, R)) (thesis 5.2.2 with E15, E18); beta: the mean
// (w + 1/2) / (n + 1) of the posterior.
struct WinRateRule {
  bool beta = false;
  double theta = 0;  // clamp: 0 < theta < 1/(2n)

  double operator()(const Leaf& leaf) const {
    if (beta) return (leaf.reached + 0.5) / (leaf.playouts + 1);
    const double rate = leaf.reached / leaf.playouts;
    return rate < theta ? theta : rate > 1 - theta ? 1 - theta : rate;
  }
};

}  // namespace playproof
