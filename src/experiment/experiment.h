// Runs a plan: many searches at once, one row each, committed as soon as it is done.
#pragma once

#include <cstddef>
#include <string>

#include "src/experiment/plan.h"
#include "src/io/progress.h"

namespace playproof {

struct ExperimentOptions {
  std::string store;
  std::string backend = "auto";
  // Neither changes a result. The searches in flight are of a backend that wants many at a time;
  // with any other there are as many as threads.
  int threads = 1;
  std::uint32_t in_flight = 0;  // 0: what suits the threads
  std::size_t shard_index = 0;  // this part runs the instances with index % count == shard_index
  std::size_t shard_count = 1;
  ProgressMode progress = ProgressMode::kNone;
  std::string command;  // for the record
};

// Runs what the store lacks. Prints a summary to stdout and, for every verdict that contradicts
// what is known, a line with DISAGREEMENT to stderr, and for every run with an internal error,
// which is not stored, one with FAILED. Returns the exit status: 0 all runs are stored; 70
// disagreements or failed runs (start again to try them again); 75 stopped by a signal, or runs
// that this machine's memory did not suffice for (start again, there with fewer threads). Throws
// Error as load_plan, Store and make_solver do.
int run_experiment(const Plan& plan, const ExperimentOptions& options);

// Prints the runs of this shard, one a line, and how many they are. Touches no store.
int print_runs(const Plan& plan, const ExperimentOptions& options);

}  // namespace playproof
