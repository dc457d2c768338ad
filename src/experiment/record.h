// An experiment's side of its store: what the store lacks, the rows that come in, and how it ended.
// Who makes the runs, on which threads or machines, is not known here. Not for several threads at a
// time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "src/experiment/experiment.h"
#include "src/experiment/made_run.h"
#include "src/experiment/plan.h"
#include "src/experiment/runs.h"
#include "src/store/store.h"

namespace playproof {

// How a run was made.
enum class RunWay {
  kAlone,
  kFleet,   // its playouts with those of others (host/solve/fleet.h)
  kDevice,  // as a whole on a device (host/solve/whole_searches.h)
};

class ExperimentRecord {
 public:
  // Opens the store and writes down that this plan is run now. All three must live as long.
  ExperimentRecord(const Plan& plan, const ExperimentOptions& options, const RunList& list);

  // The runs of this part that the store lacks, in the order of the plan.
  std::vector<const PlannedRun*> missing();

  // A result is stored, once, and counted; everything else is counted only. True if it is a result.
  bool take(const PlannedRun& planned, MadeRun made, RunWay way = RunWay::kAlone);
  // Takes many at once and stores them in one transaction: a row for itself takes the store five
  // times as long. Returns how many are results.
  std::size_t take_all(std::span<const PlannedRun* const> planned, std::vector<MadeRun> made,
                       RunWay way);
  void note_fleet_failure(std::string text) { failed_fleets_.push_back(std::move(text)); }

  // FAILED lines on stderr.
  void print_failures() const;
  // The end of the invocation; DISAGREEMENT lines on stderr. `fewer` is the option that gives one
  // run more memory. Closes the store.
  ExperimentResult end(bool stopped, const std::string& fewer);

 private:
  bool is_stored(const PlannedRun& planned, MadeRun& made);  // else it is counted
  void count_stored(std::size_t runs, RunWay way);
  std::string summary(const ExperimentResult& result) const;

  const Plan& plan_;
  const ExperimentOptions& options_;
  const RunList& list_;
  Store store_;
  std::int64_t invocation_ = 0;
  std::size_t stored_ = 0;
  std::size_t in_fleets_ = 0;  // of those
  std::size_t on_device_ = 0;
  std::size_t out_of_memory_ = 0;
  std::vector<std::string> failed_fleets_;             // what was said
  std::map<const PlannedRun*, std::string> failures_;  // in the order of the plan
};

}  // namespace playproof
