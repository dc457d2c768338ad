// What is proven of a node: a pair of bounds of its value for the attacker. Bounds come from the
// rules (a finished position) and from the bounds of children, from nothing else: no constructor
// takes an estimate, and "pn == 0" or "ppn == 1" never solves a node (E8, E19, E22).
#pragma once

#include <algorithm>
#include <cstdint>

#include "games/core/game.h"

namespace playproof {

class Bounds {
 public:
  // Nothing is known but what the rules allow.
  static Bounds unknown(Value min, Value max) { return {min, max}; }
  // A finished position.
  static Bounds exact(Value value) { return {value, value}; }
  // An OR node is worth its best child, an AND node its worst; both sides of the pair.
  static Bounds best(Bounds a, Bounds b) {
    return {std::max(a.lower_, b.lower_), std::max(a.upper_, b.upper_)};
  }
  static Bounds worst(Bounds a, Bounds b) {
    return {std::min(a.lower_, b.lower_), std::min(a.upper_, b.upper_)};
  }
  // What both say, of the same position.
  static Bounds both(Bounds a, Bounds b) {
    return {std::max(a.lower_, b.lower_), std::min(a.upper_, b.upper_)};
  }

  Value lower() const { return lower_; }
  Value upper() const { return upper_; }
  bool proves(Value threshold) const { return lower_ >= threshold; }
  bool disproves(Value threshold) const { return upper_ < threshold; }
  bool decides(Value threshold) const { return proves(threshold) || disproves(threshold); }
  bool operator==(const Bounds&) const = default;

 private:
  Bounds(Value lower, Value upper) : lower_(lower), upper_(upper) {}
  Value lower_;
  Value upper_;
};

}  // namespace playproof
