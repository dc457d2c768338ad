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

void list_questions(const Plan& plan, RunList* list) {
  for (const PlanSeries& series : plan.series) {
    for (const PlanProblem& problem : series.problems) {
      for (const std::string& goal : series.goals) {
        SolveRequest request;
        request.game = problem.game;
        request.position = problem.position;
        request.goal = goal;
        request.algorithm = kProbe;
        const std::string what = fmt::format("[[series]] '{}', {}", series.name, problem.id);
        const auto solver = make_probe(plan, series.line, what, request);
        list->questions.push_back(
            {&series, &problem, solver->game(), solver->goal(), expected_verdict(problem, goal)});
      }
    }
  }
}

// What an algorithm is called on a series, and whether its iterations are divided by the branching.
struct AlgorithmOnSeries {
  std::string spec;
  std::string tallies;  // own_tallies() of what it plays
  bool per_branch = false;
};

AlgorithmOnSeries name_algorithm(const Plan& plan, const PlanAlgorithm& algorithm,
                                 const PlanQuestion& question, const std::string& backend) {
  SolveRequest request;
  request.game = question.game;
  request.position = question.problem->position;
  request.goal = question.goal;
  request.algorithm = algorithm.spec;
  request.backend = backend;
  request.batch = plan.batch;
  const std::string what = fmt::format("[[algorithm]] '{}'", algorithm.label);
  const std::unique_ptr<Solver> probe = make_probe(plan, algorithm.line, what, request);
  AlgorithmOnSeries named{probe->algorithm(), own_tallies(probe->backend()), false};
  if (!algorithm.per_branch) return named;
  const Spec game = parse_spec(question.game);
  if (game.name != "pgame") {
    plan.fail(algorithm.line, fmt::format("{}: normalise = \"branching\" needs a game of constant "
                                          "branching (pgame), but series '{}' is {}",
                                          what, question.series->name, question.game));
  }
  named.per_branch = true;
  return named;
}

std::int64_t branching_of(const PlanQuestion& question) {
  const Spec game = parse_spec(question.game);
  return Options(game_catalogue().find(game.name), game).integer("branching");
}

std::string run_key(const Plan& plan, const PlanQuestion& question, const PlannedRun& run) {
  return fmt::format(
      "{} | {} | {} | {} | {} | {} | {} | {} | repetition={} seed={} max_nodes={} max_memory={} "
      "batch={} divisor={} expected={} curve={}",
      plan.name, question.series->name, question.problem->id, question.game,
      question.problem->position, question.goal, run.algorithm->label, run.spec, run.repetition,
      run.seed, plan.max_nodes, plan.max_memory, plan.batch, run.iteration_divisor,
      question.series->ask_oracle ? "oracle" : question.expected.value_or("none"),
      plan.error_curves ? "yes" : "no");
}

}  // namespace

std::uint64_t run_seed(std::uint64_t plan_seed, const PlanQuestion& question, int repetition) {
  std::uint64_t seed = hash_text(question.game, plan_seed);
  seed = hash_text(question.problem->position, seed);
  seed = hash_text(question.goal, seed);
  seed = mix64(seed ^ static_cast<std::uint64_t>(repetition));
  return seed >> 1;  // SQLite's integers are signed
}

RunList list_runs(const Plan& plan, const std::string& backend) {
  RunList list;
  list_questions(plan, &list);
  std::map<std::pair<const PlanAlgorithm*, const PlanSeries*>, AlgorithmOnSeries> names;
  for (std::size_t i = 0; i < list.questions.size(); ++i) {
    const PlanQuestion& question = list.questions[i];
    for (int repetition = 1; repetition <= question.series->repetitions; ++repetition) {
      const std::uint64_t seed = run_seed(plan.seed, question, repetition);
      for (const PlanAlgorithm& algorithm : plan.algorithms) {
        if (!algorithm.runs_on(question.series->name)) continue;
        auto [named, missing] = names.try_emplace({&algorithm, question.series});
        if (missing) named->second = name_algorithm(plan, algorithm, question, backend);
        PlannedRun run{i,
                       &algorithm,
                       named->second.spec,
                       repetition,
                       seed,
                       named->second.per_branch ? branching_of(question) : 1,
                       list.instances,
                       ""};
        run.key = with_tallies(run_key(plan, question, run), named->second.tallies);
        list.runs.push_back(std::move(run));
      }
      ++list.instances;
    }
  }
  return list;
}

}  // namespace playproof
