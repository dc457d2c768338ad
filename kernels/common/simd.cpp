#include "kernels/common/simd.h"

namespace playproof {

const char* to_string(SimdLevel level) {
  switch (level) {
    case SimdLevel::kBaseline:
      return "baseline";
    case SimdLevel::kAvx2:
      return "avx2";
    case SimdLevel::kAvx512:
      return "avx512";
  }
  return "?";
}

std::vector<SimdLevel> simd_levels() {
  std::vector<SimdLevel> levels = {SimdLevel::kBaseline};
#if defined(__x86_64__)
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi") &&
      __builtin_cpu_supports("bmi2") && __builtin_cpu_supports("popcnt")) {
    levels.push_back(SimdLevel::kAvx2);
    if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") &&
        __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512bw")) {
      levels.push_back(SimdLevel::kAvx512);
    }
  }
#endif
  return levels;
}

SimdLevel best_simd_level() {
  static const SimdLevel best = simd_levels().back();
  return best;
}

}  // namespace playproof
