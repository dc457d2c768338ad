#include "src/bench/log_ratios.h"

#include <array>
#include <cmath>

namespace playproof {

double student_t_975(int degrees) {
  constexpr std::array kFirst = {12.7062, 4.3027, 3.1824, 2.7764, 2.5706, 2.4469, 2.3646,
                                 2.3060,  2.2622, 2.2281, 2.2010, 2.1788, 2.1604, 2.1448,
                                 2.1314,  2.1199, 2.1098, 2.1009, 2.0930, 2.0860};
  if (degrees <= static_cast<int>(kFirst.size())) return kFirst[degrees - 1];
  // Abramowitz and Stegun 26.7.5: the normal distribution's point, corrected in powers of 1 / n.
  constexpr double z = 1.959963984540054;
  const double n = degrees;
  const double g1 = (std::pow(z, 3) + z) / 4;
  const double g2 = (5 * std::pow(z, 5) + 16 * std::pow(z, 3) + 3 * z) / 96;
  const double g3 = (3 * std::pow(z, 7) + 19 * std::pow(z, 5) + 17 * std::pow(z, 3) - 15 * z) / 384;
  return z + g1 / n + g2 / (n * n) + g3 / (n * n * n);
}

MeanRatio geometric_mean(std::span<const double> ratios) {
  MeanRatio result;
  if (ratios.empty()) return result;
  const auto n = static_cast<double>(ratios.size());
  double sum = 0;
  for (const double ratio : ratios) sum += std::log(ratio);
  const double mean = sum / n;
  result.mean = std::exp(mean);
  if (ratios.size() < 2) return result;
  double squares = 0;
  for (const double ratio : ratios) squares += std::pow(std::log(ratio) - mean, 2);
  const double half =
      student_t_975(static_cast<int>(ratios.size()) - 1) * std::sqrt(squares / (n - 1) / n);
  result.low = std::exp(mean - half);
  result.high = std::exp(mean + half);
  return result;
}

}  // namespace playproof
