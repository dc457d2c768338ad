// ln n for visit counts and e^x, the same bits on every machine (those of libraries differ in the
// last place, and a search must count the same nodes everywhere).
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>

#include "games/core/game.h"
#include "kernels/numbers/arithmetic.h"

namespace playproof {

// n >= 1; relative error below 1e-15. ln n = e ln 2 + 2 atanh((m - 1) / (m + 1)) with m in
// [sqrt(1/2), sqrt(2)): |x| <= 0.172, so x^2 <= 0.0295 and twelve terms suffice.
PP_HD inline double natural_log(std::uint64_t n) {
  const auto bits = bits_as<std::uint64_t>(static_cast<double>(n));
  auto e = static_cast<int>(bits >> 52) - 1023;
  auto m = bits_as<double>((bits & 0x000fffffffffffffull) | 0x3ff0000000000000ull);
  if (m > 1.4142135623730951) {
    m *= 0.5;
    ++e;
  }
  const double x = (m - 1) / (m + 1);
  const double x2 = x * x;
  double sum = 0;
  for (int k = 23; k >= 1; k -= 2) sum = sum * x2 + 1.0 / k;
  return e * 0.6931471805599453 + 2 * x * sum;
}

// The same from a table, for the small counts that most nodes of a search have. (A device computes
// it: the same bits, and tables of a thread would be in memory.)
PP_HD inline double natural_log_of_count(std::uint64_t n) {
#if defined(__CUDA_ARCH__)
  return natural_log(n);
#else
  static const std::array<double, 2048> kTable = [] {
    std::array<double, 2048> table{};
    for (std::uint64_t i = 1; i < table.size(); ++i) table[i] = natural_log(i);
    return table;
  }();
  return n < kTable.size() ? kTable[n] : natural_log(n);
#endif
}

// e^x; relative error below 1e-15. x = k ln 2 + r with |r| <= ln 2 / 2: sixteen terms suffice. Ends
// at e^-700 and e^700.
inline double natural_exp(double x) {
  x = std::clamp(x, -700.0, 700.0);
  const double k = std::floor(x / 0.6931471805599453 + 0.5);
  // ln 2 in two parts, the first of which k does not round.
  const double r = (x - k * 0.69314718055829871) - k * 1.6465949582897082e-12;
  double sum = 1;
  for (int i = 16; i >= 1; --i) sum = 1 + r * sum / i;
  const auto exponent = static_cast<std::uint64_t>(static_cast<int>(k) + 1023);
  return sum * bits_as<double>(exponent << 52);
}

}  // namespace playproof
