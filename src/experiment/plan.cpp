#include "src/experiment/plan.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <set>
#include <utility>

#include "games/catalogue.h"
#include "games/core/error.h"
#include "games/core/game.h"
#include "host/solve/solver.h"
#include "src/experiment/plan_problems.h"
#include "src/experiment/plan_sweep.h"
#include "src/experiment/plan_table.h"
#include "src/io/atomic_file.h"

namespace playproof {
namespace {

constexpr std::uint64_t kMaxNodes = std::uint64_t{1} << 48;
constexpr std::uint64_t kMaxRepetitions = 1'000'000;
constexpr std::uint64_t kMaxBatch = 1 << 20;
constexpr std::uint64_t kMaxPipeline = 64;
constexpr std::uint64_t kMaxSeed = std::uint64_t{1} << 62;

bool contains(const std::vector<std::string>& names, const std::string& name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

std::string join(const std::vector<std::string>& words) {
  return fmt::format("{}", fmt::join(words, ", "));
}

void check_one_of(const PlanTable& table, const std::string& key, const std::string& value,
                  const std::vector<std::string>& allowed) {
  if (contains(allowed, value)) return;
  table.fail_at(key, fmt::format("'{}' must be one of {}, not '{}'; nearest: '{}'", key,
                                 join(allowed), value, nearest_match(value, allowed)));
}

// Names of a catalogue with their keys and ranges, before any search is made.
void check_spec(const Catalogue& catalogue, const std::string& text) {
  const Spec spec = parse_spec(text);
  const Options checked(catalogue.find(spec.name), spec);
}

// ---- series ------------------------------------------------------------------------------------

PlanSeries read_series(PlanTable& table, const std::string& directory, int repetitions) {
  PlanSeries series;
  series.name = table.required_text("name");
  table.rename(fmt::format("[[series]] '{}'", series.name));
  series.line = table.line();
  series.title = table.text("title").value_or(series.name);
  series.goals = table.texts("goals").value_or(std::vector<std::string>{"win"});
  for (const std::string& goal : series.goals) {
    const Goal parsed = at_place(table, "goals", [&] { return parse_goal(goal); });
    if (parsed.kind != Goal::Kind::kThreshold) {
      table.fail_at("goals",
                    fmt::format("goals of a plan are win, draw and score>=N, not '{}'", goal));
    }
  }
  series.repetitions =
      static_cast<int>(table.integer("repetitions", 1, kMaxRepetitions).value_or(repetitions));
  read_problems(table, directory, &series);
  table.finish();
  std::set<std::string> checked;  // most problems share one game
  for (const PlanProblem& problem : series.problems) {
    if (!checked.insert(problem.game).second) continue;
    at_place(table, "game", [&] { check_spec(game_catalogue(), problem.game); });
  }
  return series;
}

void read_all_series(PlanTable& root, const std::string& directory, int repetitions, Plan* plan) {
  for (PlanTable& table : root.tables("series")) {
    plan->series.push_back(read_series(table, directory, repetitions));
    for (std::size_t i = 0; i + 1 < plan->series.size(); ++i) {
      if (plan->series[i].name == plan->series.back().name) {
        table.fail_at("name", fmt::format("the name is taken by the series in line {}",
                                          plan->series[i].line));
      }
    }
  }
  if (plan->series.empty()) root.fail(1, "the plan has no [[series]]");
}

// A list of series names under `key`; none given: all.
std::vector<std::string> read_series_names(PlanTable& table, const Plan& plan) {
  std::vector<std::string> all;
  for (const PlanSeries& series : plan.series) all.push_back(series.name);
  std::vector<std::string> names = table.texts("series").value_or(all);
  for (const std::string& name : names) {
    if (contains(all, name)) continue;
    table.fail_at("series", fmt::format("there is no series '{}'; there is: {}; nearest: '{}'",
                                        name, join(all), nearest_match(name, all)));
  }
  return names;
}

// ---- algorithms --------------------------------------------------------------------------------

// Formulas of claims name labels.
void check_label_text(const PlanTable& table, const std::string& label) {
  if (label.find_first_of("(),<>*") == std::string::npos) return;
  table.fail_at("label", "a label must not contain any of ( ) , < > *");
}

// One [[algorithm]] table is one algorithm, or one for each value of its sweeps.
std::vector<PlanAlgorithm> read_algorithm(PlanTable& table, const Plan& plan) {
  const std::string label = table.required_text("label");
  table.rename(fmt::format("[[algorithm]] '{}'", label));
  const std::string spec = table.required_text("spec");
  PlanAlgorithm algorithm;
  algorithm.line = table.line_of("spec");
  algorithm.series = read_series_names(table, plan);
  if (const std::optional<std::string> normalise = table.text("normalise")) {
    check_one_of(table, "normalise", *normalise, {"branching"});
    algorithm.per_branch = true;
  }
  const std::vector<Substitutions> values = read_sweeps(table);
  table.finish();
  std::vector<PlanAlgorithm> algorithms;
  for (const Substitutions& value : values) {
    algorithm.label = at_place(table, "label", [&] { return substitute(label, value); });
    algorithm.spec = at_place(table, "spec", [&] { return substitute(spec, value); });
    at_place(table, "spec", [&] { check_spec(algorithm_catalogue(), algorithm.spec); });
    check_label_text(table, algorithm.label);
    algorithms.push_back(algorithm);
  }
  return algorithms;
}

void read_all_algorithms(PlanTable& root, Plan* plan) {
  for (PlanTable& table : root.tables("algorithm")) {
    for (PlanAlgorithm& algorithm : read_algorithm(table, *plan)) {
      for (const PlanAlgorithm& other : plan->algorithms) {
        if (other.label != algorithm.label) continue;
        for (const std::string& name : algorithm.series) {
          if (!other.runs_on(name)) continue;
          table.fail_at("label", fmt::format("the label '{}' is taken on series '{}' by line {}",
                                             other.label, name, other.line));
        }
      }
      plan->algorithms.push_back(std::move(algorithm));
    }
  }
  if (plan->algorithms.empty()) root.fail(1, "the plan has no [[algorithm]]");
  for (const PlanSeries& series : plan->series) {
    const auto runs = [&](const PlanAlgorithm& a) { return a.runs_on(series.name); };
    if (std::none_of(plan->algorithms.begin(), plan->algorithms.end(), runs)) {
      plan->fail(series.line, fmt::format("no algorithm runs on series '{}'", series.name));
    }
  }
}

// ---- choices -----------------------------------------------------------------------------------

// Needs the algorithms.
PlanChoice read_choice(PlanTable& table, const Plan& plan) {
  PlanChoice choice;
  choice.label = table.required_text("label");
  check_label_text(table, choice.label);
  table.rename(fmt::format("[[choice]] '{}'", choice.label));
  const std::string of = table.required_text("of");
  choice.how = table.required_text("how");
  check_one_of(table, "how", choice.how, {"tuned", "best", "leave one out", "repeated splits"});
  choice.measure = table.required_text("measure");
  at_place(table, "measure", [&] { check_measure(choice.measure); });
  choice.series = read_series_names(table, plan);
  for (const PlanAlgorithm& algorithm : plan.algorithms) {
    if (algorithm.label == choice.label) {
      table.fail_at("label", fmt::format("the label is taken by line {}", algorithm.line));
    }
    if (!algorithm.label.starts_with(of)) continue;
    for (const std::string& series : choice.series) {
      if (!algorithm.runs_on(series)) {
        table.fail_at("of",
                      fmt::format("'{}' does not run on series '{}'", algorithm.label, series));
      }
    }
    choice.labels.push_back(algorithm.label);
  }
  if (choice.labels.size() < 2) {
    table.fail_at("of",
                  fmt::format("fewer than two algorithms have a label that begins with '{}'", of));
  }
  table.finish();
  return choice;
}

void read_all_choices(PlanTable& root, Plan* plan) {
  for (PlanTable& table : root.tables("choice")) {
    PlanChoice choice = read_choice(table, *plan);
    for (const PlanChoice& other : plan->choices) {
      if (other.label == choice.label) table.fail_at("label", "the label is taken");
    }
    plan->choices.push_back(std::move(choice));
  }
}

// ---- claims ------------------------------------------------------------------------------------

void check_label(const PlanTable& table, const Plan& plan, const std::string& series,
                 const std::string& label) {
  std::vector<std::string> labels;
  for (const PlanAlgorithm& algorithm : plan.algorithms) {
    if (algorithm.runs_on(series)) labels.push_back(algorithm.label);
  }
  for (const PlanChoice& choice : plan.choices) {
    if (contains(choice.series, series)) labels.push_back(choice.label);
  }
  if (contains(labels, label)) return;
  table.fail_at("formula", fmt::format("there is no algorithm '{}' on series '{}'; nearest: '{}'",
                                       label, series, nearest_match(label, labels)));
}

PlanClaim read_claim(PlanTable& table, const Plan& plan) {
  PlanClaim claim;
  claim.id = table.required_text("id");
  table.rename(fmt::format("[[claim]] '{}'", claim.id));
  claim.text = table.required_text("text");
  claim.source = table.text("source").value_or("");
  claim.own = table.flag("own").value_or(claim.source.empty());  // nobody else makes it
  claim.series = read_series_names(table, plan);
  claim.formula_text = table.required_text("formula");
  const std::optional<std::string> statistic = table.text("statistic");
  table.finish();
  claim.formula =
      at_place(table, "formula", [&] { return parse_claim_formula(claim.formula_text); });
  if (statistic) at_place(table, "statistic", [&] { set_statistic(*statistic, &claim.formula); });
  for (const std::string& series : claim.series) {
    check_label(table, plan, series, claim.formula.subject);
    check_label(table, plan, series, claim.formula.base);
  }
  if (claim.formula.measure.starts_with("error_") && !plan.error_curves) {
    table.fail_at("formula",
                  fmt::format("'{}' needs error_curves = true in the plan", claim.formula.measure));
  }
  return claim;
}

void read_all_claims(PlanTable& root, Plan* plan) {
  for (PlanTable& table : root.tables("claim")) {
    PlanClaim claim = read_claim(table, *plan);
    for (const PlanClaim& other : plan->claims) {
      if (other.id == claim.id) table.fail_at("id", fmt::format("'{}' is taken", claim.id));
    }
    plan->claims.push_back(std::move(claim));
  }
}

// ---- the whole ---------------------------------------------------------------------------------

void read_limits(PlanTable& root, Plan* plan) {
  std::optional<PlanTable> limits = root.table("limits");
  if (!limits) root.fail(1, "the plan has no [limits]");
  limits->rename("[limits]");
  plan->max_nodes = limits->required_integer("max_nodes", 1, kMaxNodes);
  if (const std::optional<std::string> size = limits->text("max_memory")) {
    plan->max_memory =
        at_place(*limits, "max_memory", [&] { return parse_size("max_memory", *size); });
  }
  limits->finish();
}

// Without [report], or without its `kind`: `compare`, of any algorithms on any game.
void read_report(PlanTable& root, Plan* plan) {
  plan->report_kind = "compare";
  plan->reference = plan->algorithms.front().label;
  std::optional<PlanTable> report = root.table("report");
  if (!report) return;
  report->rename("[report]");
  plan->report_kind = report->text("kind").value_or(plan->report_kind);
  check_one_of(*report, "kind", plan->report_kind,
               {"compare", "thesis5", "deeppn", "playouts", "depth-first", "table", "agreement"});
  std::vector<std::string> labels;
  for (const PlanAlgorithm& algorithm : plan->algorithms) labels.push_back(algorithm.label);
  plan->reference = report->text("reference").value_or(plan->reference);
  check_one_of(*report, "reference", plan->reference, labels);
  report->finish();
}

void read_plan(const toml::table& document, const std::string& directory, Plan* plan) {
  PlanTable root(plan->path, document, "plan");
  plan->name = root.required_text("name");
  plan->title = root.text("title").value_or(plan->name);
  plan->description = root.text("description").value_or("");
  plan->seed = root.integer("seed", 0, kMaxSeed).value_or(1);
  plan->batch = static_cast<std::uint32_t>(root.integer("batch", 1, kMaxBatch).value_or(1));
  plan->pipeline =
      static_cast<std::uint32_t>(root.integer("pipeline", 1, kMaxPipeline).value_or(1));
  plan->error_curves = root.flag("error_curves").value_or(false);
  const int repetitions =
      static_cast<int>(root.integer("repetitions", 1, kMaxRepetitions).value_or(1));
  read_limits(root, plan);
  read_all_series(root, directory, repetitions, plan);
  read_all_algorithms(root, plan);
  read_all_choices(root, plan);
  read_all_claims(root, plan);
  read_report(root, plan);
  root.finish();
}

nlohmann::json to_json(const PlanClaim& claim) {
  const ClaimFormula& f = claim.formula;
  nlohmann::json json = {
      {"id", claim.id},       {"text", claim.text},     {"source", claim.source},
      {"own", claim.own},     {"series", claim.series}, {"formula", claim.formula_text},
      {"measure", f.measure}, {"subject", f.subject},   {"base", f.base},
      {"low", f.low},         {"below", f.below},       {"statistic", f.statistic}};
  json["high"] = std::isfinite(f.high) ? nlohmann::json(f.high) : nlohmann::json();
  json["horizon"] = f.horizon ? nlohmann::json(*f.horizon) : nlohmann::json();
  return json;
}

}  // namespace

bool PlanAlgorithm::runs_on(const std::string& name) const { return contains(series, name); }

void Plan::fail(int line, const std::string& text_of_error) const {
  throw Error(ErrorCode::kData, fmt::format("{}:{}: {}", path, line, text_of_error));
}

std::uint64_t hash_text(const std::string& text, std::uint64_t start) {
  std::uint64_t hash = mix64(start);
  for (const char byte : text) hash = mix64(hash ^ static_cast<unsigned char>(byte));
  return mix64(hash ^ text.size());
}

std::string Plan::hash() const { return fmt::format("{:016x}", hash_text(text)); }

std::string Plan::json() const {
  nlohmann::json all_series = nlohmann::json::array();
  for (const PlanSeries& one : series) {
    all_series.push_back({{"name", one.name},
                          {"title", one.title},
                          {"goals", one.goals},
                          {"problems", one.problems.size()},
                          {"repetitions", one.repetitions}});
  }
  nlohmann::json all_algorithms = nlohmann::json::array();
  for (const PlanAlgorithm& one : algorithms) {
    all_algorithms.push_back({{"label", one.label},
                              {"spec", one.spec},
                              {"series", one.series},
                              {"per_branch", one.per_branch}});
  }
  nlohmann::json all_choices = nlohmann::json::array();
  for (const PlanChoice& one : choices) {
    all_choices.push_back({{"label", one.label},
                           {"labels", one.labels},
                           {"how", one.how},
                           {"measure", one.measure},
                           {"series", one.series}});
  }
  nlohmann::json all_claims = nlohmann::json::array();
  for (const PlanClaim& one : claims) all_claims.push_back(to_json(one));
  return nlohmann::json{{"name", name},
                        {"title", title},
                        {"description", description},
                        {"seed", seed},
                        {"batch", batch},
                        {"pipeline", pipeline},
                        {"max_nodes", max_nodes},
                        {"max_memory", max_memory},
                        {"error_curves", error_curves},
                        {"report", {{"kind", report_kind}, {"reference", reference}}},
                        {"series", all_series},
                        {"algorithms", all_algorithms},
                        {"choices", all_choices},
                        {"claims", all_claims}}
      .dump();
}

Plan load_plan(const std::string& path) {
  Plan plan;
  plan.path = path;
  plan.text = read_file(path);
  try {
    const toml::table document = toml::parse(plan.text, path);
    read_plan(document, std::filesystem::path(path).parent_path().string(), &plan);
  } catch (const toml::parse_error& error) {
    plan.fail(static_cast<int>(error.source().begin.line), std::string(error.description()));
  }
  return plan;
}

}  // namespace playproof
