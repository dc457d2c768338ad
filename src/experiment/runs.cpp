#include "src/experiment/runs.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <map>
#include <memory>
#include <set>
#include <utility>

#include "games/catalogue.h"
#include "games/core/error.h"
#include "games/core/game.h"
#include "games/core/spec.h"
#include "games/core/text.h"
#include "host/playouts/evaluator.h"
#include "host/solve/fleet.h"
#include "host/solve/solver.h"
#include "src/store/opening.h"

namespace playproof {
namespace {

constexpr const char* kProbe = "minimax";  // makes no tree before its first step
constexpr std::uint64_t kMaxRuns = 10'000'000;
constexpr std::uint64_t kBytesOfRun = 1024;  // that the list of them takes, about

// nullptr and what is wrong, if something is.
std::unique_ptr<Solver> make_probe(const SolveRequest& request, std::string* wrong) {
  try {
    return make_solver(request);
  } catch (const Error& error) {
    if (error.code() != ErrorCode::kUsage && error.code() != ErrorCode::kData) throw;
    *wrong = error.what();
    return nullptr;
  }
}

std::optional<std::string> expected_verdict(const PlanProblem& problem, const std::string& goal) {
  if (!problem.value) return std::nullopt;
  return *problem.value >= parse_goal(goal).threshold ? "proved" : "disproved";
}

// What is wrong with the problems of one series, told once however many have it.
class ProblemErrors {
 public:
  ProblemErrors(const PlanSeries& series, PlanErrors* errors) : series_(series), errors_(errors) {}

  void add(const PlanProblem& problem, const std::string& text) {
    const auto [entry, added] = told_.try_emplace(text, Told{&problem, &problem, 1});
    if (added) order_.push_back(text);
    if (entry->second.last == &problem) return;  // under another goal
    entry->second.last = &problem;
    ++entry->second.times;
  }

  // A goal that the game of a problem does not have.
  void add_goal(const std::string& goal, const std::string& text) {
    if (!goals_.insert(goal).second) return;
    errors_->add(series_.goals_line, fmt::format("[[series]] '{}': {}", series_.name, text));
  }

  // Is called after all of them.
  void tell() const {
    std::vector<std::string> mend = series_.mend;  // told once
    for (const std::string& text : order_) {
      const Told& told = told_.at(text);
      std::string what = fmt::format("[[series]] '{}', {}: {}", series_.name, told.first->id, text);
      if (told.times > 1) what += fmt::format(" (and {} more with the same)", told.times - 1);
      if (series_.data_file.empty()) {
        errors_->add(told.first->line, what);
      } else {
        errors_->add_in_data(series_.line, series_.data_file, told.first->line, what, mend);
        mend.clear();
      }
    }
  }

 private:
  struct Told {
    const PlanProblem* first;
    const PlanProblem* last;
    std::size_t times;  // how many have it
  };
  const PlanSeries& series_;
  PlanErrors* errors_;
  std::map<std::string, Told> told_;
  std::vector<std::string> order_;
  std::set<std::string> goals_;
};

// One question: a problem under one goal, as its runs have it. All algorithms and repetitions of it
// share its answer. None if it has an error.
std::optional<PlannedRun> ask(const Plan& plan, const PlanSeries& series,
                              const PlanProblem& problem, const std::string& goal,
                              ProblemErrors* errors) {
  if (!problem.error.empty()) {
    errors->add(problem, problem.error);
    return std::nullopt;
  }
  SolveRequest request;
  request.game = problem.game;
  request.position = problem.position;
  request.goal = goal;
  request.algorithm = kProbe;
  std::string wrong;
  const auto solver = make_probe(request, &wrong);
  if (solver == nullptr) {
    std::string also_wrong;
    request.goal = "win";  // which every game has
    if (make_probe(request, &also_wrong) == nullptr) {
      errors->add(problem, also_wrong);
    } else {
      errors->add_goal(goal, wrong);
    }
    return std::nullopt;
  }
  PlannedRun run;
  run.plan = plan.name;
  run.series = series.name;
  run.problem = problem.id;
  run.game = solver->game();
  run.position = problem.position;
  run.goal = solver->goal();
  run.batch = plan.batch;
  run.pipeline = plan.pipeline;
  run.expected = expected_verdict(problem, goal);
  run.ask_oracle = series.ask_oracle;
  run.error_curve = plan.error_curves;
  return run;
}

// What an algorithm is called on a series, and whether its iterations are divided by the branching.
struct AlgorithmOnSeries {
  std::string spec;
  std::string tallies;           // own_tallies() of what it plays
  bool shares_playouts = false;  // whoever drives it plays them
  bool per_branch = false;
};

// Returns none if it does not go with the series.
std::optional<AlgorithmOnSeries> name_algorithm(const PlanAlgorithm& algorithm,
                                                const PlannedRun& question, PlanErrors* errors) {
  if (algorithm.spec.empty()) return std::nullopt;  // that is told
  SolveRequest request;
  request.game = question.game;
  request.position = question.position;
  request.goal = question.goal;
  request.algorithm = algorithm.spec;
  request.backend = question.backend;
  request.batch = question.batch;
  request.pipeline = question.pipeline;
  request.workers = algorithm.workers;
  const std::string what = fmt::format("[[algorithm]] '{}'", algorithm.label);
  std::string wrong;
  const std::unique_ptr<Solver> probe = make_probe(request, &wrong);
  if (probe == nullptr) {
    errors->add(algorithm.line, fmt::format("{}: {}", what, wrong));
    return std::nullopt;
  }
  AlgorithmOnSeries named{stored_algorithm(probe->algorithm()), own_tallies(probe->backend())};
  named.shares_playouts = shares_playouts(*probe);
  if (!algorithm.per_branch) return named;
  const Spec game = parse_spec(question.game);
  if (game.name != "pgame") {
    errors->add(algorithm.line,
                fmt::format("{}: normalise = \"branching\" needs a game of constant branching "
                            "(pgame), but series '{}' is {}",
                            what, question.series, question.game));
    return std::nullopt;
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
      "batch={}{}{}{} divisor={} expected={} curve={}",
      run.plan, run.series, run.problem, run.game, run.position, run.goal, run.algorithm, run.spec,
      run.repetition, run.seed, run.max_nodes, run.max_memory, run.batch,
      run.pipeline == 1 ? "" : fmt::format(" pipeline={}", run.pipeline),
      run.workers == 1 ? "" : fmt::format(" workers={}", run.workers),
      run.max_cpu_seconds == 0 ? "" : fmt::format(" max_cpu_seconds={}", run.max_cpu_seconds),
      run.iteration_divisor, run.ask_oracle ? "oracle" : run.expected.value_or("none"),
      run.error_curve ? "yes" : "no");
}

using AlgorithmNames =
    std::map<std::pair<const PlanAlgorithm*, const PlanSeries*>, std::optional<AlgorithmOnSeries>>;

// Lists all repetitions of one question by all algorithms.
void list_question(const Plan& plan, const PlanSeries& series, PlannedRun run,
                   AlgorithmNames* names, PlanErrors* errors, RunList* list) {
  run.question = list->questions++;
  for (run.repetition = 1; run.repetition <= series.repetitions; ++run.repetition) {
    run.seed = run_seed(series.seed, run);
    for (const PlanAlgorithm& algorithm : plan.algorithms) {
      if (!algorithm.runs_on(series.name)) continue;
      const auto [named, missing] = names->try_emplace({&algorithm, &series});
      if (missing) named->second = name_algorithm(algorithm, run, errors);
      if (!named->second) continue;
      const AlgorithmOnSeries& name = *named->second;
      run.algorithm = algorithm.label;
      run.spec = name.spec;
      run.workers = algorithm.workers;
      const RunLimits limits = plan.limits_of(series, algorithm);
      run.max_nodes = limits.max_nodes;
      run.max_memory = limits.max_memory;
      run.max_cpu_seconds = limits.max_cpu_seconds;
      run.iteration_divisor = name.per_branch ? branching_of(run.game) : 1;
      // A search of a fleet has no CPU time of its own while it runs, and one thread.
      run.shares_playouts = name.shares_playouts && run.max_cpu_seconds == 0 && run.workers == 1 &&
                            parse_goal(run.goal).kind == Goal::Kind::kThreshold;
      run.key = with_tallies(run_key(run), name.tallies);
      list->runs.push_back(run);
    }
    ++run.instance;
  }
}

}  // namespace

std::uint64_t run_seed(std::uint64_t series_seed, const PlannedRun& run) {
  std::uint64_t seed = hash_text(run.game, series_seed);
  seed = hash_text(run.position, seed);
  seed = hash_text(run.goal, seed);
  seed = mix64(seed ^ static_cast<std::uint64_t>(run.repetition));
  return seed >> 1;  // SQLite's integers are signed
}

RunList list_runs(const Plan& plan, const std::string& backend) {
  PlanErrors errors(plan.path);
  RunList list = list_runs(plan, backend, &errors);
  errors.raise();
  return list;
}

namespace {

// Complains of more runs than can be listed; a plan of a few lines may ask for any number.
bool check_count(const Plan& plan, PlanErrors* errors) {
  std::uint64_t count = 0;
  for (const PlanSeries& series : plan.series) {
    std::uint64_t algorithms = 0;
    for (const PlanAlgorithm& one : plan.algorithms) algorithms += one.runs_on(series.name);
    const auto per_problem = static_cast<std::uint64_t>(series.repetitions) * series.goals.size() *
                             std::max<std::uint64_t>(algorithms, 1);
    const std::uint64_t most = std::min(kMaxRuns, memory_limit({}) / kBytesOfRun);
    const std::uint64_t left = most - count;
    if (!series.problems.empty() && per_problem > left / series.problems.size()) {
      errors->add(series.line,
                  fmt::format("[[series]] '{}': more than {} runs ({} problems x {} goals x {} "
                              "repetitions x {} algorithms, and those before); {}",
                              series.name, most, series.problems.size(), series.goals.size(),
                              series.repetitions, algorithms,
                              most < kMaxRuns ? "this machine has no memory for their list"
                                              : "several plans may have them"));
      return false;
    }
    count += per_problem * series.problems.size();
  }
  return true;
}

}  // namespace

RunList list_runs(const Plan& plan, const std::string& backend, PlanErrors* errors) {
  if (!check_count(plan, errors)) return {};
  std::vector<std::pair<const PlanSeries*, PlannedRun>> questions;  // all checked before any run
  for (const PlanSeries& series : plan.series) {
    ProblemErrors problem_errors(series, errors);
    for (const PlanProblem& problem : series.problems) {
      for (const std::string& goal : series.goals) {
        std::optional<PlannedRun> run = ask(plan, series, problem, goal, &problem_errors);
        if (run) questions.emplace_back(&series, std::move(*run));
      }
    }
    problem_errors.tell();
  }
  RunList list;
  AlgorithmNames names;
  std::size_t instance = 0;
  for (auto& [series, run] : questions) {
    run.backend = backend;
    run.instance = instance;
    instance += static_cast<std::size_t>(series->repetitions);
    list_question(plan, *series, std::move(run), &names, errors, &list);
  }
  return list;
}

}  // namespace playproof
