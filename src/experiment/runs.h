// From a plan to the list of its runs.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "src/experiment/plan.h"

namespace playproof {

// One question: a problem under one goal. All algorithms and repetitions of it share its answer.
struct PlanQuestion {
  const PlanSeries* series = nullptr;
  const PlanProblem* problem = nullptr;
  std::string game;                     // canonical
  std::string goal;                     // canonical
  std::optional<std::string> expected;  // from the plan: "proved", "disproved"
};

struct PlannedRun {
  std::size_t question = 0;  // index
  const PlanAlgorithm* algorithm = nullptr;
  std::string spec;  // canonical
  int repetition = 1;
  std::uint64_t seed = 0;  // 63 bits
  std::int64_t iteration_divisor = 1;
  std::size_t instance = 0;  // question and repetition: the runs of one are paired
  std::string key;
};

struct RunList {
  std::vector<PlanQuestion> questions;
  std::vector<PlannedRun> runs;
  std::size_t instances = 0;
};

// In order: series, problem, goal, repetition, algorithm. Canonical names and positions are checked
// by making a solver; what it says is given the place in the plan. The plan must outlive the list.
RunList list_runs(const Plan& plan, const std::string& backend);

// The seed of a run: mixed from plan seed, game, position, goal and repetition; the same for every
// algorithm.
std::uint64_t run_seed(std::uint64_t plan_seed, const PlanQuestion& question, int repetition);

}  // namespace playproof
