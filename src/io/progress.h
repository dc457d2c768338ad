// What a long search shows on stderr while it runs.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "host/solve/solver.h"
#include "src/io/record_names.h"

namespace playproof {

enum class ProgressMode { kLine, kJson, kNone };

// "auto" (a line if stderr is a terminal), "json" (one object a line), "none".
// Throws Error(kUsage).
ProgressMode parse_progress(const std::string& text);

// The line of a terminal: time, the numbers of the root, the share of the limit that is nearest,
// memory, nodes, rate and the best move. Where `columns` are too few, what says least is left out.
// `limits.max_memory` is what holds, not 0. The best move is called as `names` have it, if there
// are.
std::string progress_line(const Solver& solver, double elapsed, const SearchLimits& limits,
                          int columns, const std::optional<RecordNames>& names = {});

// Shows counts and rate at most twice a second; the line is wiped when the object ends.
class Progress {
 public:
  explicit Progress(ProgressMode mode, const SearchLimits& limits = {},
                    std::optional<RecordNames> names = {});
  ~Progress();
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  // Cheap unless something is due. `elapsed` is in seconds since the search began.
  void update(const Solver& solver, double elapsed);

 private:
  ProgressMode mode_;
  SearchLimits limits_;
  std::optional<RecordNames> names_;
  double next_ = 0.5;
  bool line_shown_ = false;
};

}  // namespace playproof
