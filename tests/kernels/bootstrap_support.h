// What the tests of the bootstrap resample: on the CPU, on Thrust's CPU systems and on a device.
#pragma once

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstdint>
#include <vector>

#include "kernels/bootstrap.h"
#include "kernels/random_words.h"

namespace playproof {

struct BootstrapShape {
  std::uint32_t units;
  std::uint32_t columns;
  std::uint32_t samples;
  std::uint64_t seed;
  std::uint32_t first;
};

// Few and many units, blocks of columns and what is left of them, late samples.
inline constexpr BootstrapShape kBootstrapShapes[] = {
    {1, 1, 3, 1, 0},      {2, 1, 50, 1, 0},   {3, 3, 40, 2, 7},          {7, 16, 30, 3, 0},
    {31, 17, 20, 4, 100}, {64, 35, 9, 5, 0},  {200, 2, 40, 6, 0},        {200, 401, 2, 7, 1},
    {1000, 1, 8, 8, 0},   {5000, 5, 3, 9, 0}, {33, 2, 5, ~0ull, ~0u - 4}};

// Numbers of both signs and of many magnitudes, so that the order of a sum can be seen.
inline std::vector<double> bootstrap_values(const BootstrapShape& shape) {
  std::vector<double> values(std::size_t{shape.units} * shape.columns);
  RandomWords random({shape.seed, 0}, 0);
  for (double& value : values) {
    const double mantissa = std::ldexp(random.next(), -32) - 0.25;
    value = std::ldexp(mantissa, static_cast<int>(draw_below(random, 41)) - 20);
  }
  return values;
}

// bootstrap_means_device() gives the bits of bootstrap_means(), however little is made at a time.
inline void expect_device_makes_the_same() {
  for (const BootstrapShape& shape : kBootstrapShapes) {
    const std::vector<double> values = bootstrap_values(shape);
    const BootstrapData data = {values.data(), shape.units, shape.columns, shape.seed};
    std::vector<double> wanted(std::size_t{shape.samples} * shape.columns);
    bootstrap_means(data, shape.first, shape.samples, wanted.data());
    for (const std::size_t width : {std::size_t{1}, std::size_t{50}, kBootstrapWidth}) {
      std::vector<double> means(wanted.size());
      const DeviceError error =
          bootstrap_means_device(0, data, shape.first, shape.samples, means.data(), width);
      ASSERT_FALSE(error) << error.text;
      for (std::size_t i = 0; i < means.size(); ++i) {
        ASSERT_EQ(std::bit_cast<std::uint64_t>(means[i]), std::bit_cast<std::uint64_t>(wanted[i]))
            << shape.units << " units, " << shape.columns << " columns, width " << width << ": "
            << i;
      }
    }
  }
}

}  // namespace playproof
