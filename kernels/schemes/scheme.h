// What a scheme of the best-first engine offers. A scheme is the few formulas in which PN, DeepPN,
// MCPN, PPN and EWS differ; the engine (host/tree/best_first.h) does the rest.
#pragma once

#include <concepts>
#include <cstdint>
#include <type_traits>

#include "kernels/common/playout.h"

namespace playproof {

// Where a leaf stands, and for schemes with playouts what they found.
struct Leaf {
  bool or_node = true;      // the attacker is to move
  std::uint32_t depth = 0;  // plies below the root
  int mobility = 0;         // legal moves
  int own_groups = 1;       // by quads (games/core/quads.h), of who is to move; where there are any
  int other_groups = 1;     // of the other side
  int plies_left = 0;       // at most
  double reached = 0;       // playouts in which the attacker reached the goal
  double playouts = 0;
};

// Children as back_up() sees them: size(), and of each its label, whether it is decided, and
// whether it is open.
// Loops over them are not unrolled on a device: of few children, as of most, that is passed by.
template <class Label>
struct AnyChildren {
  struct Child {
    Label label;
    bool decided;
    bool open() const;
  };
  int size() const;
  Child operator[](int i) const;
};

// clang-format off
template <class S>
concept Scheme = requires(const S& scheme, const Leaf& leaf, bool or_node,
                          const typename S::Label& a, const typename S::Label& b,
                          typename S::Label& label, const AnyChildren<typename S::Label>& children) {
  // The numbers of a node.
  requires std::is_trivially_copyable_v<typename S::Label>;
  { a == b } -> std::convertible_to<bool>;
  // Are leaves evaluated by playouts? Then `playouts` says how many.
  { S::kPlayouts } -> std::convertible_to<bool>;
  requires !S::kPlayouts || requires { { scheme.playouts } -> std::convertible_to<int>; };
  // The labels of nodes whose bounds decide the goal.
  { scheme.proved() } -> std::same_as<typename S::Label>;
  { scheme.disproved() } -> std::same_as<typename S::Label>;
  // Must Leaf::or_node, mobility, groups and plies_left be filled in?
  { scheme.needs_mobility() } -> std::same_as<bool>;
  // The label of an unsolved leaf.
  { scheme.leaf(leaf) } -> std::same_as<typename S::Label>;
  // Could leaf() say that, whatever its playouts find?
  requires !S::kPlayouts || requires { { scheme.possible(a, leaf) } -> std::same_as<bool>; };
  // The label of an unsolved expanded node, from its children.
  { scheme.back_up(or_node, children, label) };
  // Select a rather than b; neither on a tie. A strict order.
  { scheme.prefers(or_node, a, b) } -> std::same_as<bool>;
};

// A scheme whose preference is the lesser of two numbers may say so: prefers(o, a, b) is
// cost(o, a) < cost(o, b); then each child costs one computation instead of two a comparison.
template <class S>
concept HasCost = requires(const S& scheme, bool or_node, const typename S::Label& label) {
  { scheme.cost(or_node, label) } -> std::same_as<double>;
};
// clang-format on

// The open child that no other is preferred to, the first such on ties; -1 if none is open.
// `held` >= 0 is the index of an open child that wins ties.
template <class S, class Children>
PP_HD int best_open_child(const S& scheme, bool or_node, const Children& children, int held = -1) {
  int best = held;
  if constexpr (HasCost<S>) {
    double least = held < 0 ? 0 : scheme.cost(or_node, children[held].label);
#pragma unroll 1
    for (int i = 0; i < children.size(); ++i) {
      if (!children[i].open()) continue;
      const double cost = scheme.cost(or_node, children[i].label);
      if (best >= 0 && !(cost < least)) continue;
      best = i;
      least = cost;
    }
  } else {
    std::remove_cvref_t<decltype(children[0].label)> of_best{};
    if (held >= 0) of_best = children[held].label;
#pragma unroll 1
    for (int i = 0; i < children.size(); ++i) {
      const auto& child = children[i];
      if (!child.open()) continue;
      if (best >= 0 && !scheme.prefers(or_node, child.label, of_best)) continue;
      best = i;
      of_best = child.label;
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

  PP_HD double operator()(const Leaf& leaf) const {
    if (beta) return (leaf.reached + 0.5) / (leaf.playouts + 1);
    const double rate = leaf.reached / leaf.playouts;
    return rate < theta ? theta : rate > 1 - theta ? 1 - theta : rate;
  }
};

}  // namespace playproof
