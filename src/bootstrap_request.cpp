#include "src/bootstrap_request.h"

#include <fmt/format.h>

#include <algorithm>

#include "games/error.h"
#include "src/command_options.h"

namespace playproof {

void check_size(const BootstrapRequest& request) {
  for (const std::uint64_t rows : {request.units, request.samples}) {
    if (rows > kMostNumbers / request.columns) {
      throw Error(ErrorCode::kUsage, fmt::format("{} rows of {} columns are more than {} numbers",
                                                 rows, request.columns, kMostNumbers));
    }
  }
}

BootstrapRequest parse_bootstrap_request(const std::string& line) {
  BootstrapRequest request;
  std::size_t at = 0;
  const auto number = [&](const char* name, std::uint64_t min, std::uint64_t max) {
    const std::size_t end = std::min(line.find(' ', at), line.size());
    const std::string text = line.substr(at, end - at);
    at = std::min(end + 1, line.size());
    return read_integer(name, text, min, max);
  };
  request.units = number("units", 1, kMostNumbers);
  request.columns = number("columns", 1, kMostNumbers);
  request.samples = number("samples", 1, kMostNumbers);
  request.seed = number("seed", 0, kNoBound);
  if (at < line.size()) throw Error(ErrorCode::kUsage, "four numbers, not more, are a request");
  check_size(request);
  return request;
}

std::optional<BootstrapRequest> read_bootstrap_request(LineReader& reader,
                                                       std::vector<double>* values) {
  std::string line;
  try {
    if (!reader.next(&line)) return std::nullopt;
    const BootstrapRequest request = parse_bootstrap_request(line);
    values->resize(request.values());
    reader.take(values->size() * sizeof(double), reinterpret_cast<char*>(values->data()));
    return request;
  } catch (const Error& error) {
    throw Error(ErrorCode::kData,
                fmt::format("{}: request {}: {}", reader.name(), reader.number(), error.what()));
  }
}

}  // namespace playproof
