// What a long search shows on stderr while it runs.
#pragma once

#include <string>

#include "host/solve/solver.h"

namespace playproof {

enum class ProgressMode { kLine, kJson, kNone };

// "auto" (a line if stderr is a terminal), "json" (one object a line), "none".
// Throws Error(kUsage).
ProgressMode parse_progress(const std::string& text);

// Shows counts and rate at most twice a second; the line is wiped when the object ends.
class Progress {
 public:
  explicit Progress(ProgressMode mode) : mode_(mode) {}
  ~Progress();
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  // Cheap unless something is due. `elapsed` is in seconds since the search began.
  void update(const Solver& solver, double elapsed);

 private:
  void show(const Counters& counters, double elapsed);

  ProgressMode mode_;
  double next_ = 0.5;
  bool line_shown_ = false;
};

}  // namespace playproof
