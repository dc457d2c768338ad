// bench search --in-flight: many searches at a time.
#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "games/core/spec.h"
#include "games/list.h"
#include "host/solve/fleet.h"
#include "src/bench/search.h"
#include "src/io/exit_status.h"
#include "src/io/interrupt.h"
#include "src/io/json.h"
#include "src/io/output.h"
#include "src/io/quantities.h"

namespace playproof {
namespace {

struct FleetRow {
  std::uint32_t in_flight = 1;
  std::uint64_t decided = 0;
  std::uint64_t nodes = 0;
  FleetStats stats;

  double rate(std::uint64_t count) const { return per_second(count, stats.seconds); }
  double busy() const { return stats.seconds > 0 ? stats.busy_seconds / stats.seconds : 0; }
};

FleetRow measure(const BenchSearchOptions& options, std::uint32_t in_flight) {
  std::vector<SolveRequest> searches;
  for (std::uint64_t i = 0; i < options.searches; ++i)
    searches.push_back(numbered_search(options, i));
  FleetRequest request;
  request.backend = options.request.backend;
  request.threads = options.request.threads;
  request.feeders = options.feeders;
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

Json row_json(const FleetRow& row) {
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
          {"feeders", stats.feeders},
          {"busy", row.busy()}};
}

std::string row_text(const FleetRow& row) {
  const FleetStats& stats = row.stats;
  return fmt::format("{:>9} {:>9} {:>10.4f} {:>10.4g} {:>12} {:>10.4g} {:>10.4g} {:>10} {:>6.3f}\n",
                     row.in_flight, row.decided, stats.seconds, row.rate(row.decided), row.nodes,
                     row.rate(stats.leaves), row.rate(stats.playouts), stats.batches, row.busy());
}

void print_heading(const BenchSearchOptions& options, const FleetStats& stats) {
  write_stdout(fmt::format(
      "{} {}, {}, backend {} on {}\n{:>9} {:>9} {:>10} {:>10} {:>12} {:>10} {:>10} {:>10} "
      "{:>6}\n",
      options.request.game, options.request.algorithm,
      counted(options.searches, "search", "searches"), stats.backend, stats.device, "in flight",
      "decided", "seconds", "decided/s", "nodes", "leaves/s", "playouts/s", "batches", "busy"));
}

}  // namespace

SolveRequest numbered_search(const BenchSearchOptions& options, std::uint64_t i) {
  SolveRequest search = options.request;
  search.position = options.positions[i % options.positions.size()];
  search.seed += i;
  search.batch = options.batches.front();
  search.pipeline = options.pipelines.front();
  const Spec spec = parse_spec(search.game);
  if (spec.name != "pgame") return search;
  Options game(game_catalogue().find(spec.name), spec);
  game.set("tree", std::to_string(game.integer("tree") + static_cast<std::int64_t>(i)));
  search.game = game.canonical();
  return search;
}

int bench_fleet(const BenchSearchOptions& options) {
  Json rows = Json::array();
  FleetRow row;
  for (const std::uint32_t in_flight : options.in_flight) {
    row = measure(options, in_flight);
    if (interrupted()) {
      print_error("stopped by a signal; searches that were cut are no measurement");
      return kExitUndecided;
    }
    if (!options.json && rows.empty()) print_heading(options, row.stats);
    rows.push_back(row_json(row));
    if (!options.json) write_stdout(row_text(row));
  }
  if (options.json) {
    Json result = bench_search_json(options, row.stats.backend, row.stats.device);
    result["batch"] = options.batches.front();
    result["pipeline"] = options.pipelines.front();
    result["batch_searches"] = options.batch_searches;
    result["positions"] = options.positions.size();
    result["rows"] = rows;
    print_json(result);
  }
  return 0;
}

}  // namespace playproof
