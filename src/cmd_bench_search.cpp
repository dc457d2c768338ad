// playproof bench search: the same search again and again, for each batch size.
#include <fmt/format.h>

#include <CLI/App.hpp>
#include <algorithm>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "games/error.h"
#include "games/game_text.h"
#include "games/spec.h"
#include "host/fleet.h"
#include "host/solver.h"
#include "src/bench_commands.h"
#include "src/command_options.h"
#include "src/drive.h"
#include "src/interrupt.h"
#include "src/listing.h"
#include "src/output.h"
#include "src/solve_options.h"
#include "src/solve_result.h"

namespace playproof {
namespace {

constexpr const char* kFooter =
    "Times are medians over the repeats; counts are the same in every repeat. Bytes a node are "
    "the\n"
    "peak memory of tree and path over the nodes created.\n"
    "\n"
    "With --in-flight, --searches of them share one evaluator, so many at a time: the seed goes up "
    "by\n"
    "one from search to search (`order=random` makes that matter), in P-games the tree does. Busy "
    "is\n"
    "the share of the time with a batch at the evaluator.\n"
    "\n"
    "Examples:\n"
    "  playproof bench search hex:size=4 --algorithm pn --max-nodes 50000000 --repeat 5\n"
    "  playproof bench search pgame --algorithm ppn:playouts=10 --batch 1,8,64 --json\n"
    "  playproof bench search pgame --algorithm ppn --in-flight 1,100,10000 --searches 10000 "
    "--backend latency";

struct BenchOptions {
  SolveRequest request;
  std::vector<std::uint32_t> batches = {1};
  std::uint64_t repeat = 3;
  std::vector<std::uint32_t> in_flight;  // empty: one search alone
  std::uint32_t batch_searches = 64;
  std::uint64_t searches = 1000;
  bool json = false;
};

struct Row {
  std::uint32_t batch = 1;
  SolveAnswer answer;           // of the last repeat; counts are those of all
  std::vector<double> seconds;  // one a repeat, ascending
  double median = 0;
};

double median_of(const std::vector<double>& ascending) {
  const std::size_t half = ascending.size() / 2;
  if (ascending.size() % 2 == 1) return ascending[half];
  return (ascending[half - 1] + ascending[half]) / 2;
}

Row measure(const BenchOptions& options, std::uint32_t batch) {
  SolveRequest request = options.request;
  request.batch = batch;
  Row row;
  row.batch = batch;
  for (std::uint64_t i = 0; i < options.repeat && !interrupted(); ++i) {
    const std::unique_ptr<Solver> solver = make_solver(request);
    Progress silent(ProgressMode::kNone);
    const StopReason reason = drive(*solver, batch, silent);
    row.answer = make_answer(*solver, request, reason);
    row.seconds.push_back(row.answer.result.seconds);
  }
  std::sort(row.seconds.begin(), row.seconds.end());
  if (!row.seconds.empty()) row.median = median_of(row.seconds);
  return row;
}

double rate(std::uint64_t count, double seconds) {
  return seconds > 0 ? static_cast<double>(count) / seconds : 0;
}

double bytes_per_node(const Row& row) {
  const Counters& counters = row.answer.result.counters;
  if (counters.nodes_created == 0) return 0;
  return static_cast<double>(counters.peak_bytes) / static_cast<double>(counters.nodes_created);
}

Json row_json(const Row& row) {
  const Counters& counters = row.answer.result.counters;
  return {{"batch", row.batch},
          {"verdict", to_string(row.answer.result.verdict)},
          {"stopped_by", to_string(row.answer.reason)},
          {"seconds", row.median},
          {"seconds_min", row.seconds.front()},
          {"seconds_max", row.seconds.back()},
          {"iterations", counters.iterations},
          {"iterations_per_second", rate(counters.iterations, row.median)},
          {"nodes_created", counters.nodes_created},
          {"nodes_per_second", rate(counters.nodes_created, row.median)},
          {"playouts", counters.playouts},
          {"playouts_per_second", rate(counters.playouts, row.median)},
          {"peak_bytes", counters.peak_bytes},
          {"bytes_per_node", bytes_per_node(row)}};
}

std::string row_text(const Row& row) {
  const Counters& counters = row.answer.result.counters;
  return fmt::format("{:>7} {:>10} {:>10.4f} {:>12} {:>12.4g} {:>12} {:>12.4g} {:>8.1f}\n",
                     row.batch, to_string(row.answer.result.verdict), row.median,
                     counters.iterations, rate(counters.iterations, row.median),
                     counters.nodes_created, rate(counters.nodes_created, row.median),
                     bytes_per_node(row));
}

void print_heading(const SolveAnswer& answer) {
  write_stdout(fmt::format(
      "{} {} {} goal {}, backend {}, seed {}\n{:>7} {:>10} {:>10} {:>12} "
      "{:>12} {:>12} {:>12} {:>8}\n",
      answer.game, answer.position, answer.algorithm, answer.goal.text, answer.backend, answer.seed,
      "batch", "verdict", "seconds", "iterations", "/s", "nodes", "/s", "B/node"));
}

Json bench_json(const BenchOptions& options, const SolveAnswer& answer, const Json& rows) {
  return {{"game", answer.game},
          {"position", answer.position},
          {"algorithm", answer.algorithm},
          {"goal", answer.goal.text},
          {"backend", answer.backend},
          {"device", answer.device},
          {"threads", options.request.threads},
          {"seed", answer.seed},
          {"repeat", options.repeat},
          {"version", version_text()},
          {"rows", rows}};
}

int bench_search_main(const BenchOptions& options) {
  catch_interrupts();
  Json rows = Json::array();
  SolveAnswer answer;
  for (const std::uint32_t batch : options.batches) {
    const Row row = measure(options, batch);
    if (interrupted()) {
      print_error("stopped by a signal; a search that was cut is no measurement");
      return kExitUndecided;
    }
    if (!options.json && rows.empty()) print_heading(row.answer);
    rows.push_back(row_json(row));
    if (!options.json) write_stdout(row_text(row));
    answer = row.answer;
  }
  if (options.json) print_json(bench_json(options, answer, rows));
  return 0;
}

// --- many searches over one evaluator ------------------------------------------------------------

// The request with seed and, in P-games, tree `i` further on.
SolveRequest numbered(const SolveRequest& request, std::uint64_t i) {
  SolveRequest search = request;
  search.seed += i;
  const Spec spec = parse_spec(request.game);
  if (spec.name != "pgame") return search;
  Options options(game_catalogue().find(spec.name), spec);
  options.set("tree", std::to_string(options.integer("tree") + static_cast<std::int64_t>(i)));
  search.game = options.canonical();
  return search;
}

struct FleetRow {
  std::uint32_t in_flight = 1;
  std::uint64_t decided = 0;
  std::uint64_t nodes = 0;
  FleetStats stats;

  double rate(std::uint64_t count) const { return playproof::rate(count, stats.seconds); }
  double busy() const { return stats.seconds > 0 ? stats.busy_seconds / stats.seconds : 0; }
};

FleetRow measure_fleet(const BenchOptions& options, std::uint32_t in_flight) {
  std::vector<SolveRequest> searches;
  for (std::uint64_t i = 0; i < options.searches; ++i) {
    searches.push_back(numbered(options.request, i));
    searches.back().batch = options.batches.front();
  }
  FleetRequest request;
  request.backend = options.request.backend;
  request.seed = options.request.seed;
  request.threads = options.request.threads;
  request.in_flight = in_flight;
  request.batch_searches = options.batch_searches;
  FleetRow row;
  row.in_flight = in_flight;
  row.stats = run_fleet(
      searches, request,
      [&](std::size_t, const Solver& solver) {
        const SolveResult result = solver.result();
        row.decided += result.reason == StopReason::kDecided ? 1 : 0;
        row.nodes += result.counters.nodes_created;
      },
      [] { return interrupted(); });
  return row;
}

Json fleet_json(const FleetRow& row) {
  const FleetStats& stats = row.stats;
  return {{"in_flight", row.in_flight},
          {"searches", stats.finished},
          {"decided", row.decided},
          {"seconds", stats.seconds},
          {"decided_per_second", row.rate(row.decided)},
          {"nodes_created", row.nodes},
          {"leaves", stats.leaves},
          {"leaves_per_second", row.rate(stats.leaves)},
          {"playouts", stats.playouts},
          {"playouts_per_second", row.rate(stats.playouts)},
          {"batches", stats.batches},
          {"busy", row.busy()}};
}

std::string fleet_text(const FleetRow& row) {
  const FleetStats& stats = row.stats;
  return fmt::format("{:>9} {:>9} {:>10.4f} {:>10.4g} {:>12} {:>10.4g} {:>10.4g} {:>10} {:>6.3f}\n",
                     row.in_flight, row.decided, stats.seconds, row.rate(row.decided), row.nodes,
                     row.rate(stats.leaves), row.rate(stats.playouts), stats.batches, row.busy());
}

int bench_fleet_main(const BenchOptions& options) {
  catch_interrupts();
  Json rows = Json::array();
  FleetRow row;
  for (const std::uint32_t in_flight : options.in_flight) {
    row = measure_fleet(options, in_flight);
    if (interrupted()) {
      print_error("stopped by a signal; searches that were cut are no measurement");
      return kExitUndecided;
    }
    if (!options.json && rows.empty()) {
      write_stdout(fmt::format(
          "{} {}, {} searches, backend {} on {}\n{:>9} {:>9} {:>10} {:>10} {:>12} {:>10} {:>10} "
          "{:>10} {:>6}\n",
          options.request.game, options.request.algorithm, options.searches, row.stats.backend,
          row.stats.device, "in flight", "decided", "seconds", "decided/s", "nodes", "leaves/s",
          "playouts/s", "batches", "busy"));
    }
    rows.push_back(fleet_json(row));
    if (!options.json) write_stdout(fleet_text(row));
  }
  if (options.json) {
    print_json({{"game", options.request.game},
                {"algorithm", options.request.algorithm},
                {"goal", options.request.goal},
                {"backend", row.stats.backend},
                {"device", row.stats.device},
                {"threads", options.request.threads},
                {"seed", options.request.seed},
                {"batch", options.batches.front()},
                {"batch_searches", options.batch_searches},
                {"version", version_text()},
                {"rows", rows}});
  }
  return 0;
}

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

void add_fleet_options(CLI::App& command, BenchOptions* values) {
  constexpr std::uint64_t kMost = 1 << 24;
  const auto set_in_flight = [values](const std::string& text) {
    values->in_flight = parse_list("--in-flight", text, kMost);
  };
  command
      .add_option_function<std::string>("--in-flight", set_in_flight,
                                        "Numbers of searches that share one evaluator, e.g. 1,100")
      ->type_name("LIST");
  add_integer(command, "--searches", &values->searches, 1, kMost,
              "With --in-flight: searches in all (default: 1000)");
  const auto set_batch_searches = [values](std::uint64_t n) {
    values->batch_searches = static_cast<std::uint32_t>(n);
  };
  add_integer(command, "--batch-searches", set_batch_searches, 1, kMost,
              "With --in-flight: searches whose leaves go into one batch (default: 64)");
}

}  // namespace

void add_bench_search_command(CLI::App& bench, Action& chosen) {
  constexpr std::uint64_t kMaxRepeat = 1000;
  auto options = std::make_shared<BenchOptions>();
  BenchOptions* values = options.get();
  CLI::App* command =
      bench.add_subcommand("search", "Times a search: iterations and nodes a second, memory.");
  command->footer(kFooter);
  add_search_options(*command, &values->request);
  add_position_option(*command, &values->request.position);
  const auto set_batches = [values](const std::string& text) {
    values->batches = parse_list("--batch", text, kMaxBatch);
  };
  command
      ->add_option_function<std::string>("--batch", set_batches,
                                         "Batch sizes to measure, e.g. 1,8,64 (default: 1)")
      ->type_name("LIST");
  add_integer(*command, "--repeat", &values->repeat, 1, kMaxRepeat,
              "Searches for each batch size (default: 3)");
  add_fleet_options(*command, values);
  add_json_flag(*command, &values->json);
  command->callback([options, &chosen] {
    chosen = [options] {
      return options->in_flight.empty() ? bench_search_main(*options) : bench_fleet_main(*options);
    };
  });
}

}  // namespace playproof
