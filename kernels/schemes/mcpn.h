// Monte-Carlo proof-number search: Saito, Chaslot, Uiterwijk & van den Herik 2006; thesis 5.3.1.
//   leaf: pn = 1 - R, dn = R, kept off 0 and 1 by the leaf rule (R = 0: pn = 1 - theta, dn = theta;
//   the thesis prints the case R = 1 twice, E15)
//   MIN/SUM back-up and selection as in PN-search (E16)
#pragma once

#include <limits>

#include "kernels/schemes/scheme.h"

namespace playproof {

struct McpnLabel {
  double pn = 0.5;
  double dn = 0.5;
  bool operator==(const McpnLabel&) const = default;
};

struct Mcpn {
  using Label = McpnLabel;
  static constexpr bool kPlayouts = true;
  static constexpr double kInf = std::numeric_limits<double>::infinity();
  int playouts = 10;
  WinRateRule rule;

  PP_HD Label proved() const { return {0, kInf}; }
  PP_HD Label disproved() const { return {kInf, 0}; }
  PP_HD bool needs_mobility() const { return false; }
  PP_HD Label leaf(const Leaf& leaf) const {
    const double rate = rule(leaf);
    return {1 - rate, rate};
  }
  PP_HD bool possible(const Label& label, const Leaf& /*leaf*/) const {
    return label.dn > 0 && label.dn < 1 && label.pn == 1 - label.dn;
  }
  template <class Children>
  PP_HD void back_up(bool or_node, const Children& children, Label& label) const {
    double least = kInf;
    double sum = 0;
#pragma unroll 1
    for (int i = 0; i < children.size(); ++i) {
      const Label& c = children[i].label;
      const double minimised = or_node ? c.pn : c.dn;
      if (minimised < least) least = minimised;
      sum += or_node ? c.dn : c.pn;
    }
    label = or_node ? Label{least, sum} : Label{sum, least};
  }
  PP_HD bool prefers(bool or_node, const Label& a, const Label& b) const {
    return or_node ? a.pn < b.pn : a.dn < b.dn;
  }
};

}  // namespace playproof
