// playproof experiment: runs a plan, resumes it, or lists it.
#include <fmt/format.h>

#include <memory>
#include <string>
#include <vector>

#include "games/core/error.h"
#include "games/core/spec.h"
#include "host/playouts/evaluator.h"
#include "src/commands/command_options.h"
#include "src/commands/commands.h"
#include "src/experiment/experiment.h"
#include "src/experiment/plan.h"
#include "src/io/exit_status.h"
#include "src/io/files_apart.h"
#include "src/io/interrupt.h"
#include "src/io/machine.h"
#include "src/io/output.h"
#include "src/store/store.h"

namespace playproof {
namespace {

constexpr const char* kExperimentDescription =
    "Runs the experiment that a plan describes: every algorithm on every problem, many searches "
    "at\n"
    "once, one row each in an SQLite file.\n"
    "\n"
    "Started again with the same store it runs what is missing; after a change of the plan, what\n"
    "changed. Results do not depend on the number of threads, but for runs that a plan limits by\n"
    "CPU time or gives several workers: these end elsewhere when they are made again. `playproof\n"
    "report` makes a page of the store.";

constexpr const char* kExperimentFooter =
    "Plans are TOML files; bench/plans/ has some, its README.md lists the keys.\n"
    "\n"
    "The first SIGINT or SIGTERM abandons the searches that run, keeps the finished\n"
    "ones and ends with status 75; the second ends at once. A store survives both,\n"
    "and a kill.\n"
    "\n"
    "A device, and one that `latency` simulates, gets --in-flight searches at a time,\n"
    "which the threads grow side by side: the runs of one algorithm in one game, all\n"
    "whose goal is no value or score. Their times are shares of the threads' time.\n"
    "`cuda` searches them as a whole where it can, if there are 128 a thread or more.\n"
    "With other backends each thread runs one search at a time; one that has several\n"
    "workers in the plan has no other beside it.\n"
    "\n"
    "--shard I/N runs the I-th of N parts (1/4 ... 4/4), each into a store of its\n"
    "own; `report` takes several stores. Runs that are compared with each other stay\n"
    "in one part.\n"
    "\n"
    "A run with an internal error is not stored: stderr names it (FAILED), the others\n"
    "go on, and a second start tries it again. Backends that play the same playouts\n"
    "(all but `scalar` and `fake`) may fill one store together; the runs of those two\n"
    "are runs of their own.\n"
    "\n"
    "Exit status: 0 every run is stored, 64 usage, 65 bad plan or store, 69 backend\n"
    "not available, 70 a verdict contradicts a known result or another verdict\n"
    "(DISAGREEMENT on stderr) or a run FAILED, 74 store not written, 75 stopped;\n"
    "start again to go on.\n"
    "\n"
    "Examples:\n"
    "  playproof experiment bench/plans/pgame-thesis.toml --store results.db\n"
    "  playproof experiment bench/plans/deeppn-hex.toml --dry-run\n"
    "  playproof experiment plan.toml --store part2.db --shard 2/8 --threads 4 \\\n"
    "      --progress json";

struct ExperimentCommand {
  std::string plan;
  std::string shard = "1/1";
  std::string progress = "auto";
  bool dry_run = false;
  ExperimentOptions options;
};

void parse_shard(const std::string& text, ExperimentOptions* options) {
  constexpr std::int64_t kMost = 1'000'000;
  const std::size_t slash = text.find('/');
  std::int64_t index = 0;
  std::int64_t count = 0;
  if (slash == std::string::npos || !parse_integer(text.substr(0, slash), &index) ||
      !parse_integer(text.substr(slash + 1), &count) || index < 1 || index > count ||
      count > kMost) {
    throw Error(ErrorCode::kUsage,
                fmt::format("--shard must be I/N with 1 <= I <= N, e.g. 2/8, not '{}'", text));
  }
  options->shard_index = static_cast<std::size_t>(index - 1);
  options->shard_count = static_cast<std::size_t>(count);
}

std::string command_line(const ExperimentCommand& command) {
  const ExperimentOptions& options = command.options;
  std::string text = fmt::format("playproof experiment {} --store {} --threads {}", command.plan,
                                 options.store, options.threads);
  if (options.backend != "auto") text += " --backend " + options.backend;
  if (options.in_flight > 0) text += fmt::format(" --in-flight {}", options.in_flight);
  if (options.shard_count > 1) text += " --shard " + command.shard;
  return text;
}

int experiment_main(ExperimentCommand command) {
  ExperimentOptions& options = command.options;
  parse_shard(command.shard, &options);
  options.progress = parse_progress(command.progress);
  if (!command.dry_run && options.store.empty()) {
    throw Error(ErrorCode::kUsage, "experiment: --store FILE is needed (or --dry-run)");
  }
  check_options(options);
  if (command.dry_run) return print_runs(load_plan(command.plan), options);
  check_store_name(options.store);
  keep_apart(files_of(command.plan, {}, options));
  const Plan plan = load_plan(command.plan);
  keep_apart(files_of(command.plan, plan, options));
  options.command = command_line(command);
  catch_interrupts();
  const ExperimentResult result = run_experiment(plan, options);
  write_line(result.summary);
  if (result.status == kExitStopped && interrupted()) {
    print_error(
        fmt::format("stopped with {} of {} runs stored; the same command again makes the "
                    "others",
                    result.stored, result.planned));
  }
  return result.status;
}

}  // namespace

void add_experiment_command(CLI::App& app, Action& chosen) {
  auto options = std::make_shared<ExperimentCommand>();
  CLI::App& command = add_command(app, "experiment", kExperimentDescription, kExperimentFooter);
  required(add_text(command, "PLAN", &options->plan, "The plan, a TOML file", ""));
  add_file(command, "--store", &options->options.store, "The SQLite file, made or continued");
  add_text(command, "--backend", &options->options.backend,
           "What plays the playouts (see `version`; default: auto)", "BACKEND");
  options->options.threads = all_cores();
  add_threads(command, &options->options.threads, "Searches at once (default: all cores)");
  const auto set_in_flight = [options](std::uint64_t n) {
    options->options.in_flight = static_cast<std::uint32_t>(n);
  };
  add_integer(command, "--in-flight", set_in_flight, 1, 1 << 24,
              "Searches at once on a device (default: 64 a thread)");
  add_text(command, "--shard", &options->shard, "Run one of N parts (default: 1/1)", "I/N");
  add_text(command, "--progress", &options->progress, "On stderr: auto, json or none", "MODE");
  add_flag(command, "--dry-run", &options->dry_run, "Print the runs of the plan and stop");
  when_read(command,
            [options, &chosen] { chosen = [options] { return experiment_main(*options); }; });
}

}  // namespace playproof
