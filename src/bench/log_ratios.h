// Mean ratios with their intervals.
#pragma once

#include <span>

namespace playproof {

// Geometric mean of paired ratios and its 95 % interval (Student's t on their logarithms); the
// interval is empty, low > high, for fewer than two ratios.
struct MeanRatio {
  double mean = 1;
  double low = 1;
  double high = 0;
};

// ratios: each > 0.
MeanRatio geometric_mean(std::span<const double> ratios);

// The 97.5 % point of Student's t with `degrees` >= 1 degrees of freedom, to four decimal places.
double student_t_975(int degrees);

}  // namespace playproof
