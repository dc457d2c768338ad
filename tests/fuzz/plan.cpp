// Plans of experiments. Errors name the file and a line. A line "#*N TEXT" stands for TEXT N times,
// without a line's end, so that small inputs become deep ones.
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <regex>

#include "src/experiment/plan.h"
#include "tests/fuzz/target.h"

namespace playproof::fuzz {
namespace {

constexpr std::string_view kRepeat = "#*";
constexpr std::size_t kMostBytes = 400'000;

std::string expanded(std::string_view input) {
  std::string text;
  while (!input.empty()) {
    const std::size_t end = std::min(input.find('\n'), input.size() - 1) + 1;
    const std::string_view line = input.substr(0, end);
    input.remove_prefix(end);
    std::size_t times = 0;
    const char* const last = line.data() + line.size();
    const auto [stop, error] =
        std::from_chars(line.data() + std::min(line.size(), kRepeat.size()), last, times);
    if (!line.starts_with(kRepeat) || error != std::errc() || stop == last || *stop != ' ') {
      text += line;
      continue;
    }
    std::string_view piece(stop + 1, static_cast<std::size_t>(last - stop - 1));
    if (piece.ends_with('\n')) piece.remove_suffix(1);
    if (piece.empty()) continue;
    const std::size_t left = text.size() < kMostBytes ? kMostBytes - text.size() : 0;
    times = std::min(times, left / piece.size());
    for (std::size_t i = 0; i < times; ++i) text += piece;
  }
  return text;
}

}  // namespace

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string text = expanded(text_of(data, size));
  const int descriptor = memfd_create("plan", MFD_CLOEXEC);
  const auto written = static_cast<ssize_t>(text.size());
  if (descriptor < 0 || write(descriptor, text.data(), text.size()) != written) std::abort();
  const std::string path = "/proc/self/fd/" + std::to_string(descriptor);
  try {
    const Plan plan = load_plan(path);
    if (plan.json().empty() || plan.hash().size() != 16) broken("a plan without a text");
  } catch (const Error& error) {
    const std::string what = error.what();
    if (error.code() != ErrorCode::kData) broken(what);
    // Of another file that the plan names: its own path.
    const bool place = what.starts_with(path + ":") || what.find(": ") != std::string::npos;
    if (!place) broken("an error without a place: " + what);
  }
  close(descriptor);
  return 0;
}

}  // namespace playproof::fuzz
