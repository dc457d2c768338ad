// Makes the list of a plan's runs.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "src/experiment/plan.h"
#include "src/experiment/plan_errors.h"

namespace playproof {

// One run, complete: it needs neither the plan nor the store that keeps its row.
struct PlannedRun {
  std::string key;
  std::string plan, series, problem;
  std::string game, position, goal;  // game and goal canonical
  std::string algorithm, spec;       // label; as stores name it
  int repetition = 1;
  std::uint64_t seed = 0;  // 63 bits
  std::uint32_t batch = 1;
  std::uint32_t pipeline = 1;
  int workers = 1;  // of several, counts are no function of the seed
  std::uint64_t max_nodes = 0;
  std::uint64_t max_memory = 0;  // bytes; 0: what the machine has
  double max_cpu_seconds = 0;    // 0: any
  std::int64_t iteration_divisor = 1;
  std::string backend = "auto";
  std::optional<std::string> expected;  // from the plan: "proved", "disproved"
  bool ask_oracle = false;              // exhaustive search says what is expected
  bool error_curve = false;
  bool shares_playouts = false;  // it may go with others in a fleet (host/solve/fleet.h)
  std::size_t question = 0;      // runs with the same game, position and goal of a series share it
  std::size_t instance = 0;      // question and repetition: the runs of one are paired

  bool operator==(const PlannedRun&) const = default;
};

struct RunList {
  std::size_t questions = 0;
  std::vector<PlannedRun> runs;
};

// The runs stand in the order of series, problem, goal, repetition, algorithm. Canonical names and
// positions are checked by making a solver; what all of them say is told with its place in the plan
// or in its data file: PlanError.
RunList list_runs(const Plan& plan, const std::string& backend);
// The same, without those that have errors.
RunList list_runs(const Plan& plan, const std::string& backend, PlanErrors* errors);

// The seed of a run: mixed from the seed of its series, game, position, goal and repetition; the
// same for every algorithm.
std::uint64_t run_seed(std::uint64_t series_seed, const PlannedRun& run);

}  // namespace playproof
