// Threshold rules of depth-first search: how far a child is searched before its parent looks again.
// Numbers are those of the side to move; n is the node, c its children, c1 the one with the least
// delta, d2 the second least delta (survey S2 sections 4 and 7.3):
//   phi(n) = min delta(c), delta(n) = sum phi(c)
//
// df-pn (Nagai 2002) leaves n when one number has reached its threshold, and calls c1 with
//     th_phi = th_delta(n) - delta(n) + phi(c1)
//     th_delta = min(th_phi(n), beyond(d2))
//   df-pn            beyond(d2) = d2 + 1
//   constant         d2 + increment (Nagai)
//   average          d2 + mean of the first deltas of the children that were open when n was
//                    entered (Kishimoto and Mueller); those in the table count with what they had
//                    as leaves
//   1 + epsilon      max(d2 + 1, ceil(d2 (1 + epsilon))) (Pawlewicz and Lew; E26)
// PDS (Nagai 1998) leaves n when both numbers have reached their thresholds, and calls c1 with its
// own numbers, one of them raised by 1:
//   deepen=parent    that which raises the lesser of phi(n) and delta(n), or the other if the
//                    lesser has reached its threshold
//   deepen=child     the lesser of phi(c1) and delta(c1): Nagai's rule as van den Herik and Winands
//                    summarise it
// PN* (Seo, Iida and Uiterwijk 2001) has a threshold for the proof number alone (E6). Where the
// attacker moves it does as df-pn; where the opponent moves, all children are to be proven, so it
// takes the open child with the greatest proof number, which is phi there, and stays with it until
// that is solved or the sum reaches the threshold.
// df-pn has no thresholds at the root; PDS and PN* begin with 1 and deepen whenever the root is
// left unsolved: PDS the lesser number by 1, PN* to one more than the proof number.
// Alpha-beta has none: c1 is searched until it is decided. Of two values alone, reached or not,
// that is what it does (Knuth and Moore 1975): the window is open or empty, and the first move that
// reaches what its side wants cuts off the others. Numbers say only which move comes first.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "kernels/numbers/phi_delta.h"

namespace playproof {

// What a node knows when it goes on with a child.
struct Choice {
  PhiDeltaPair node;                    // phi(n), delta(n)
  PhiDeltaPair child;                   // phi(c1), delta(c1)
  PhiDelta second = kPhiDeltaInfinity;  // d2
  PhiDelta average = 1;                 // of the open children's first deltas, rounded down
  bool attackers = true;                // the attacker is to move in n
};

struct ThresholdRule {
  enum class Kind : std::uint8_t { kConstant, kAverage, kEpsilon, kPds, kPnStar, kNone };
  Kind kind = Kind::kConstant;
  PhiDelta increment = 1;  // kConstant
  double epsilon = 0;      // kEpsilon
  bool by_child = false;   // kPds: deepen=child

  bool needs_average() const { return kind == Kind::kAverage; }
  // Are children chosen by their phi, and not by delta?
  bool by_proof_number(bool attackers) const { return kind == Kind::kPnStar && !attackers; }
  // Is it time to leave the unsolved node?
  bool met(const PhiDeltaPair& threshold, const PhiDeltaPair& node) const {
    const bool phi = node.phi >= threshold.phi;
    const bool delta = node.delta >= threshold.delta;
    return kind == Kind::kPds ? phi && delta : phi || delta;
  }
  PhiDeltaPair of_child(const PhiDeltaPair& threshold, const Choice& n) const {
    if (kind == Kind::kNone) return threshold;
    if (kind == Kind::kPds) {
      const bool raises_delta =
          by_child ? n.child.delta < n.child.phi : deepens_phi(threshold, n.node);
      return raises_delta ? PhiDeltaPair{n.child.phi, as_threshold(n.child.delta + 1)}
                          : PhiDeltaPair{as_threshold(n.child.phi + 1), n.child.delta};
    }
    const bool all_needed = kind == Kind::kPnStar && !n.attackers;
    return {threshold.delta >= kPhiDeltaInfinity
                ? kPhiDeltaInfinity
                : as_threshold(threshold.delta - n.node.delta + n.child.phi),
            all_needed ? kPhiDeltaInfinity : std::min(threshold.phi, as_threshold(beyond(n)))};
  }
  PhiDeltaPair of_root() const {
    switch (kind) {
      case Kind::kPds:
        return {1, 1};
      case Kind::kPnStar:
        return {1, kPhiDeltaInfinity};
      default:
        return {kPhiDeltaInfinity, kPhiDeltaInfinity};
    }
  }
  // These are the root's after it was left unsolved with these numbers.
  PhiDeltaPair of_root_again(const PhiDeltaPair& root) const {
    if (kind == Kind::kPnStar) return {as_threshold(root.phi + 1), kPhiDeltaInfinity};
    return root.phi <= root.delta ? PhiDeltaPair{as_threshold(root.phi + 1), root.delta}
                                  : PhiDeltaPair{root.phi, as_threshold(root.delta + 1)};
  }

 private:
  PhiDelta beyond(const Choice& n) const {
    switch (kind) {
      case Kind::kAverage:
        return n.second + std::max<PhiDelta>(n.average, 1);
      case Kind::kEpsilon:
        return n.second + more(n.second);
      default:
        return n.second + increment;
    }
  }
  // Returns ceil(d2 epsilon), at least 1.
  PhiDelta more(PhiDelta second) const {
    constexpr auto kMost = static_cast<double>(kPhiDeltaCap);
    const double more = std::ceil(static_cast<double>(capped(second)) * epsilon);
    return static_cast<PhiDelta>(std::clamp(more, 1.0, kMost));
  }
  static bool deepens_phi(const PhiDeltaPair& threshold, const PhiDeltaPair& node) {
    if (node.phi >= threshold.phi) return false;
    return node.delta >= threshold.delta || node.phi <= node.delta;
  }
};

}  // namespace playproof
