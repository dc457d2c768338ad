// DeepPN: Ishitobi, Plaat, Iida & van den Herik 2015 (S0), formulas (1) to (4); thesis (2.3).
//   leaf: deep = 1/depth (the root leaf: 1);  pn, dn as in PN-search
//   DPN(n) = (1 - 1/delta) R + deep (1 - R)          norm = inv   (S0 (3))
//   DPN(n) = (1 - 1/(delta + 1)) R + deep (1 - R)    norm = inv1  (thesis (2.3); E34)
//   select the unsolved child with the least DPN; a node inherits deep from that child
// delta is the number that the parent minimises: the child's pn at OR, its dn at AND.
#pragma once

#include <array>
#include <cstdint>

#include "kernels/numbers/proof_number.h"
#include "kernels/schemes/pn.h"

namespace playproof {

struct DeepPnLabel {
  ProofNumber pn = 1;
  ProofNumber dn = 1;
  std::uint32_t leaf_depth = 1;  // deep = 1 / leaf_depth
  bool operator==(const DeepPnLabel&) const = default;
};

// 1 / n, n >= 1: small n from a table, since DPN asks for two a child. (A device divides: the same
// bits, and tables of a thread would be in memory.)
PP_HD inline double reciprocal(std::uint64_t n) {
#if defined(__CUDA_ARCH__)
  return 1.0 / static_cast<double>(n);
#else
  static constexpr auto kTable = [] {
    std::array<double, 1024> table{};
    for (std::size_t i = 1; i < table.size(); ++i) table[i] = 1.0 / static_cast<double>(i);
    return table;
  }();
  return n < kTable.size() ? kTable[n] : 1.0 / static_cast<double>(n);
#endif
}

struct DeepPn {
  using Label = DeepPnLabel;
  static constexpr bool kPlayouts = false;
  double R = 0.65;
  bool inv1 = false;

  PP_HD Label proved() const { return {0, kInfinity, 1}; }
  PP_HD Label disproved() const { return {kInfinity, 0, 1}; }
  PP_HD bool needs_mobility() const { return false; }
  PP_HD Label leaf(const Leaf& leaf) const { return {1, 1, leaf.depth == 0 ? 1 : leaf.depth}; }

  PP_HD double dpn(bool or_node, const Label& n) const {
    const std::uint64_t delta = or_node ? n.pn : n.dn;
    const double deep = reciprocal(n.leaf_depth);
    return (1 - reciprocal(inv1 ? delta + 1 : delta)) * R + deep * (1 - R);
  }
  template <class Children>
  PP_HD void back_up(bool or_node, const Children& children, Label& label) const {
    back_up_proof_numbers(or_node, children, label);
    const int best = best_open_child(*this, or_node, children);
    if (best >= 0) label.leaf_depth = children[best].label.leaf_depth;
  }
  // The engine's search of a minimum asks for this: one DPN a child.
  PP_HD double cost(bool or_node, const Label& n) const { return dpn(or_node, n); }
  PP_HD bool prefers(bool or_node, const Label& a, const Label& b) const {
    return dpn(or_node, a) < dpn(or_node, b);
  }
};

}  // namespace playproof
