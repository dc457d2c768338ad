#include "src/io/progress.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <nlohmann/json.hpp>
#include <string_view>
#include <utility>
#include <vector>

#include "games/core/error.h"
#include "src/io/json.h"
#include "src/io/output.h"
#include "src/io/quantities.h"
#include "src/io/terminal.h"

namespace playproof {
namespace {

constexpr double kInterval = 0.5;  // seconds

// A part of the line; where room is short, the greatest `rank` goes first.
struct Part {
  std::string text;
  int rank = 0;
};

// "12", "0.4321", "inf".
std::string number_text(double number) {
  constexpr double kExact = 1e7;  // below, whole numbers have all their digits
  const bool whole = number == std::floor(number) && std::abs(number) < kExact;
  return whole ? fmt::format("{:.0f}", number) : fmt::format("{:.4g}", number);
}

std::string numbers_text(const NodeNumbers& numbers) {
  std::string text;
  for (const auto& [name, number] : numbers) {
    if (std::string_view(name) == "leaf_depth") continue;
    text += fmt::format("{}{} {}", text.empty() ? "" : " ", name, number_text(number));
  }
  std::replace(text.begin(), text.end(), '_', ' ');
  return text;
}

// The numbers of the root; nothing of a search without nodes.
std::string root_text(const Solver& solver) {
  try {
    return numbers_text(solver.nodes({0, 1})[0].numbers);
  } catch (const Error& error) {
    if (error.code() != ErrorCode::kUsage) throw;  // minimax
    return {};
  }
}

// "62 % of --max-seconds": of the limit that is nearest.
std::string nearest_limit(const SolveResult& result, const SearchLimits& limits) {
  const auto share = [](double of, double limit) { return limit > 0 ? of / limit : 0; };
  const Counters& counters = result.counters;
  const bool counted = limits.max_nodes != SearchLimits::kNone;
  const std::pair<double, const char*> shares[] = {
      {share(static_cast<double>(counters.peak_bytes), static_cast<double>(limits.max_memory)),
       "--max-memory"},
      {share(result.seconds, limits.max_seconds), "--max-seconds"},
      {counted ? share(static_cast<double>(counters.nodes_created),
                       static_cast<double>(limits.max_nodes))
               : 0,
       "--max-nodes"}};
  const auto& [nearest, name] =
      *std::max_element(std::begin(shares), std::end(shares),
                        [](const auto& a, const auto& b) { return a.first < b.first; });
  return fmt::format("{:.0f} % of {}", 100 * nearest, name);
}

// The parts that fit, in their order.
std::string fitting(std::vector<Part> parts, std::size_t columns) {
  while (true) {
    std::string line;
    for (const Part& part : parts) line += (line.empty() ? "" : "  ") + part.text;
    if (line.size() <= columns) return line;
    if (parts.size() == 1) return line.substr(0, columns);
    parts.erase(std::max_element(parts.begin(), parts.end(),
                                 [](const Part& a, const Part& b) { return a.rank < b.rank; }));
  }
}

}  // namespace

ProgressMode parse_progress(const std::string& text) {
  if (text == "auto") return isatty(STDERR_FILENO) ? ProgressMode::kLine : ProgressMode::kNone;
  if (text == "json") return ProgressMode::kJson;
  if (text == "none") return ProgressMode::kNone;
  throw Error(ErrorCode::kUsage,
              fmt::format("--progress must be auto, json or none, not '{}'", text));
}

std::string progress_line(const Solver& solver, double elapsed, const SearchLimits& limits,
                          int columns, const std::optional<RecordNames>& names) {
  const SolveResult result = solver.result();
  const Counters& counters = result.counters;
  std::string best = result.best_move.value_or("");
  if (names) best = names->move(best);
  std::vector<Part> parts = {{fmt::format("{:.1f} s", elapsed), 0}};
  if (std::string root = root_text(solver); !root.empty()) {
    parts.push_back({std::move(root), 1});
  }
  parts.push_back({counted(counters.nodes_created, "node"), 4});
  if (result.seconds > 0) {
    const double rate = static_cast<double>(counters.nodes_created) / result.seconds;
    parts.push_back({fmt::format("{:.3g} nodes/s", rate), 5});
  }
  if (!best.empty()) parts.push_back({"best " + best, 6});
  parts.push_back({bytes_text(counters.peak_bytes), 3});
  parts.push_back({nearest_limit(result, limits), 2});
  return fitting(std::move(parts), static_cast<std::size_t>(std::max(columns, 1)));
}

Progress::Progress(ProgressMode mode, const SearchLimits& limits, std::optional<RecordNames> names)
    : mode_(mode), limits_(limits), names_(std::move(names)) {
  if (mode_ == ProgressMode::kLine) limits_.max_memory = memory_limit(limits);
}

Progress::~Progress() {
  if (line_shown_) write_stderr("\r\x1b[K");
}

void Progress::update(const Solver& solver, double elapsed) {
  if (mode_ == ProgressMode::kNone || elapsed < next_) return;
  next_ = elapsed + kInterval;
  if (mode_ == ProgressMode::kLine) {
    // In the last column a terminal may begin another line.
    const int columns = terminal_columns(STDERR_FILENO) - 1;
    write_stderr('\r' + progress_line(solver, elapsed, limits_, columns, names_) + "\x1b[K");
    line_shown_ = true;
    return;
  }
  const Counters counters = solver.result().counters;
  const Json json = {{"seconds", elapsed},
                     {"iterations", counters.iterations},
                     {"nodes_created", counters.nodes_created},
                     {"nodes_per_second", static_cast<double>(counters.nodes_created) / elapsed},
                     {"playouts", counters.playouts},
                     {"peak_bytes", counters.peak_bytes}};
  write_stderr(json.dump() + "\n");
}

}  // namespace playproof
