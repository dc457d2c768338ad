// Runs a plan: many searches at once, one row each, committed as soon as it is done.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "src/experiment/plan.h"
#include "src/io/files_apart.h"
#include "src/io/progress.h"

namespace playproof {

struct ExperimentOptions {
  std::string store;
  std::string backend = "auto";
  // Neither changes a result. A run of several workers is made alone. The searches in flight are of
  // a backend that wants many at a time; with any other there are as many as threads for them.
  int threads = 1;
  std::uint32_t in_flight = 0;  // 0: what suits the threads
  std::size_t shard_index = 0;  // this part runs the instances with index % count == shard_index
  std::size_t shard_count = 1;
  ProgressMode progress = ProgressMode::kNone;
  std::string command;            // for the record
  std::function<bool()> stopped;  // asked by every thread; true abandons what runs. Empty: signals
  // Told under a lock of each run that was made: how many, of how many, and the seconds so far.
  std::function<void(std::size_t done, std::size_t total, double seconds)> on_run;
};

struct ExperimentResult {
  int status = 0;           // the exit status that run_experiment() says
  std::string summary;      // one line
  std::int64_t stored = 0;  // runs of the plan that the store has now, of how many,
  std::size_t planned = 0;
  std::size_t made = 0;  // and how many of them this call has made
  std::int64_t undecided = 0;
  std::vector<std::string> disagreements;  // verdicts that contradict what is known, or each other
  std::size_t failed = 0;                  // runs with an internal error
};

// What can be said before the plan is read. Throws Error(kUsage): an unknown backend, `in_flight`
// with one that does not want many searches at a time.
void check_options(const ExperimentOptions& options);

// The files of an experiment, as keep_apart() takes them; before the plan is read, of an empty one.
std::vector<UsedFile> files_of(const std::string& plan_file, const Plan& plan,
                               const ExperimentOptions& options);

// Runs what the store lacks. Prints for every verdict that contradicts what is known, and for every
// question with verdicts that contradict each other, a line with DISAGREEMENT to stderr, and for
// every run with an internal error, which is not stored, and every fleet that ended by one, a line
// with FAILED. The exit status: 0 all runs are stored; 70 disagreements or failed runs (start again
// to try them again); 75 stopped by a signal, or runs that this machine's memory did not suffice
// for (start again, there with fewer threads). Throws Error as load_plan, check_workers_fit, Store
// and make_solver do.
ExperimentResult run_experiment(const Plan& plan, const ExperimentOptions& options);

// Prints the runs of this shard, one a line, and how many they are. Touches no store.
int print_runs(const Plan& plan, const ExperimentOptions& options);

}  // namespace playproof
