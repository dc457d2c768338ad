// Every mean of every sample by itself: one transformation. nvcc builds this for CUDA, g++ for one
// of Thrust's CPU systems (tests/thrust).
#include "kernels/bootstrap.h"

#include <thrust/copy.h>
#include <thrust/device_vector.h>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/transform.h>

#include <algorithm>

#include "kernels/bootstrap_core.h"
#include "kernels/device_words.h"
#include "kernels/thrust_result.cuh"

namespace playproof {
namespace {

// Number i: column i mod columns of sample first + i / columns. Each draws its units again: that
// costs less than to keep them in memory, and neighbours of one sample read neighbouring columns.
struct ResampledMean {
  BootstrapData data;
  std::uint32_t first;
  PP_HD double operator()(std::uint64_t i) const {
    UnitDraws<RollingWords> draws(data, first + static_cast<std::uint32_t>(i / data.columns));
    double mean = 0;
    mean_of_draws<1>(data, static_cast<std::uint32_t>(i % data.columns), draws, &mean);
    return mean;
  }
};

void resample(BootstrapData data, std::uint32_t first, std::uint32_t samples, double* means,
              std::size_t width) {
  const thrust::device_vector<double> values(data.values,
                                             data.values + std::size_t{data.units} * data.columns);
  data.values = thrust::raw_pointer_cast(values.data());
  const auto step =
      static_cast<std::uint32_t>(std::clamp<std::size_t>(width / data.columns, 1, samples));
  thrust::device_vector<double> made(std::size_t{step} * data.columns);
  for (std::uint32_t at = 0; at < samples; at += std::min(step, samples - at)) {
    const std::size_t count = std::size_t{std::min(step, samples - at)} * data.columns;
    const thrust::counting_iterator<std::uint64_t> begin(0);
    const auto end = thrust::transform(begin, begin + static_cast<std::ptrdiff_t>(count),
                                       made.begin(), ResampledMean{data, first + at});
    means = thrust::copy(made.begin(), end, means);
  }
}

}  // namespace

DeviceError bootstrap_means_device(int ordinal, const BootstrapData& data, std::uint32_t first,
                                   std::uint32_t samples, double* means, std::size_t width) {
  if (samples == 0) return {};
  return run_thrust(ordinal, "bootstrap_means_device",
                    [&] { resample(data, first, samples, means, width); });
}

}  // namespace playproof
