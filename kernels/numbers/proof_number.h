// Proof and disproof numbers that saturate (E8). Infinity belongs to solved nodes alone; sums
// of unsolved nodes stop at the cap below it, so a large number is never read as a proof.
#pragma once

#include <cstdint>

#include "kernels/numbers/arithmetic.h"

namespace playproof {

using ProofNumber = std::uint32_t;

inline constexpr ProofNumber kInfinity = 0xffffffffu;
inline constexpr ProofNumber kProofNumberCap = kInfinity - 1;

// A sum over at most 2^32 children of unsolved siblings, as the number of their parent.
PP_HD inline ProofNumber saturated(std::uint64_t sum) {
  return static_cast<ProofNumber>(lesser<std::uint64_t>(sum, kProofNumberCap));
}

}  // namespace playproof
