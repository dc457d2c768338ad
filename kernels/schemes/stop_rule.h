// When the walk up from an expanded leaf may end early (S2 section 3.3, E1). The search then
// resumes from the node where it ended. No rule ends at a solved node.
#pragma once

#include <cstdint>

#include "games/core/game.h"

namespace playproof {

enum class StopRule : std::uint8_t {
  kNone,     // never: update to the root, start again there
  kAllis,    // nothing changed
  kOwn,      // neither number is larger than the node's own old one (Nagai as it must be read)
  kLiteral,  // neither number is larger than the parent's (Nagai as printed; alters the order)
  kOne,      // the number the parent selects by is not larger than the parent's (alters the order)
};

// The rules that compare numbers need labels with pn and dn; other schemes use kNone or kAllis.
template <class Label>
concept ProofNumberLabel = requires(const Label& label) {
  label.pn < label.pn;
  label.dn < label.dn;
};

// Rules that end at a node whose numbers did change.
PP_HD inline bool leaves_old_numbers(StopRule rule) {
  return rule != StopRule::kNone && rule != StopRule::kAllis;
}

// May the update end at an unsolved node whose label was `old`? `parent` is the label above it, as
// it still is, and `or_node` says whether the attacker moves there.
template <class Label>
PP_HD bool may_stop(StopRule rule, const Label& now, const Label& old, const Label& parent,
                    bool or_node) {
  if (rule == StopRule::kNone) return false;
  if constexpr (ProofNumberLabel<Label>) {
    switch (rule) {
      case StopRule::kOwn:
        return now.pn <= old.pn && now.dn <= old.dn;
      case StopRule::kLiteral:
        return now.pn <= parent.pn && now.dn <= parent.dn;
      case StopRule::kOne:
        return or_node ? now.pn <= parent.pn : now.dn <= parent.dn;
      default:
        break;
    }
  }
  return now == old;
}

}  // namespace playproof
