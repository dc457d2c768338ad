#include "src/experiment/runs.h"

#include <fmt/format.h>

#include <map>
#include <memory>
#include <utility>

#include "games/catalogue.h"
#include "games/core/error.h"
#include "games/core/game.h"
#include "games/core/spec.h"
#include "games/core/text.h"
#include "host/playouts/evaluator.h"
#include "host/solve/solver.h"
#include "src/store/opening.h"

namespace playproof {
namespace {

constexpr const char* kProbe = "minimax";  // makes no tree before its first step

std::unique_ptr<Solver> make_probe(const Plan& plan, int line, const std::string& what,
                                   const SolveRequest& request) {
  try {
    return make_solver(request);
  } catch (const Error& error) {
    if (error.code() != ErrorCode::kUsage && error.code() != ErrorCode::kData) throw;
    plan.fail(line, fmt::format("{}: {}", what, error.what()));
  }
}

std::optional<std::string> expected_verdict(const PlanProblem& problem, const std::string& goal) {
  if (!problem.value) return std::nullopt;
  return *problem.value >= parse_goal(goal).threshold ? "proved" : "disproved";
}

// One question: a problem under one goal, as its runs have it. All algorithms and repetitions of it
// share its answer.
PlannedRun ask(const Plan& plan, const PlanSeries& series, const PlanProblem& problem,
               const std::string& goal) {
  SolveRequest request;
  request.game = problem.game;
  request.position = problem.position;
  request.goal = goal;
  request.algorithm = kProbe;
  const std::string what = fmt::format("[[series]] '{}', {}", series.name, problem.id);
  const auto solver = make_probe(plan, series.line, what, request);
  PlannedRun run;
  run.plan = plan.name;
  run.series = series.name;
  run.problem = problem.id;
  run.game = solver->game();
  run.position = problem.position;
  run.goal = solver->goal();
  run.batch = plan.batch;
  run.pipeline = plan.pipeline;
  run.max_nodes = plan.max_nodes;
  run.max_memory = plan.max_memory;
  run.expected = expected_verdict(problem, goal);
  run.ask_oracle = series.ask_oracle;
  run.error_curve = plan.error_curves;
  return run;
}

// What an algorithm is called on a series, and whether its iterations are divided by the branching.
struct AlgorithmOnSeries {
  std::string spec;
  std::string tallies;  // own_tallies() of what it plays
  bool plays = false;
  bool per_branch = false;
};

AlgorithmOnSeries name_algorithm(const Plan& plan, const PlanAlgorithm& algorithm,
                                 const PlannedRun& question) {
  SolveRequest request;
  request.game = question.game;
  request.position = question.position;
  request.goal = question.goal;
  request.algorithm = algorithm.spec;
  request.backend = question.backend;
  request.batch = question.batch;
  request.pipeline = question.pipeline;
  const std::string what = fmt::format("[[algorithm]] '{}'", algorithm.label);
  const std::unique_ptr<Solver> probe = make_probe(plan, algorithm.line, what, request);
  AlgorithmOnSeries named{stored_algorithm(probe->algorithm()), own_tallies(probe->backend()),
                          probe->backend() != "none", false};
  if (!algorithm.per_branch) return named;
  const Spec game = parse_spec(question.game);
  if (game.name != "pgame") {
    plan.fail(algorithm.line, fmt::format("{}: normalise = \"branching\" needs a game of constant "
                                          "branching (pgame), but series '{}' is {}",
                                          what, question.series, question.game));
  }
  named.per_branch = true;
  return named;
}

std::int64_t branching_of(const std::string& game_spec) {
  const Spec game = parse_spec(game_spec);
  return Options(game_catalogue().find(game.name), game).integer("branching");
}

std::string run_key(const PlannedRun& run) {
  return fmt::format(
      "{} | {} | {} | {} | {} | {} | {} | {} | repetition={} seed={} max_nodes={} max_memory={} "
      "batch={}{} divisor={} expected={} curve={}",
      run.plan, run.series, run.problem, run.game, run.position, run.goal, run.algorithm, run.spec,
      run.repetition, run.seed, run.max_nodes, run.max_memory, run.batch,
      run.pipeline == 1 ? "" : fmt::format(" pipeline={}", run.pipeline), run.iteration_divisor,
      run.ask_oracle ? "oracle" : run.expected.value_or("none"), run.error_curve ? "yes" : "no");
}

using AlgorithmNames =
    std::map<std::pair<const PlanAlgorithm*, const PlanSeries*>, AlgorithmOnSeries>;

// All repetitions of one question by all algorithms.
void list_question(const Plan& plan, const PlanSeries& series, PlannedRun run,
                   AlgorithmNames* names, RunList* list) {
  run.question = list->questions++;
  for (run.repetition = 1; run.repetition <= series.repetitions; ++run.repetition) {
    run.seed = run_seed(plan.seed, run);
    for (const PlanAlgorithm& algorithm : plan.algorithms) {
      if (!algorithm.runs_on(series.name)) continue;
      auto [named, missing] = names->try_emplace({&algorithm, &series});
      if (missing) named->second = name_algorithm(plan, algorithm, run);
      run.algorithm = algorithm.label;
      run.spec = named->second.spec;
      run.iteration_divisor = named->second.per_branch ? branching_of(run.game) : 1;
      run.shares_playouts = named->second.plays && !run.error_curve &&
                            parse_goal(run.goal).kind == Goal::Kind::kThreshold;
      run.key = with_tallies(run_key(run), named->second.tallies);
      list->runs.push_back(run);
    }
    ++run.instance;
  }
}

}  // namespace

std::uint64_t run_seed(std::uint64_t plan_seed, const PlannedRun& run) {
  std::uint64_t seed = hash_text(run.game, plan_seed);
  seed = hash_text(run.position, seed);
  seed = hash_text(run.goal, seed);
  seed = mix64(seed ^ static_cast<std::uint64_t>(run.repetition));
  return seed >> 1;  // SQLite's integers are signed
}

RunList list_runs(const Plan& plan, const std::string& backend) {
  std::vector<std::pair<const PlanSeries*, PlannedRun>> questions;  // all checked before any run
  for (const PlanSeries& series : plan.series) {
    for (const PlanProblem& problem : series.problems) {
      for (const std::string& goal : series.goals) {
        questions.emplace_back(&series, ask(plan, series, problem, goal));
      }
    }
  }
  RunList list;
  AlgorithmNames names;
  std::size_t instance = 0;
  for (auto& [series, run] : questions) {
    run.backend = backend;
    run.instance = instance;
    instance += static_cast<std::size_t>(series->repetitions);
    list_question(plan, *series, std::move(run), &names, &list);
  }
  return list;
}

}  // namespace playproof
