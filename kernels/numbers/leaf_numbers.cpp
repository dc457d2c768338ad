#include <algorithm>
#include <cmath>

#include "kernels/numbers/leaf_numbers.h"
#include "kernels/numbers/natural_log.h"

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

PhiDelta RateForm::operator()(int wins, int playouts) const {
  const auto halves = static_cast<std::uint64_t>(2 * wins + 1);
  const auto all = static_cast<std::uint64_t>(2 * playouts + 2);
  const double lost = 1 - static_cast<double>(halves) / static_cast<double>(all);
  const double number = kind == Kind::kPower ? power(parameter, lost)
                        : kind == Kind::kLog ? parameter * (natural_log(all) - natural_log(halves))
                                             : 1 + parameter * lost;
  constexpr auto kMost = static_cast<double>(kPhiDeltaCap);
  return static_cast<PhiDelta>(std::llround(std::clamp(number, 1.0, kMost)));
}

LeafNumbers LeafNumbers::mobility() {
  LeafNumbers numbers;
  numbers.mobility_ = true;
  return numbers;
}

LeafNumbers LeafNumbers::quads() {
  LeafNumbers numbers;
  numbers.quads_ = true;
  return numbers;
}

LeafNumbers LeafNumbers::must_play(double exponent) {
  constexpr int kRemembered = 400;  // more than a board of 19x19 has
  LeafNumbers numbers;
  numbers.must_play_ = true;
  numbers.exponent_ = exponent;
  for (int m = 0; m < kRemembered; ++m) numbers.numbers_.push_back(numbers.must_play_phi(m));
  return numbers;
}

LeafNumbers LeafNumbers::windows(const RateForm& form) {
  LeafNumbers numbers;
  numbers.windows_ = true;
  numbers.form_ = form;
  return numbers;
}

LeafNumbers LeafNumbers::from_playouts(int playouts, const RateForm& form, bool times_mobility) {
  LeafNumbers numbers;
  numbers.playouts_ = playouts;
  numbers.mobility_ = times_mobility;
  for (int wins = 0; wins <= playouts; ++wins) numbers.numbers_.push_back(form(wins, playouts));
  return numbers;
}

LeafNumbers LeafNumbers::deep(std::uint64_t base, std::uint32_t depth) {
  LeafNumbers numbers;
  numbers.deep_ = true;
  // numbers_[i] is E^i; a leaf at or below D has 1, or 0 if E is 0.
  PhiDelta last = base == 0 ? 0 : 1;
  for (std::uint32_t i = 0; i <= depth; ++i) {
    numbers.numbers_.push_back(last);
    last = base != 0 && last > kPhiDeltaCap / base ? kPhiDeltaCap : last * base;
  }
  return numbers;
}

PhiDeltaPair LeafNumbers::operator()(std::uint32_t depth, int moves, double wins,
                                     int replies) const {
  if (must_play_) {
    const auto m = static_cast<std::size_t>(replies);
    return {m < numbers_.size() ? numbers_[m] : must_play_phi(replies), kMustPlayUnit};
  }
  if (deep_) {
    const auto deepest = static_cast<std::uint32_t>(numbers_.size() - 1);
    const PhiDelta number = numbers_[depth < deepest ? deepest - depth : 0];
    return {number, number};
  }
  return tallied(numbers_.data())(depth, moves, wins);
}

PhiDelta LeafNumbers::must_play_phi(int replies) const {
  const double phi = static_cast<double>(kMustPlayUnit) * power(std::max(replies, 1), exponent_);
  return static_cast<PhiDelta>(std::llround(phi));
}

bool LeafNumbers::possible(int moves, const PhiDeltaPair& pair) const {
  // More wins mean a lesser phi and a greater delta. So each number allows one range of wins.
  const auto first = [&](const auto& too_few) {  // wins that are enough
    int low = 0;
    for (int high = playouts_ + 1; low < high;) {
      const int middle = low + (high - low) / 2;
      if (too_few((*this)(0, moves, middle))) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  };
  const int from = std::max(first([&](const PhiDeltaPair& p) { return p.phi > pair.phi; }),
                            first([&](const PhiDeltaPair& p) { return p.delta < pair.delta; }));
  return from <= playouts_ && (*this)(0, moves, from) == pair;
}

}  // namespace playproof
