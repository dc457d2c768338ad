// playproof merge: several result stores become one.
#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "games/core/error.h"
#include "games/core/printable.h"
#include "src/commands/command_options.h"
#include "src/commands/commands.h"
#include "src/experiment/plan.h"
#include "src/experiment/runs.h"
#include "src/io/files_apart.h"
#include "src/io/output.h"
#include "src/store/merge.h"
#include "src/store/store.h"

namespace playproof {
namespace {

constexpr const char* kMergeDescription =
    "Adds the runs of result stores (the parts of --shard, say) to one store, which is made if it\n"
    "is not there. The stores that are named first are only read.";

constexpr const char* kMergeFooter =
    "All or nothing, also if the program is killed: then the store is as it was, and\n"
    "the same command does it all.\n"
    "\n"
    "A run that several stores have must be the same in all of them, but for what\n"
    "differs when a run is made again: times, machine, program, backend with the same\n"
    "playouts, peak_bytes. The first one stays. Two results of one run end the merge;\n"
    "the message has the run and the column. Of a plan the list of runs of its last\n"
    "use counts. `experiment` goes on where a merged store stops.\n"
    "\n"
    "With --plan the runs that this plan asks for are added, under its names: those\n"
    "of the same position, algorithm, limits and seed, whatever plan and series they\n"
    "were made for. So plans are joined, cut or renamed, and `experiment` makes no\n"
    "run again.\n"
    "\n"
    "A store with what playproof does not make (triggers, views, other tables, values\n"
    "that no run has) is refused: it could change results.\n"
    "\n"
    "Exit status: 0 merged, 64 usage, 65 a store that cannot be read, is damaged or\n"
    "is refused, or two results of one run, 74 store not written.\n"
    "\n"
    "Examples:\n"
    "  playproof merge part1.db part2.db --store all.db\n"
    "  playproof merge parts/*.db --store all.db";

struct MergeOptions {
  std::vector<std::string> sources;
  std::string store;
  std::optional<std::string> plan;
  std::vector<std::string> series;
};

// What --plan asks for, of all its series or of those of --series.
TakingPlan taking_plan(const MergeOptions& options) {
  const Plan plan = load_plan(*options.plan);
  const auto is_known = [&](const std::string& name) {
    return std::ranges::any_of(plan.series, [&](const PlanSeries& s) { return s.name == name; });
  };
  for (const std::string& name : options.series) {
    if (is_known(name)) continue;
    throw Error(ErrorCode::kUsage,
                fmt::format("--series: {} has no series '{}'", *options.plan, name));
  }
  TakingPlan taking{{plan.hash(), plan.name, plan.text, plan.json()}, {}};
  for (const PlannedRun& run : list_runs(plan, "cpu").runs) {
    const bool wanted = options.series.empty() ||
                        std::ranges::find(options.series, run.series) != options.series.end();
    taking.runs.push_back({run.key, run.plan, run.series, run.problem, run.algorithm, run.game,
                           run.position, run.goal, wanted});
  }
  return taking;
}

void keep_files_apart(const MergeOptions& options) {
  std::vector<UsedFile> files;
  for (const std::string& source : options.sources) {
    files.push_back({"RESULTS", source, FileUse::kRead, store_companions()});
  }
  std::vector<std::string> ends = store_companions();
  for (const std::string& end : merge_companions()) ends.push_back(end);
  files.push_back({"--store", options.store, FileUse::kWritten, ends});
  if (options.plan) files.push_back({"--plan", *options.plan, FileUse::kRead, {}});
  keep_apart(files);
}

int merge_main(const MergeOptions& options) {
  if (options.sources.empty()) {
    throw Error(ErrorCode::kUsage, "merge: RESULTS is required: stores made by `experiment`");
  }
  check_store_name(options.store);
  keep_files_apart(options);
  if (!options.series.empty() && !options.plan) {
    throw Error(ErrorCode::kUsage, "--series is of --plan");
  }
  const MergeResult result =
      options.plan ? merge_stores(options.sources, options.store, taking_plan(options))
                   : merge_stores(options.sources, options.store);
  std::string text =
      fmt::format("{}: {} runs added, {} known", options.store, result.added, result.known);
  if (options.plan) text += fmt::format(", {} of other plans left out", result.left);
  text += "\n";
  for (const MergedPlan& plan : result.plans) {
    text += fmt::format("{} ({}): {} of {} runs\n", one_line(plan.name), one_line(plan.hash),
                        plan.stored, plan.planned);
  }
  write_stdout(text);
  return 0;
}

}  // namespace

void add_merge_command(CLI::App& app, Action& chosen) {
  auto options = std::make_shared<MergeOptions>();
  CLI::App& command = add_command(app, "merge", kMergeDescription, kMergeFooter);
  add_texts(command, "RESULTS", &options->sources, "Stores made by `experiment`");
  required(add_file(command, "--store", &options->store, "The store to add them to"));
  add_file(command, "--plan", &options->plan, "A plan that takes the runs that it asks for");
  add_texts(command, "--series", &options->series, "Series of that plan to fill; default: all");
  when_read(command, [options, &chosen] { chosen = [options] { return merge_main(*options); }; });
}

}  // namespace playproof
