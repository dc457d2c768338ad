// The numbers of depth-first proof-number search, seen by the side to move: phi is the proof number
// at OR nodes and the disproof number at AND nodes, delta the other one (survey S2 section 4).
#pragma once

#include <cstdint>

#include "kernels/numbers/arithmetic.h"

namespace playproof {

// Numbers of unsolved nodes are 0 .. kPhiDeltaCap; sums of as many as a game has moves stay far
// below 2^64 (E8). Infinity belongs to solved nodes, and to thresholds that nothing reaches.
using PhiDelta = std::uint64_t;
inline constexpr PhiDelta kPhiDeltaCap = std::uint64_t{1} << 46;
inline constexpr PhiDelta kPhiDeltaInfinity = std::uint64_t{1} << 62;

// An unsolved number out of a sum or a formula.
PP_HD inline PhiDelta capped(PhiDelta number) { return lesser(number, kPhiDeltaCap); }
// A threshold: what lies above the cap is never reached, so the child is searched until it is
// solved.
inline PhiDelta as_threshold(PhiDelta number) {
  return number > kPhiDeltaCap ? kPhiDeltaInfinity : number;
}

struct PhiDeltaPair {
  PhiDelta phi = 1;
  PhiDelta delta = 1;
  bool operator==(const PhiDeltaPair&) const = default;
  // The same, seen by the other side.
  PP_HD PhiDeltaPair turned() const { return {delta, phi}; }
  // Is the node unsolved?
  PP_HD bool open() const { return phi <= kPhiDeltaCap && delta <= kPhiDeltaCap; }
  template <class Archive>
  void serialize(Archive& archive) {  // host/archive/archive.h
    archive(phi, delta);
  }
};
// A threshold that a rule can have set.
inline bool is_threshold(PhiDelta number) {
  return number <= kPhiDeltaCap || number == kPhiDeltaInfinity;
}
inline bool are_thresholds(const PhiDeltaPair& pair) {
  return is_threshold(pair.phi) && is_threshold(pair.delta);
}
inline constexpr PhiDeltaPair kMoverWins = {0, kPhiDeltaInfinity};
inline constexpr PhiDeltaPair kMoverLoses = {kPhiDeltaInfinity, 0};

}  // namespace playproof
