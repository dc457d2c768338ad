#include "host/schemes/leaf_numbers.h"

#include <cmath>

namespace playproof {

double power(double x, double y) {
  // The binary digits of y choose among x^(1/2), x^(1/4), ...
  double result = y >= 1 ? x : 1;
  double root = x;
  for (double digit = 0.5; digit > 1e-12; digit /= 2) {
    root = std::sqrt(root);
    if (y < 1 && y >= digit) {
      result *= root;
      y -= digit;
    }
  }
  return result;
}

LeafNumbers LeafNumbers::mobility() {
  LeafNumbers numbers;
  numbers.mobility_ = true;
  return numbers;
}

LeafNumbers LeafNumbers::from_playouts(int playouts, double base, bool times_mobility) {
  LeafNumbers numbers;
  numbers.playouts_ = playouts;
  numbers.mobility_ = times_mobility;
  const double n = playouts;
  for (int i = 0; i <= playouts; ++i) {
    const double rate = (i + 0.5) / (n + 1);
    numbers.powers_.push_back(capped(static_cast<PhiDelta>(std::llround(power(base, rate)))));
  }
  return numbers;
}

LeafNumbers LeafNumbers::deep(std::uint64_t base, std::uint32_t depth) {
  LeafNumbers numbers;
  numbers.deep_ = true;
  // powers_[i] is E^i; a leaf at or below D has 1, or 0 if E is 0.
  PhiDelta last = base == 0 ? 0 : 1;
  for (std::uint32_t i = 0; i <= depth; ++i) {
    numbers.powers_.push_back(last);
    last = base != 0 && last > kPhiDeltaCap / base ? kPhiDeltaCap : last * base;
  }
  return numbers;
}

PhiDeltaPair LeafNumbers::operator()(std::uint32_t depth, int moves, double wins) const {
  PhiDeltaPair pair;
  if (deep_) {
    const auto deepest = static_cast<std::uint32_t>(powers_.size() - 1);
    pair.phi = pair.delta = powers_[depth < deepest ? deepest - depth : 0];
  } else if (playouts_ > 0) {
    const auto won = static_cast<std::size_t>(wins);
    pair.phi = powers_[static_cast<std::size_t>(playouts_) - won];
    pair.delta = powers_[won];
  }
  if (mobility_) pair.delta = capped(pair.delta * static_cast<PhiDelta>(moves));
  return pair;
}

}  // namespace playproof
