#include "src/io/progress.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cstdio>
#include <nlohmann/json.hpp>

#include "games/core/error.h"
#include "src/io/json.h"
#include "src/io/output.h"

namespace playproof {
namespace {

constexpr double kInterval = 0.5;  // seconds

}  // namespace

ProgressMode parse_progress(const std::string& text) {
  if (text == "auto") return isatty(STDERR_FILENO) ? ProgressMode::kLine : ProgressMode::kNone;
  if (text == "json") return ProgressMode::kJson;
  if (text == "none") return ProgressMode::kNone;
  throw Error(ErrorCode::kUsage,
              fmt::format("--progress must be auto, json or none, not '{}'", text));
}

Progress::~Progress() {
  if (line_shown_) write_stderr("\r\x1b[K");
}

void Progress::update(const Solver& solver, double elapsed) {
  if (mode_ == ProgressMode::kNone || elapsed < next_) return;
  next_ = elapsed + kInterval;
  show(solver.result().counters, elapsed);
}

void Progress::show(const Counters& counters, double elapsed) {
  const double rate = static_cast<double>(counters.nodes_created) / elapsed;
  if (mode_ == ProgressMode::kJson) {
    const Json json = {{"seconds", elapsed},
                       {"iterations", counters.iterations},
                       {"nodes_created", counters.nodes_created},
                       {"nodes_per_second", rate},
                       {"playouts", counters.playouts},
                       {"peak_bytes", counters.peak_bytes}};
    write_stderr(json.dump() + "\n");
    return;
  }
  write_stderr(fmt::format("\r{:.1f} s  {} iterations  {} nodes  {:.3g} nodes/s\x1b[K", elapsed,
                           counters.iterations, counters.nodes_created, rate));
  line_shown_ = true;
}

}  // namespace playproof
