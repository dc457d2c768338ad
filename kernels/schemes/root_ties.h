// What a best-first search would play now: the children of its root that the scheme prefers.
#pragma once

#include <cstdint>

#include "games/core/game.h"

namespace playproof {

// Calls each(i) for all that tie, in their order; decided ones are none of them.
template <class S, class Children, class Each>
PP_HD void for_each_root_tie(const S& scheme, const Children& children, const Each& each) {
  int best = -1;
  for (int i = 0; i < children.size(); ++i) {
    if (children[i].decided) continue;
    if (best < 0 || scheme.prefers(true, children[i].label, children[best].label)) best = i;
  }
  if (best < 0) return;
  const auto& first = children[best].label;
  each(best);
  for (int i = best + 1; i < children.size(); ++i) {
    if (children[i].decided || scheme.prefers(true, first, children[i].label)) continue;
    each(i);
  }
}

// Which one of `count` tied moves, in ascending order, is played: drawn uniformly from the seed of
// the search and the iterations so far, from a stream that the search never draws from.
PP_HD inline std::uint32_t drawn_tie(std::uint64_t seed, std::uint64_t iterations,
                                     std::uint32_t count) {
  const std::uint64_t draw = mix64(mix64(seed ^ 0x7469657362726561ull) + iterations);
  return static_cast<std::uint32_t>(((draw >> 32) * count) >> 32);
}

}  // namespace playproof
