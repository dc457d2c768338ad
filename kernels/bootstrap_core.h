// What one thread does for kernels/bootstrap.h, on the CPU and on a device.
#pragma once

#include <cstddef>
#include <cstdint>

#include "games/game.h"
#include "kernels/bootstrap.h"
#include "kernels/random_words.h"

namespace playproof {

// The units of a sample, in the order of the draws. Random: a reader of random words.
template <class Random>
class UnitDraws {
 public:
  PP_HD UnitDraws(const BootstrapData& data, std::uint32_t sample)
      : random_(RandomKey{data.seed, kBootstrapStream}, sample), units_(data.units) {}
  PP_HD std::uint32_t next() { return draw_below(random_, units_); }

 private:
  Random random_;
  std::uint32_t units_;
};

// Writes the means of columns column .. column + kColumns - 1 over the units that draws.next()
// names.
template <std::uint32_t kColumns, class Draws>
PP_HD void mean_of_draws(const BootstrapData& data, std::uint32_t column, Draws& draws,
                         double* means) {
  double sums[kColumns] = {};
  for (std::uint32_t draw = 0; draw < data.units; ++draw) {
    const double* row = data.values + std::size_t{draws.next()} * data.columns + column;
    for (std::uint32_t c = 0; c < kColumns; ++c) sums[c] += row[c];
  }
  for (std::uint32_t c = 0; c < kColumns; ++c) means[c] = sums[c] / data.units;
}

}  // namespace playproof
