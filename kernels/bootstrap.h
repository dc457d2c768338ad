// Bootstrap samples (Efron 1979): means of units drawn with replacement, for the intervals of the
// report. Plain C++. There are two ways to the same bits: a loop on the CPU, and Thrust, on CUDA in
// the library and on Thrust's CPU systems in tests/thrust.
//
// Sample b of n units draws n of them, one after the other: draw_below(n) of the random words of
// word b (kernels/random_words.h) with the seed and kBootstrapStream. The mean of a column is the
// sum of its values in the order of the draws, from 0, divided by n.
//
// The bits are the same everywhere: each sum is a chain of IEEE additions in one order, there is no
// product that could be fused with one, the division is the correctly rounded one of CPUs and of
// CUDA's double precision, and the draws are integers. Vectors and threads take different sums side
// by side, never parts of one. (Sums of values that are not finite are not held to that.)
#pragma once

#include <cstddef>
#include <cstdint>

#include "kernels/device_info.h"

namespace playproof {

inline constexpr std::uint64_t kBootstrapStream = 0x626f6f7473747261u;  // "bootstra"

// What is resampled: a row for each unit. The samples of two matrices with the same number of units
// and the same seed draw the same units.
struct BootstrapData {
  const double* values = nullptr;  // units x columns, row by row
  std::uint32_t units = 1;         // at least 1
  std::uint32_t columns = 1;       // at least 1
  std::uint64_t seed = 1;
};

// Writes the means of samples first .. first + samples - 1: samples x columns numbers, row by row.
void bootstrap_means(const BootstrapData& data, std::uint32_t first, std::uint32_t samples,
                     double* means);

// Means that are on the device at a time.
inline constexpr std::size_t kBootstrapWidth = std::size_t{1} << 22;

// The same by Thrust.
DeviceError bootstrap_means_device(int ordinal, const BootstrapData& data, std::uint32_t first,
                                   std::uint32_t samples, double* means,
                                   std::size_t width = kBootstrapWidth);

}  // namespace playproof
