// Probability-based proof-number search: Song, van den Herik & Iida 2019; thesis section 5.2.
//   leaf: ppn = R, kept off 0 and 1 by the leaf rule
//   OR:  ppn = 1 - prod (1 - ppn_c)   (5.1 with brackets, E17)      AND:  ppn = prod ppn_c   (5.2)
//   select the unsolved child with the greatest ppn at OR, the least at AND (E20)
#pragma once

#include "kernels/numbers/probability.h"
#include "kernels/schemes/scheme.h"

namespace playproof {

struct Ppn {
  using Label = Probability;
  static constexpr bool kPlayouts = true;
  int playouts = 32;
  WinRateRule rule;

  PP_HD Label proved() const { return Probability::one(); }
  PP_HD Label disproved() const { return Probability::zero(); }
  PP_HD bool needs_mobility() const { return false; }
  PP_HD Label leaf(const Leaf& leaf) const { return Probability::from(rule(leaf)); }
  PP_HD bool possible(const Label& label, const Leaf& /*leaf*/) const {
    return label != Probability::zero() && label != Probability::one();
  }

  template <class Children>
  PP_HD void back_up(bool or_node, const Children& children, Label& ppn) const {
    Probability::AnyOf any;  // AND: all ppn_c = not any (1 - ppn_c)
#pragma unroll 1
    for (int i = 0; i < children.size(); ++i) {
      any.add(children[i].label, !or_node);
    }
    ppn = any.result(!or_node);
  }
  PP_HD bool prefers(bool or_node, const Label& a, const Label& b) const {
    return Probability::precedes(a, b, or_node);
  }
  // Is what the side to move at the parent wins by a at least `share` times what it wins by b?
  PP_HD bool nearly(bool or_node, const Label& a, const Label& b, double share) const {
    const WideDouble factor = WideDouble::from(share);
    return or_node ? !(a.p() < b.p() * factor) : !(a.q() < b.q() * factor);
  }
};

}  // namespace playproof
