// What the bounds of the children of an expanded node say of it.
#pragma once

#include "kernels/numbers/bounds.h"

namespace playproof {

// All children are created; early break may have left later moves without any: these may be worth
// anything (`unknown`), so that only the deciding side counts.
template <class Children>
PP_HD Bounds back_up_bounds(bool or_node, const Children& children, Value threshold,
                            bool early_break, const Bounds& unknown) {
  Bounds bounds = children[0].bounds;
#pragma unroll 1
  for (int i = 1; i < children.size(); ++i) {
    bounds = or_node ? Bounds::best(bounds, children[i].bounds)
                     : Bounds::worst(bounds, children[i].bounds);
  }
  const auto& last = children[children.size() - 1];
  const bool broke =
      early_break && last.decided && last.edges == 0 && last.bounds.proves(threshold) == or_node;
  if (!broke) return bounds;
  return or_node ? Bounds::best(bounds, Bounds::unknown(bounds.lower(), unknown.upper()))
                 : Bounds::worst(bounds, Bounds::unknown(unknown.lower(), bounds.upper()));
}

}  // namespace playproof
