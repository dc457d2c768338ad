// What is proven of a node: a pair of bounds of its value for the attacker. Bounds come from the
// rules (a finished position) and from the bounds of children, from nothing else: no constructor
// takes an estimate, and "pn == 0" or "ppn == 1" never solves a node (E8, E19, E22).
#pragma once

#include "games/core/game.h"
#include "kernels/numbers/arithmetic.h"

namespace playproof {

class Bounds {
 public:
  // Nothing is known but what the rules allow.
  PP_HD static Bounds unknown(Value min, Value max) { return {min, max}; }
  // A finished position.
  PP_HD static Bounds exact(Value value) { return {value, value}; }
  // An OR node is worth its best child, an AND node its worst; both sides of the pair.
  PP_HD static Bounds best(Bounds a, Bounds b) {
    return {greater(a.lower_, b.lower_), greater(a.upper_, b.upper_)};
  }
  PP_HD static Bounds worst(Bounds a, Bounds b) {
    return {lesser(a.lower_, b.lower_), lesser(a.upper_, b.upper_)};
  }
  // What both say, of the same position.
  PP_HD static Bounds both(Bounds a, Bounds b) {
    return {greater(a.lower_, b.lower_), lesser(a.upper_, b.upper_)};
  }

  PP_HD Value lower() const { return lower_; }
  PP_HD Value upper() const { return upper_; }
  PP_HD bool proves(Value threshold) const { return lower_ >= threshold; }
  PP_HD bool disproves(Value threshold) const { return upper_ < threshold; }
  PP_HD bool decides(Value threshold) const { return proves(threshold) || disproves(threshold); }
  bool operator==(const Bounds&) const = default;

 private:
  PP_HD Bounds(Value lower, Value upper) : lower_(lower), upper_(upper) {}
  Value lower_;
  Value upper_;
};

}  // namespace playproof
