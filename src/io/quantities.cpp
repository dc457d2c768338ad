#include "src/io/quantities.h"

#include <fmt/format.h>

namespace playproof {

std::string counted(std::uint64_t number, std::string_view one, std::string_view more) {
  if (number == 1) return fmt::format("1 {}", one);
  return more.empty() ? fmt::format("{} {}s", number, one) : fmt::format("{} {}", number, more);
}

std::string grouped(std::uint64_t number) {
  std::string text = std::to_string(number);
  for (int i = static_cast<int>(text.size()) - 3; i > 0; i -= 3) {
    text.insert(static_cast<std::size_t>(i), 1, ',');
  }
  return text;
}

std::string bytes_text(std::uint64_t bytes) {
  const double mebibytes = static_cast<double>(bytes) / (1024.0 * 1024.0);
  return mebibytes < 1 ? fmt::format("{:.1f} KiB", mebibytes * 1024)
                       : fmt::format("{:.1f} MiB", mebibytes);
}

}  // namespace playproof
