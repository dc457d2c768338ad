// Threshold rules of depth-first search: how far a child may go beyond its best sibling. The
// child's threshold for the number that its parent selects by is min(threshold of the parent,
// rule), with d2 the second least delta among the children (survey S2 sections 4 and 7.3):
//   df-pn            d2 + 1
//   constant         d2 + c, c >= 1 (Nagai)
//   average          d2 + mean of the children's first numbers (Kishimoto and Mueller)
//   1 + epsilon      max(d2 + 1, ceil(d2 (1 + epsilon))) (Pawlewicz and Lew; E26)
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "host/phi_delta.h"

namespace playproof {

struct ThresholdRule {
  enum class Kind : std::uint8_t { kConstant, kAverage, kEpsilon };
  Kind kind = Kind::kConstant;
  PhiDelta increment = 1;  // kConstant
  double epsilon = 0;      // kEpsilon

  // average: mean of the first deltas of the children, rounded down.
  PhiDelta operator()(PhiDelta second, PhiDelta average) const {
    switch (kind) {
      case Kind::kConstant:
        return second + increment;
      case Kind::kAverage:
        return second + std::max<PhiDelta>(average, 1);
      case Kind::kEpsilon:
        break;
    }
    if (second > kPhiDeltaCap) return second + 1;
    const double more = std::ceil(static_cast<double>(second) * epsilon);
    constexpr auto kMost = static_cast<double>(kPhiDeltaCap);
    return second + static_cast<PhiDelta>(std::min(std::max(more, 1.0), kMost));
  }
};

}  // namespace playproof
