// Proof-number search: Allis, van der Meulen & van den Herik 1994; survey (S2) section 3.2.
//   OR:  pn = min pn_c, dn = sum dn_c      AND:  pn = sum pn_c, dn = min dn_c
//   leaf: pn = dn = 1, or by mobility (S2 section 7.1): OR pn = 1, dn = moves; AND pn = moves,
//   dn = 1; or by quads (kernels/numbers/quad_numbers.h), or from playouts
//   select the child with the least pn at OR, the least dn at AND
#pragma once

#include <cstdint>
#include <span>

#include "kernels/numbers/leaf_numbers.h"
#include "kernels/numbers/phi_delta.h"
#include "kernels/numbers/proof_number.h"
#include "kernels/numbers/quad_numbers.h"
#include "kernels/schemes/scheme.h"

namespace playproof {

struct PnLabel {
  ProofNumber pn = 1;
  ProofNumber dn = 1;
  bool operator==(const PnLabel&) const = default;
};

// What a solved node has, and what a sum is cut to: numbers of 32 bits, or of 64 where leaves may
// begin with large ones.
template <class Number>
inline constexpr Number kSolved = kInfinity;
template <>
inline constexpr PhiDelta kSolved<PhiDelta> = kPhiDeltaInfinity;
template <class Number>
PP_HD Number as_number(std::uint64_t sum) {
  if constexpr (sizeof(Number) == sizeof(PhiDelta)) return capped(sum);
  return saturated(sum);
}

// The MIN/SUM rule over any labels with members pn and dn; shared by the schemes built on PN.
template <class Label, class Children>
PP_HD void back_up_proof_numbers(bool or_node, const Children& children, Label& label) {
  using Number = decltype(label.pn);
  Number least = kSolved<Number>;
  std::uint64_t sum = 0;
  if (or_node) {
#pragma unroll 1
    for (int i = 0; i < children.size(); ++i) {
      const Label& c = children[i].label;
      if (c.pn < least) least = c.pn;
      sum += c.dn;
    }
    label.pn = least;
    label.dn = as_number<Number>(sum);
  } else {
#pragma unroll 1
    for (int i = 0; i < children.size(); ++i) {
      const Label& c = children[i].label;
      if (c.dn < least) least = c.dn;
      sum += c.pn;
    }
    label.dn = least;
    label.pn = as_number<Number>(sum);
  }
}

struct Pn {
  using Label = PnLabel;
  static constexpr bool kPlayouts = false;
  bool mobility = false;
  bool quads = false;  // in games that have them; goes before mobility

  PP_HD Label proved() const { return {0, kInfinity}; }
  PP_HD Label disproved() const { return {kInfinity, 0}; }
  PP_HD bool needs_mobility() const { return mobility || quads; }
  PP_HD Label leaf(const Leaf& leaf) const {
    if (quads) {
      const PhiDeltaPair own = quad_numbers(leaf.mobility, leaf.own_groups, leaf.other_groups);
      const auto phi = static_cast<ProofNumber>(own.phi);
      const auto delta = static_cast<ProofNumber>(own.delta);
      return leaf.or_node ? Label{phi, delta} : Label{delta, phi};
    }
    if (!mobility) return {1, 1};
    const auto moves = static_cast<ProofNumber>(leaf.mobility);
    return leaf.or_node ? Label{1, moves} : Label{moves, 1};
  }
  template <class Children>
  PP_HD void back_up(bool or_node, const Children& children, Label& label) const {
    back_up_proof_numbers(or_node, children, label);
  }
  PP_HD bool prefers(bool or_node, const Label& a, const Label& b) const {
    return or_node ? a.pn < b.pn : a.dn < b.dn;
  }
};

// PN whose leaves begin with numbers from playouts (kernels/numbers/leaf_numbers.h): what df-pn has
// of them, in a tree. phi is pn where the attacker is to move, else dn.
struct PlayoutPnLabel {
  PhiDelta pn = 1;
  PhiDelta dn = 1;
  bool operator==(const PlayoutPnLabel&) const = default;
};

template <class Numbers>
struct PlayoutPnBy {
  using Label = PlayoutPnLabel;
  static constexpr bool kPlayouts = true;
  Numbers numbers;  // with playouts
  int playouts = numbers.playouts();

  // The same scheme where `table` is a copy of table().
  std::span<const PhiDelta> table() const { return numbers.table(); }
  PlayoutPnBy<TalliedNumbers> with_table(const PhiDelta* table) const {
    return {numbers.tallied(table), playouts};
  }

  PP_HD Label proved() const { return {0, kPhiDeltaInfinity}; }
  PP_HD Label disproved() const { return {kPhiDeltaInfinity, 0}; }
  PP_HD bool needs_mobility() const { return true; }  // and the side to move
  PP_HD Label leaf(const Leaf& leaf) const {
    const double wins = leaf.or_node ? leaf.reached : leaf.playouts - leaf.reached;
    return turned(leaf.or_node, numbers(leaf.depth, leaf.mobility, wins));
  }
  bool possible(const Label& label, const Leaf& leaf) const {
    const Label own = leaf.or_node ? label : Label{label.dn, label.pn};
    return numbers.possible(leaf.mobility, {own.pn, own.dn});
  }
  template <class Children>
  PP_HD void back_up(bool or_node, const Children& children, Label& label) const {
    back_up_proof_numbers(or_node, children, label);
  }
  PP_HD bool prefers(bool or_node, const Label& a, const Label& b) const {
    return or_node ? a.pn < b.pn : a.dn < b.dn;
  }

 private:
  PP_HD static Label turned(bool or_node, const PhiDeltaPair& own) {
    return or_node ? Label{own.phi, own.delta} : Label{own.delta, own.phi};
  }
};
using PlayoutPn = PlayoutPnBy<LeafNumbers>;

// PN with ties broken towards the deepest most-proving node (S0 section 3.1): a label also knows
// how deep below the root its most-proving node lies.
template <class Number>
struct DeepestLabel {
  Number pn = 1;
  Number dn = 1;
  std::uint32_t depth = 0;
  bool operator==(const DeepestLabel&) const = default;
  PP_HD DeepestLabel members() const { return {pn, dn, depth}; }  // without what is after them
};

template <Scheme Base>
struct Deepest {
  using Label = DeepestLabel<decltype(Base::Label::pn)>;
  static constexpr bool kPlayouts = Base::kPlayouts;
  Base pn;
  int playouts = playouts_of(pn);

  std::span<const PhiDelta> table() const requires requires { pn.table(); }
  { return pn.table(); }
  auto with_table(const PhiDelta* table) const requires requires { pn.table(); }
  { return Deepest<decltype(pn.with_table(table))>{pn.with_table(table), playouts}; }

  PP_HD Label proved() const { return {0, kSolved<decltype(Label::pn)>, 0}; }
  PP_HD Label disproved() const { return {kSolved<decltype(Label::pn)>, 0, 0}; }
  PP_HD bool needs_mobility() const { return pn.needs_mobility(); }
  PP_HD Label leaf(const Leaf& leaf) const {
    const auto numbers = pn.leaf(leaf);
    return {numbers.pn, numbers.dn, leaf.depth};
  }
  PP_HD bool possible(const Label& label, const Leaf& leaf) const {
    return label.depth == leaf.depth && pn.possible({label.pn, label.dn}, leaf);
  }
  template <class Children>
  PP_HD void back_up(bool or_node, const Children& children, Label& label) const {
    back_up_proof_numbers(or_node, children, label);
    // Those that wait for playouts count, too: who waits changes without an update.
    int best = -1;
#pragma unroll 1
    for (int i = 0; i < children.size(); ++i) {
      if (children[i].decided) continue;
      if (best < 0 || prefers(or_node, children[i].label, children[best].label)) best = i;
    }
    if (best >= 0) label.depth = children[best].label.depth;
  }
  PP_HD bool prefers(bool or_node, const Label& a, const Label& b) const {
    const auto x = or_node ? a.pn : a.dn;
    const auto y = or_node ? b.pn : b.dn;
    return x != y ? x < y : a.depth > b.depth;
  }

 private:
  static int playouts_of(const Base& scheme) {
    if constexpr (Base::kPlayouts) return scheme.playouts;
    return 0;
  }
};
using DeepestPn = Deepest<Pn>;

}  // namespace playproof
