#include "src/resampler.h"

#include <fmt/format.h>

#include <algorithm>

#include "games/error.h"
#include "games/spec.h"

namespace playproof {
namespace {

// Additions from which on a device is started unasked: one core does so many in 0.15 (many columns)
// to 3 seconds (one column), and starting CUDA takes some tenths.
constexpr double kWorthADevice = 1 << 29;

}  // namespace

Resampler::Resampler(const std::string& backend, int threads)
    : may_use_device_(backend != "cpu"), must_use_device_(backend == "cuda"), threads_(threads) {
  static const Catalogue backends{"backend", {{"auto", "", {}}, {"cpu", "", {}}, {"cuda", "", {}}}};
  backends.find(backend);
  if (threads > 1) pool_ = std::make_unique<ThreadPool>(threads - 1);
}

std::vector<double> Resampler::means(const BootstrapData& data, std::uint32_t samples) {
  std::vector<double> means(std::size_t{samples} * data.columns);
  const double additions = static_cast<double>(data.units) * static_cast<double>(means.size());
  if (must_use_device_ || (may_use_device_ && additions >= kWorthADevice)) {
    const DeviceError error = try_device(data, samples, means.data());
    if (!error) return means;
    if (must_use_device_) {
      throw Error(ErrorCode::kUnavailable,
                  fmt::format("backend cuda: {}: {}", error.call, error.text));
    }
  }
  device_ = "cpu";
  on_threads(data, samples, means.data());
  return means;
}

DeviceError Resampler::try_device(const BootstrapData& data, std::uint32_t samples, double* means) {
  DeviceError error = bootstrap_means_device(0, data, 0, samples, means);
  if (!error) device_ = list_devices().front().name;
  may_use_device_ = must_use_device_ || !error;  // what failed is not tried again
  return error;
}

void Resampler::on_threads(const BootstrapData& data, std::uint32_t samples, double* means) {
  if (!pool_) return bootstrap_means(data, 0, samples, means);
  // Four parts a thread: one that is slow keeps nobody waiting for long.
  const auto part = std::max(1u, samples / (4 * static_cast<std::uint32_t>(threads_)));
  const std::size_t parts = (samples + std::size_t{part} - 1) / part;
  pool_->wait(*pool_->start(parts, [&](std::size_t i) {
    const auto first = static_cast<std::uint32_t>(i * part);
    bootstrap_means(data, first, std::min(part, samples - first),
                    means + std::size_t{first} * data.columns);
  }));
}

}  // namespace playproof
