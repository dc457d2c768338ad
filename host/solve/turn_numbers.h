// The numbers of a proof search on turns (games/connect/rzop.h), by the formulas of the searches of
// other games. A position where the attacker is to move is an OR node, one after a turn of his an
// AND node; depths count turns.
//
// Replies of a turn that wait, in whatever number, count as one leaf that is not there yet. Beside
// open ones nobody goes there: it costs the attacker 1 (0 where leaves have 0), and the other side
// hopes for nothing from it. Without open ones it is what is tried next.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>

#include "games/connect/rzop_options.h"
#include "host/table/thresholds.h"
#include "kernels/numbers/leaf_numbers.h"
#include "kernels/schemes/pn.h"
#include "kernels/schemes/scheme.h"

namespace playproof {

// Best-first, by the labels of a scheme (kernels/schemes/scheme.h).
template <Scheme S>
struct TurnScheme {
  using Label = typename S::Label;
  struct Threshold {};

  S scheme{};

  int playouts() const {
    if constexpr (S::kPlayouts) return scheme.playouts;
    return 0;
  }
  Label won() const { return scheme.proved(); }
  Label failed() const { return scheme.disproved(); }
  static constexpr bool needs_windows() { return false; }
  Label first(int depth, const TurnLeafValue& value) const {
    Leaf leaf;
    leaf.depth = static_cast<std::uint32_t>(depth);
    leaf.playouts = playouts();
    leaf.reached = value.own;
    return scheme.leaf(leaf);
  }
  Label waiting(const Label& first, bool beside) const {
    Label label = first;
    if constexpr (requires { label.dn; }) {
      if (beside) label.dn = scheme.disproved().pn;
    }
    return label;
  }
  template <class Children>
  Label back_up(bool attacks, const Children& children) const {
    // Replies that all wait are no open child that a scheme would look at, but the leaf that is
    // next.
    if (children.size() == 1 && !children[0].open()) return children[0].label;
    Label label{};
    scheme.back_up(attacks, children, label);
    return label;
  }
  template <class Children>
  int choose(bool attacks, const Children& children, int /*last*/) const {
    return best_open_child(scheme, attacks, children);
  }

  static constexpr bool has_thresholds() { return false; }
  Threshold of_root() const { return {}; }
  Threshold of_root_again(const Label& /*label*/) const { return {}; }
  bool met(const Threshold& /*threshold*/, bool /*attacks*/, const Label& /*label*/) const {
    return true;
  }
  template <class Children>
  Threshold of_child(const Threshold& /*threshold*/, bool /*attacks*/, const Label& /*label*/,
                     const Children& /*children*/, int /*chosen*/) const {
    return {};
  }
};

// Proof and disproof numbers with any first numbers: best-first, or with the thresholds of df-pn
// and its family (host/table/thresholds.h). These then search as they do with a table that loses
// nothing.
struct TurnProofNumbers {
  using Label = PlayoutPnLabel;
  using Threshold = PhiDeltaPair;

  LeafNumbers leaf;                        // unit, deep, of playouts or of windows
  std::optional<ThresholdRule> rule = {};  // none: best-first
  bool stays = false;                      // best-first: the child that was chosen last on ties

  int playouts() const { return leaf.playouts(); }
  Label won() const { return {0, kPhiDeltaInfinity}; }
  Label failed() const { return {kPhiDeltaInfinity, 0}; }
  bool needs_windows() const { return leaf.needs_windows(); }
  Label first(int depth, const TurnLeafValue& value) const {
    const PhiDeltaPair own =
        leaf.needs_windows()
            ? leaf.of_values(static_cast<int>(value.own), static_cast<int>(value.other))
            : leaf(static_cast<std::uint32_t>(depth), 1, value.own);
    return {own.phi, own.delta};
  }
  Label waiting(const Label& first, bool beside) const {
    return {std::min<PhiDelta>(first.pn, 1), beside ? kPhiDeltaInfinity : first.dn};
  }
  template <class Children>
  Label back_up(bool attacks, const Children& children) const {
    Label label;
    back_up_proof_numbers(attacks, children, label);
    return {capped(label.pn), capped(label.dn)};
  }
  template <class Children>
  int choose(bool attacks, const Children& children, int last) const {
    const int held = rule || stays ? last : -1;
    if (rule && rule->by_proof_number(attacks)) return hardest_to_prove(children, held);
    return best_open_child(Pn64{}, attacks, children, held);
  }

  bool has_thresholds() const { return rule.has_value(); }
  Threshold of_root() const { return rule ? rule->of_root() : Threshold{}; }
  Threshold of_root_again(const Label& label) const {
    return rule ? rule->of_root_again(own(true, label)) : Threshold{};
  }
  bool met(const Threshold& threshold, bool attacks, const Label& label) const {
    return rule->met(threshold, own(attacks, label));
  }
  template <class Children>
  Threshold of_child(const Threshold& threshold, bool attacks, const Label& label,
                     const Children& children, int chosen) const {
    if (!rule) return {};
    Choice choice{.node = own(attacks, label),
                  .child = own(!attacks, children[chosen].label),
                  .attackers = attacks};
    for (int i = 0; i < children.size(); ++i) {
      if (i == chosen || !children[i].open()) continue;
      choice.second = std::min(choice.second, own(!attacks, children[i].label).delta);
    }
    return rule->of_child(threshold, choice);
  }

 private:
  struct Pn64 {
    static bool prefers(bool attacks, const Label& a, const Label& b) {
      return attacks ? a.pn < b.pn : a.dn < b.dn;
    }
  };
  // Numbers as the side to move there sees them.
  static PhiDeltaPair own(bool attacks, const Label& label) {
    return attacks ? PhiDeltaPair{label.pn, label.dn} : PhiDeltaPair{label.dn, label.pn};
  }
  template <class Children>
  static int hardest_to_prove(const Children& children, int held) {
    int best = held;
    for (int i = 0; i < children.size(); ++i) {
      if (!children[i].open()) continue;
      if (best < 0 || children[i].label.pn > children[best].label.pn) best = i;
    }
    return best;
  }
};

}  // namespace playproof
