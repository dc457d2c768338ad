// Weak proof-number search: Ueda, Hashimoto, Hashimoto & Iida 2008; survey (S2) section 6.1.
//   OR:  pn = min pn_c, dn = max dn_c + k - 1      AND:  pn = max pn_c + k - 1, dn = min dn_c
//   over the k unsolved children (E3): the heaviest counts in full, each other one as 1, so that a
//   position that several of them lead to is not counted as often
//   leaf, selection: as in PN-search
#pragma once

#include <cstdint>

#include "kernels/numbers/proof_number.h"
#include "kernels/schemes/pn.h"

namespace playproof {

struct Wpns {
  using Label = PnLabel;
  static constexpr bool kPlayouts = false;
  Pn pn;

  PP_HD Label proved() const { return pn.proved(); }
  PP_HD Label disproved() const { return pn.disproved(); }
  PP_HD bool needs_mobility() const { return pn.needs_mobility(); }
  PP_HD Label leaf(const Leaf& leaf) const { return pn.leaf(leaf); }
  template <class Children>
  PP_HD void back_up(bool or_node, const Children& children, Label& label) const {
    ProofNumber least = kInfinity;
    ProofNumber most = 0;
    std::uint64_t k = 0;
#pragma unroll 1
    for (int i = 0; i < children.size(); ++i) {
      if (!children[i].open()) continue;
      const Label& c = children[i].label;
      least = lesser(least, or_node ? c.pn : c.dn);
      most = greater(most, or_node ? c.dn : c.pn);
      ++k;
    }
    const ProofNumber heaviest = k == 0 ? 0 : saturated(most + k - 1);
    label = or_node ? Label{least, heaviest} : Label{heaviest, least};
  }
  PP_HD bool prefers(bool or_node, const Label& a, const Label& b) const {
    return pn.prefers(or_node, a, b);
  }
};

}  // namespace playproof
