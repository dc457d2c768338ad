// What a run of an experiment gives, as a plain value.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace playproof {

// (iteration, error): the error holds from this iteration on.
using ErrorCurve = std::vector<std::pair<std::int64_t, double>>;

// Why a run ended that met its limit of CPU time: where, its `iterations` say, so that the same
// search can be made again to that point; in which order of all, `finished`.
inline constexpr const char* kCpuReason = "cpu";

// Counters (host/solve/solver.h) that `run` has at its end.
inline constexpr std::array kMoreCounters = {
    "shallow_switches",  "endings",      "ending_nodes",   "table_lookups",  "table_hits",
    "table_useful_hits", "table_stored", "table_replaced", "table_discarded"};

// One row of `run`, in the order and with the meaning of src/store/schema.h, and its row of
// `curve`.
struct RunRow {
  std::string key;
  // What was asked.
  std::string plan, series, problem, game, position, goal;
  std::string algorithm, spec, parameters;  // label; name (stored_algorithm()); its options as JSON
  std::int64_t repetition = 0, seed = 0, batch = 1, threads = 1;  // threads: the workers
  std::int64_t max_nodes = 0, max_memory = 0;  // max_memory 0: what the machine has
  std::string backend, device;
  // What came out.
  std::string outcome;  // proved, disproved, budget, memory; no result, never stored: stopped
  std::string verdict, reason;                 // reason: a StopReason, or kCpuReason
  std::optional<std::string> expected;         // proved, disproved
  std::optional<std::string> expected_source;  // plan, oracle
  std::optional<std::string> best_move;
  std::int64_t lower = 0, upper = 0;
  std::int64_t iterations = 0, iteration_divisor = 1;
  double iterations_normalised = 0;
  std::int64_t nodes_created = 0, nodes_expanded = 0;
  std::int64_t evaluations = 0, playouts = 0, max_depth = 0;
  std::int64_t node_visits = 0, re_entries = 0, branch_switches = 0, root_switches = 0;
  std::int64_t peak_bytes = 0;
  // Since version 2 rows have these, as kMoreCounters has them.
  std::array<std::int64_t, kMoreCounters.size()> more{};
  // Since version 4 rows have all of kCounterFields (host/question/counters.h) as a JSON object,
  // also those that have columns; and the limit of CPU time, if there is one.
  std::optional<std::string> counters;
  std::optional<double> max_cpu_seconds;
  std::optional<ErrorCurve> curve;
  // Differs when the same run is made again.
  double seconds = 0, cpu_seconds = 0;
  // Whoever keeps the row says where and when it was made.
  std::int64_t invocation = 0;
  std::string version, revision, compiler, host, cpu_model;
  std::string started, finished;

  bool operator==(const RunRow&) const = default;
};

}  // namespace playproof
