#include "src/experiment/record.h"

#include <fmt/format.h>

#include <cstddef>
#include <thread>
#include <utility>
#include <vector>

#include "games/core/error.h"
#include "src/io/build_info.h"
#include "src/io/exit_status.h"
#include "src/io/machine.h"
#include "src/io/output.h"
#include "src/io/quantities.h"

namespace playproof {

ExperimentRecord::ExperimentRecord(const Plan& plan, const ExperimentOptions& options,
                                   const RunList& list)
    : plan_(plan), options_(options), list_(list), store_(options.store) {
  std::vector<std::string> keys;
  keys.reserve(list_.runs.size());
  for (const PlannedRun& run : list_.runs) keys.push_back(run.key);
  store_.put_plan({plan_.hash(), plan_.name, plan_.text, plan_.json()}, keys);
  InvocationRow row{plan_.hash(),
                    options_.command,
                    kVersion,
                    kGitRevision,
                    kCompiler,
                    kBuildType,
                    host_name(),
                    cpu_model(),
                    "",
                    0,
                    0,
                    utc_now()};
  row.shard = fmt::format("{}/{}", options_.shard_index + 1, options_.shard_count);
  row.cores = std::thread::hardware_concurrency();
  row.concurrent = options_.threads;
  invocation_ = store_.begin_invocation(row);
}

std::vector<const PlannedRun*> ExperimentRecord::missing() {
  std::vector<const PlannedRun*> missing;
  const std::vector<bool> stored = store_.stored_runs(plan_.hash(), list_.runs.size());
  for (std::size_t i = 0; i < list_.runs.size(); ++i) {
    const PlannedRun& run = list_.runs[i];
    if (run.instance % options_.shard_count != options_.shard_index) continue;
    if (!stored[i]) missing.push_back(&run);
  }
  return missing;
}

bool ExperimentRecord::take(const PlannedRun& planned, MadeRun made, RunWay way) {
  if (!is_stored(planned, made)) return false;
  store_.put_run(made.row);
  count_stored(1, way);
  return true;
}

std::size_t ExperimentRecord::take_all(std::span<const PlannedRun* const> planned,
                                       std::vector<MadeRun> made, RunWay way) {
  std::vector<RunRow> rows;
  rows.reserve(made.size());
  for (std::size_t i = 0; i < made.size(); ++i) {
    if (is_stored(*planned[i], made[i])) rows.push_back(std::move(made[i].row));
  }
  store_.put_runs(rows);
  count_stored(rows.size(), way);
  return rows.size();
}

bool ExperimentRecord::is_stored(const PlannedRun& planned, MadeRun& made) {
  if (made.state == MadeRun::State::kFailed) failures_.emplace(&planned, std::move(made.text));
  out_of_memory_ += made.state == MadeRun::State::kMemory;
  made.row.invocation = invocation_;
  return made.state == MadeRun::State::kResult;
}

void ExperimentRecord::count_stored(std::size_t runs, RunWay way) {
  stored_ += runs;
  if (way == RunWay::kFleet) in_fleets_ += runs;
  if (way == RunWay::kDevice) on_device_ += runs;
}

void ExperimentRecord::print_failures() const {
  for (const std::string& text : failed_fleets_) print_error("FAILED: " + text);
  for (const auto& [run, text] : failures_) {
    const std::ptrdiff_t index = run - list_.runs.data();
    print_error(fmt::format("FAILED: run {} ({}): {}", index + 1, run->key, text));
  }
}

ExperimentResult ExperimentRecord::end(bool stopped, const std::string& fewer) {
  store_.end_invocation(invocation_);
  ExperimentResult result;
  StoredRuns stored = store_.sum_up(plan_.hash());
  result.disagreements = std::move(stored.disagreements);
  for (const std::string& line : result.disagreements) print_error("DISAGREEMENT: " + line);
  result.failed = failures_.size();
  result.stored = stored.stored;
  result.undecided = stored.undecided;
  result.planned = list_.runs.size();
  result.made = stored_;
  result.summary = summary(result);
  if (!result.disagreements.empty() || !failures_.empty() || !failed_fleets_.empty()) {
    result.status = static_cast<int>(ErrorCode::kInternal);
  } else if (stopped || out_of_memory_ > 0) {
    result.status = kExitStopped;
  }
  if (out_of_memory_ > 0) {
    print_error(
        fmt::format("{} more memory than this machine has for {} at once; start again with fewer "
                    "{}, or set limits.max_memory in the plan",
                    counted(out_of_memory_, "run needs", "runs need"),
                    counted(static_cast<std::uint64_t>(options_.threads), "run"), fewer));
  }
  store_.close();
  return result;
}

std::string ExperimentRecord::summary(const ExperimentResult& result) const {
  const std::string failed = failures_.empty() ? "" : fmt::format(", {} failed", failures_.size());
  std::string fleets = in_fleets_ == 0 ? "" : fmt::format(", {} in fleets", in_fleets_);
  if (on_device_ > 0) fleets += fmt::format(", {} whole on the device", on_device_);
  if (!failed_fleets_.empty()) {
    fleets += fmt::format(", {} failed", counted(failed_fleets_.size(), "fleet"));
  }
  return fmt::format("{}: {} of {} in {} ({} now, {} before), {} undecided, {}{}{}", plan_.name,
                     result.stored, counted(result.planned, "run"), options_.store, stored_,
                     result.stored - static_cast<std::int64_t>(stored_), result.undecided,
                     counted(result.disagreements.size(), "disagreement"), failed, fleets);
}

}  // namespace playproof
