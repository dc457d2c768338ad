// The moves of Lines of Action that cannot be taken back: captures.
#pragma once

#include "games/core/conversion.h"
#include "games/loa/rules.h"

namespace playproof {

template <>
class Conversions<Loa> {
 public:
  explicit Conversions(const Loa::Rules& /*rules*/) {}
  bool converts(const Loa::State& from, const Loa::State& to) const {
    return stones(from) != stones(to);
  }

 private:
  static int stones(const Loa::State& s) { return popcount64(s.stones[0] | s.stones[1]); }
};

}  // namespace playproof
