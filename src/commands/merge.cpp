// playproof merge: several result stores become one.
#include <fmt/format.h>

#include <memory>
#include <string>
#include <vector>

#include "games/core/error.h"
#include "games/core/printable.h"
#include "src/commands/command_options.h"
#include "src/commands/commands.h"
#include "src/io/files_apart.h"
#include "src/io/output.h"
#include "src/store/merge.h"
#include "src/store/store.h"

namespace playproof {
namespace {

constexpr const char* kDescription =
    "Adds the runs of result stores (the parts of --shard, say) to one store, which is made if it\n"
    "is not there. The stores that are named first are only read.";

constexpr const char* kFooter =
    "All or nothing, also if the program is killed: then the store is as it was, and\n"
    "the same command does it all.\n"
    "\n"
    "A run that several stores have must be the same in all of them, but for what\n"
    "differs when a run is made again: times, machine, program, backend with the same\n"
    "playouts, peak_bytes. The first one stays. Two results of one run end the merge;\n"
    "the message has the run and the column. Of a plan the list of runs of its last\n"
    "use counts. `experiment` goes on where a merged store stops.\n"
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
};

void keep_files_apart(const MergeOptions& options) {
  std::vector<UsedFile> files;
  for (const std::string& source : options.sources) {
    files.push_back({"RESULTS", source, FileUse::kRead, store_companions()});
  }
  std::vector<std::string> ends = store_companions();
  for (const std::string& end : merge_companions()) ends.push_back(end);
  files.push_back({"--store", options.store, FileUse::kWritten, ends});
  keep_apart(files);
}

int merge_main(const MergeOptions& options) {
  if (options.sources.empty()) {
    throw Error(ErrorCode::kUsage, "merge: RESULTS is required: stores made by `experiment`");
  }
  check_store_name(options.store);
  keep_files_apart(options);
  const MergeResult result = merge_stores(options.sources, options.store);
  std::string text =
      fmt::format("{}: {} runs added, {} known\n", options.store, result.added, result.known);
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
  CLI::App& command = add_command(app, "merge", kDescription, kFooter);
  add_texts(command, "RESULTS", &options->sources, "Stores made by `experiment`");
  required(add_file(command, "--store", &options->store, "The store to add them to"));
  when_read(command, [options, &chosen] { chosen = [options] { return merge_main(*options); }; });
}

}  // namespace playproof
