// Few items in the order of their costs, in one place for host and device: neither memory that
// grows nor the standard library's sort is there on a device.
#pragma once

#include "games/core/game.h"

namespace playproof {

struct CostedItem {
  double cost;
  int item;
  PP_HD friend bool operator<(const CostedItem& a, const CostedItem& b) {
    return a.cost != b.cost ? a.cost < b.cost : a.item < b.item;
  }
};

// Moves item i down to its place among those that are `gap` apart from it.
PP_HD inline void settle_item(CostedItem* items, int i, int gap) {
  const CostedItem one = items[i];
  for (; i >= gap && one < items[i - gap]; i -= gap) items[i] = items[i - gap];
  items[i] = one;
}
// Shell 1959, with the gaps of Ciura 2001: insertion alone where there are few.
PP_HD inline void sort_items(CostedItem* items, int count) {
  constexpr int kGaps[] = {132, 57, 23, 10, 4, 1};
  for (const int gap : kGaps) {
    for (int i = gap; i < count; ++i) settle_item(items, i, gap);
  }
}

// What is held at a time. The memory of a device's threads is dear; a board of 19x19 is one portion
// of the CPU.
#if defined(__CUDA_ARCH__)
inline constexpr int kItemPortion = 32;
#else
inline constexpr int kItemPortion = 512;
#endif

// visit(i) for each i < count that has a cost, in ascending order of costs, then of i.
// cost_of(i, double* cost) is false of the others. Of more items than a portion, the least ones are
// looked for once a portion.
template <int kPortion = kItemPortion, class CostOf, class Visit>
PP_HD void visit_in_ascending_order(int count, const CostOf& cost_of, const Visit& visit) {
  CostedItem least[kPortion];
  CostedItem last = {0, -1};
  bool first = true;
  bool more = true;
  while (more) {
    more = false;
    int held = 0;
    for (int i = 0; i < count; ++i) {
      CostedItem one = {0, i};
      if (!cost_of(i, &one.cost) || (!first && !(last < one))) continue;
      if (held < kPortion) {
        least[held++] = one;
        if (held == kPortion) sort_items(least, held);
        continue;
      }
      more = true;
      if (!(one < least[kPortion - 1])) continue;
      least[kPortion - 1] = one;
      settle_item(least, kPortion - 1, 1);
    }
    if (held < kPortion) sort_items(least, held);
    for (int i = 0; i < held; ++i) visit(least[i].item);
    if (held > 0) last = least[held - 1];
    first = false;
  }
}

}  // namespace playproof
