// playproof bench search: the command line.
#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "games/core/error.h"
#include "src/bench/search.h"
#include "src/commands/bench_commands.h"
#include "src/commands/command_options.h"
#include "src/commands/solve_options.h"
#include "src/io/files_apart.h"
#include "src/io/interrupt.h"
#include "src/io/json.h"
#include "src/io/line_reader.h"
#include "src/io/machine.h"

namespace playproof {
namespace {

constexpr const char* kBenchSearchFooter =
    "Times are medians over the repeats; counts are the same in every repeat. Bytes a\n"
    "node are the peak memory of tree and path over the nodes created.\n"
    "\n"
    "With several positions (`--position -`, --position-file: one a line) and batch\n"
    "sizes, the nodes at each size over those at the first are averaged: the\n"
    "geometric mean with its 95 % interval. With several --pipeline, every size is\n"
    "measured with each of them, and the first is size and pipeline of the first row.\n"
    "\n"
    "With --in-flight, --searches of them are run, so many at a time: the seed goes\n"
    "up by one from search to search, in P-games the tree does too, and the positions\n"
    "are gone through again and again. Each of the --feeders drives its share of the\n"
    "searches over an evaluator of its own: as many as --threads where playouts take\n"
    "the program's own cores, else one. What `latency` simulates is one device, of\n"
    "which each has its part. Busy is the share of their time with a batch at the\n"
    "evaluator.\n"
    "\n"
    "Examples:\n"
    "  playproof bench search hex:size=4 --algorithm pn --max-nodes 50000000 \\\n"
    "      --repeat 5\n"
    "  playproof bench search pgame --algorithm ppn:playouts=10 --batch 1,8,64 --json\n"
    "  playproof bench search hex:size=4 --algorithm ppn --batch 1,8,64 \\\n"
    "      --position-file openings.txt\n"
    "  playproof bench search hex --algorithm ppn --batch 256 --pipeline 1,2,4 \\\n"
    "      --backend latency:of=fake --max-nodes 5000000\n"
    "  playproof bench search pgame --algorithm ppn --in-flight 1,100,10000 \\\n"
    "      --searches 10000 --backend latency";

std::vector<std::uint32_t> parse_list(const std::string& what, const std::string& text,
                                      std::uint64_t max) {
  std::vector<std::uint32_t> numbers;
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find(',', begin), text.size());
    numbers.push_back(
        static_cast<std::uint32_t>(read_integer(what, text.substr(begin, end - begin), 1, max)));
    begin = end + 1;
  }
  return numbers;
}

void add_fleet_options(CLI::App& command, BenchSearchOptions* values) {
  constexpr std::uint64_t kMost = 1 << 24;
  const auto set_in_flight = [values](const std::string& text) {
    values->in_flight = parse_list("--in-flight", text, kMost);
  };
  add_text(command, "--in-flight", set_in_flight,
           "Numbers of searches that are run at a time, e.g. 1,100", "LIST");
  add_integer(command, "--searches", &values->searches, 1, kMost,
              "With --in-flight: searches in all (default: 1000)");
  const auto set_batch_searches = [values](std::uint64_t n) {
    values->batch_searches = static_cast<std::uint32_t>(n);
  };
  add_integer(command, "--batch-searches", set_batch_searches, 1, kMost,
              "With --in-flight: searches whose leaves go into one batch (default: 64)");
  const auto set_feeders = [values](std::uint64_t n) { values->feeders = static_cast<int>(n); };
  add_integer(command, "--feeders", set_feeders, 1, 1024,
              "With --in-flight: threads that drive the searches");
}

std::vector<std::string> read_positions(const std::optional<std::string>& path) {
  path ? keep_apart({{"--position-file", *path, FileUse::kRead, {}}}) : keep_apart_from_stdin();
  LineReader reader(path);
  std::vector<std::string> positions;
  try {
    for (std::string line; reader.next(&line);) positions.push_back(line);
  } catch (const LongLine& error) {
    throw Error(error.code(),
                fmt::format("{}:{}: {}", reader.name(), reader.number(), error.what()));
  }
  if (positions.empty()) throw Error(ErrorCode::kData, reader.name() + ": no position");
  return positions;
}

// A bad position ends all: the positions that are left would be another benchmark.
int run_bench(BenchSearchOptions& options, const std::optional<std::string>& position_file) {
  catch_interrupts();
  if (position_file || options.request.position == "-") {
    options.positions = read_positions(position_file);
  } else {
    options.positions = {options.request.position};
  }
  return options.in_flight.empty() ? bench_batches(options) : bench_fleet(options);
}

}  // namespace

Json bench_search_json(const BenchSearchOptions& options, const std::string& backend,
                       const std::string& device) {
  return {{"game", options.request.game},
          {"algorithm", options.request.algorithm},
          {"goal", options.request.goal},
          {"backend", backend},
          {"device", device},
          {"threads", options.request.threads},
          {"seed", options.request.seed},
          {"version", version_text()}};
}

void add_bench_search_command(CLI::App& bench, Action& chosen) {
  constexpr std::uint64_t kMaxRepeat = 1000;
  auto options = std::make_shared<BenchSearchOptions>();
  BenchSearchOptions* values = options.get();
  CLI::App& command =
      add_command(bench, "search", "Times a search: iterations and nodes a second, memory.",
                  kBenchSearchFooter);
  add_search_options(command, &values->request);
  auto position_file = std::make_shared<std::optional<std::string>>();
  add_position_options(command, &values->request.position, position_file.get());
  const auto set_batches = [values](const std::string& text) {
    values->batches = parse_list("--batch", text, kMaxBatch);
  };
  add_text(command, "--batch", set_batches, "Batch sizes to measure, e.g. 1,8,64 (default: 1)",
           "LIST");
  const auto set_pipelines = [values](const std::string& text) {
    values->pipelines = parse_list("--pipeline", text, kMostPipeline);
  };
  add_text(command, "--pipeline", set_pipelines,
           "Numbers of batches out at a time to measure, e.g. 1,2,4 (default: 1)", "LIST");
  add_integer(command, "--repeat", &values->repeat, 1, kMaxRepeat,
              "Searches for each batch size and pipeline (default: 3)");
  add_fleet_options(command, values);
  add_json_flag(command, &values->json);
  when_read(command, [options, position_file, &chosen] {
    chosen = [options, position_file] { return run_bench(*options, *position_file); };
  });
}

}  // namespace playproof
