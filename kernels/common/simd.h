// Which vector instructions this machine has. Engines with several builds of one loop choose by
// this at run time, so that one program runs everywhere; no choice changes a count.
#pragma once

#include <vector>

namespace playproof {

enum class SimdLevel { kBaseline, kAvx2, kAvx512 };

const char* to_string(SimdLevel level);  // "baseline", "avx2", "avx512"

// What this machine can run, the best one last; never empty.
std::vector<SimdLevel> simd_levels();

// The last of simd_levels(), asked of the machine once.
SimdLevel best_simd_level();

}  // namespace playproof
