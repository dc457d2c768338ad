// What `bench bootstrap --serve` is asked: a line "UNITS COLUMNS SAMPLES SEED", then the values.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "kernels/bootstrap.h"
#include "src/line_reader.h"

namespace playproof {

// Values of a request and means of an answer: 1 GiB of each at most.
inline constexpr std::uint64_t kMostNumbers = std::uint64_t{1} << 27;

struct BootstrapRequest {
  std::uint64_t units = 200;
  std::uint64_t columns = 1;
  std::uint64_t samples = 10'000;
  std::uint64_t seed = 1;

  std::size_t values() const { return units * columns; }
  std::uint32_t sample_count() const { return static_cast<std::uint32_t>(samples); }
  // The values must outlive it.
  BootstrapData data(const std::vector<double>& values) const {
    return {values.data(), static_cast<std::uint32_t>(units), static_cast<std::uint32_t>(columns),
            seed};
  }
};

// Throws Error(kUsage) if there would be more than kMostNumbers values or means.
void check_size(const BootstrapRequest& request);

// The line alone. Throws Error(kUsage).
BootstrapRequest parse_bootstrap_request(const std::string& line);

// The next request with its values; none at the end. Throws Error(kData) with the request's number.
std::optional<BootstrapRequest> read_bootstrap_request(LineReader& reader,
                                                       std::vector<double>* values);

}  // namespace playproof
