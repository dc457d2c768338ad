// Proof-number search: Allis, van der Meulen & van den Herik 1994; survey (S2) section 3.2.
//   OR:  pn = min pn_c, dn = sum dn_c      AND:  pn = sum pn_c, dn = min dn_c
//   leaf: pn = dn = 1, or by mobility (S2 section 7.1): OR pn = 1, dn = moves; AND pn = moves, dn =
//   1 select the child with the least pn at OR, the least dn at AND
#pragma once

#include <string>

#include "host/proof_number.h"
#include "host/scheme.h"

namespace playproof {

struct PnLabel {
  ProofNumber pn = 1;
  ProofNumber dn = 1;
  bool operator==(const PnLabel&) const = default;
};

// The MIN/SUM rule over any labels with members pn and dn; shared by the schemes built on PN.
template <class Label, class Children>
void back_up_proof_numbers(bool or_node, const Children& children, Label& label) {
  ProofNumber least = kInfinity;
  std::uint64_t sum = 0;
  if (or_node) {
    for (int i = 0; i < children.size(); ++i) {
      const Label& c = children[i].label;
      if (c.pn < least) least = c.pn;
      sum += c.dn;
    }
    label.pn = least;
    label.dn = saturated(sum);
  } else {
    for (int i = 0; i < children.size(); ++i) {
      const Label& c = children[i].label;
      if (c.dn < least) least = c.dn;
      sum += c.pn;
    }
    label.dn = least;
    label.pn = saturated(sum);
  }
}

struct Pn {
  using Label = PnLabel;
  static constexpr bool kPlayouts = false;
  bool mobility = false;

  Label proved() const { return {0, kInfinity}; }
  Label disproved() const { return {kInfinity, 0}; }
  bool needs_mobility() const { return mobility; }
  Label leaf(const Leaf& leaf) const {
    if (!mobility) return {1, 1};
    const auto moves = static_cast<ProofNumber>(leaf.mobility);
    return leaf.or_node ? Label{1, moves} : Label{moves, 1};
  }
  template <class Children>
  void back_up(bool or_node, const Children& children, Label& label) const {
    back_up_proof_numbers(or_node, children, label);
  }
  bool prefers(bool or_node, const Label& a, const Label& b) const {
    return or_node ? a.pn < b.pn : a.dn < b.dn;
  }
};

// PN with ties broken towards the deepest most-proving node (S0 section 3.1): a label also knows
// how deep below the root its most-proving node lies.
struct DeepestPnLabel {
  ProofNumber pn = 1;
  ProofNumber dn = 1;
  std::uint32_t depth = 0;
  bool operator==(const DeepestPnLabel&) const = default;
};

struct DeepestPn {
  using Label = DeepestPnLabel;
  static constexpr bool kPlayouts = false;
  Pn pn;

  Label proved() const { return {0, kInfinity, 0}; }
  Label disproved() const { return {kInfinity, 0, 0}; }
  bool needs_mobility() const { return pn.mobility; }
  Label leaf(const Leaf& leaf) const {
    const PnLabel numbers = pn.leaf(leaf);
    return {numbers.pn, numbers.dn, leaf.depth};
  }
  template <class Children>
  void back_up(bool or_node, const Children& children, Label& label) const {
    back_up_proof_numbers(or_node, children, label);
    const int best = best_open_child(*this, or_node, children);
    if (best >= 0) label.depth = children[best].label.depth;
  }
  bool prefers(bool or_node, const Label& a, const Label& b) const {
    const ProofNumber x = or_node ? a.pn : a.dn;
    const ProofNumber y = or_node ? b.pn : b.dn;
    return x != y ? x < y : a.depth > b.depth;
  }
};

}  // namespace playproof
