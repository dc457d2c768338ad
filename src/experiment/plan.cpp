#include "src/experiment/plan.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <map>
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
#include "src/experiment/runs.h"
#include "src/experiment/toml_depth.h"
#include "src/io/atomic_file.h"

namespace playproof {
namespace {

constexpr std::uint64_t kMaxNodes = std::uint64_t{1} << 48;
constexpr double kLeastCpuSeconds = 0.01;  // less than a step of a search may take
constexpr double kMostCpuSeconds = 1e6;
constexpr std::uint64_t kMaxRepetitions = 1'000'000;
constexpr std::uint64_t kMaxBatch = 1 << 20;
constexpr std::uint64_t kMaxPipeline = 64;
constexpr std::uint64_t kMaxSeed = std::uint64_t{1} << 62;
constexpr std::uint64_t kMostBytes = std::uint64_t{64} << 20;  // of a plan: a million positions
constexpr int kDeepestPlan = 64;  // what lies in each other; plans have five levels

bool contains(const std::vector<std::string>& names, const std::string& name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

std::string join(const std::vector<std::string>& words) {
  return fmt::format("{}", fmt::join(words, ", "));
}

// Returns whether it is one of them.
bool check_one_of(const PlanTable& table, const std::string& key, const std::string& value,
                  const std::vector<std::string>& allowed) {
  if (contains(allowed, value)) return true;
  table.complain_at(key, fmt::format("'{}' must be one of {}, not '{}'; nearest: '{}'", key,
                                     join(allowed), value, nearest_match(value, allowed)));
  return false;
}

// Names of a catalogue with their keys and ranges, before any search is made.
void check_spec(const Catalogue& catalogue, const std::string& text) {
  const Spec spec = parse_spec(text);
  const Options checked(catalogue.find(spec.name), spec);
}

// There must be [[key]]; `mend`: a first one.
void require_tables(PlanTable& root, const std::string& key, const std::vector<std::string>& mend) {
  if (!root.has(key)) {
    root.errors().add_at_end(fmt::format("the plan has no [[{}]]", key), mend);
    return;
  }
  const toml::array* array = root.raw().get(key)->as_array();
  if (array == nullptr || !array->empty()) return;
  root.complain_at(key, fmt::format("'{}' must not be empty", key));
}

// "[[series]] 'hex'", if its name is known.
void name_table(PlanTable& table, const std::string& name) {
  if (!name.empty()) table.rename(fmt::format("{} '{}'", table.what(), name));
}

// ---- series ------------------------------------------------------------------------------------

std::vector<std::string> read_goals(PlanTable& table) {
  const auto given = table.texts("goals").value_or(std::vector<std::string>{"win"});
  std::vector<std::string> goals;
  std::vector<std::string> names;  // of what they are
  for (const std::string& goal : given) {
    Goal parsed;
    if (!try_at(table, "goals", [&] { parsed = parse_goal(goal); })) continue;
    if (parsed.kind == Goal::Kind::kThreshold) {
      if (!contains(names, parsed.text)) {
        names.push_back(parsed.text);
        goals.push_back(goal);
      } else {
        table.complain_at("goals", fmt::format("the goal '{}' is there twice", goal));
      }
    } else {
      table.complain_at("goals",
                        fmt::format("goals of a plan are win, draw and score>=N, not '{}'", goal));
    }
  }
  return goals;
}

// The limits that [limits], a series and an algorithm may have.
void read_sizes_and_times(PlanTable& table, bool error_curves, RunLimits* limits) {
  if (const std::optional<std::string> size = table.text("max_memory")) {
    try_at(table, "max_memory", [&] { limits->max_memory = parse_size("max_memory", *size); });
  }
  if (const std::optional<double> seconds = table.real("max_cpu_seconds")) {
    if (error_curves) {
      table.complain_at("max_cpu_seconds",
                        "max_cpu_seconds and error_curves: a curve is of a search that is made "
                        "again, and where a clock stopped it nothing ends the second one");
    } else if (*seconds >= kLeastCpuSeconds && *seconds <= kMostCpuSeconds) {
      limits->max_cpu_seconds = *seconds;
    } else {
      table.complain_at("max_cpu_seconds",
                        fmt::format("max_cpu_seconds must be {} to {}, not {}", kLeastCpuSeconds,
                                    kMostCpuSeconds, *seconds));
    }
  }
}

// How many workers the plan or an algorithm says that a run has, and where.
void read_workers(PlanTable& table, bool error_curves, int* workers, int* line) {
  const std::optional<std::uint64_t> number = table.integer("workers", 1, kMostWorkers);
  if (!number) return;
  *workers = static_cast<int>(*number);
  *line = table.line_of("workers");
  if (!error_curves || *workers == 1) return;
  table.complain_at("workers",
                    "workers and error_curves: a curve is of a search that is made again, and by "
                    "several workers it is another one");
  *workers = 1;  // nothing else is wrong with them
}

// The same with max_nodes, which [limits] must have.
void read_own_limits(PlanTable& table, bool error_curves, RunLimits* limits) {
  limits->max_nodes = table.integer("max_nodes", 1, kMaxNodes).value_or(0);
  read_sizes_and_times(table, error_curves, limits);
}

PlanSeries read_series(PlanTable& table, const Plan& plan, const std::string& directory,
                       int repetitions) {
  PlanSeries series;
  series.name = table.required_text("name", "name = \"positions\"").value_or("");
  name_table(table, series.name);
  series.line = table.line();
  series.goals_line = table.line_of("goals");
  series.title = table.text("title").value_or(series.name);
  for (const char* key : {"name", "title"}) table.refuse_control(key);
  series.goals = read_goals(table);
  series.repetitions =
      static_cast<int>(table.integer("repetitions", 1, kMaxRepetitions).value_or(repetitions));
  series.reference = table.text("reference").value_or("");
  if (table.has("reference")) series.reference_line = table.line_of("reference");
  series.seed = table.integer("seed", 0, kMaxSeed).value_or(plan.seed);
  read_own_limits(table, plan.error_curves, &series.limits);
  read_problems(table, directory, &series);
  table.finish();
  std::set<std::string> checked;  // most problems share one game
  for (const PlanProblem& problem : series.problems) {
    if (!checked.insert(problem.game).second) continue;
    if (try_at(table, "game", [&] { check_spec(game_catalogue(), problem.game); })) continue;
    series.problems.clear();
    break;
  }
  return series;
}

// One [[series]] table is one series, or one for each value of its sweeps, up to the first with an
// error, which the others have, too.
std::vector<PlanSeries> read_swept_series(PlanTable& table, const Plan& plan,
                                          const std::string& directory, int repetitions) {
  std::vector<PlanSeries> all;
  const std::size_t errors = table.errors().count();
  const std::vector<Substitutions> sweep = read_sweeps(table);
  for (const Substitutions& values : sweep) {
    PlanTable one = table;
    one.fill_in(values);
    for (const char* key : {"name", "title"}) {  // where no columns are meant
      const std::optional<std::string> text = values.empty() ? std::nullopt : table.text(key);
      if (text) try_at(table, key, [&] { substitute(*text, values); });
    }
    all.push_back(read_series(one, plan, directory, repetitions));
    if (table.errors().count() > errors) break;
  }
  if (all.size() < sweep.size() || sweep.empty()) all.emplace_back();  // the others have no names
  return all;
}

void read_all_series(PlanTable& root, const std::string& directory, int repetitions, Plan* plan) {
  require_tables(root, "series",
                 {"[[series]]", "name = \"mine\"", "game = \"hex:size=4\"",
                  "positions_file = \"positions.txt\""});
  for (PlanTable& table : root.tables("series")) {
    for (PlanSeries& series : read_swept_series(table, *plan, directory, repetitions)) {
      for (const PlanSeries& other : plan->series) {
        if (other.name != series.name || series.name.empty()) continue;
        table.complain_at("name",
                          fmt::format("the name is taken by the series in line {}", other.line));
        break;
      }
      plan->series.push_back(std::move(series));
    }
  }
}

// A list of names under `series`, those of a sweep filled in; none given: all.
std::vector<std::string> read_series_names(PlanTable& table, const Plan& plan,
                                           const Substitutions& values = {}) {
  std::vector<std::string> all;
  bool nameless = false;
  for (const PlanSeries& series : plan.series) {
    all.push_back(series.name);
    nameless = nameless || series.name.empty();
  }
  std::vector<std::string> names;
  for (const std::string& given : table.texts("series").value_or(all)) {
    std::string name = given;
    if (!values.empty() && table.has("series") &&
        !try_at(table, "series", [&] { name = substitute(given, values); })) {
      continue;
    }
    if (contains(all, name)) {
      names.push_back(name);
    } else if (!all.empty() && !nameless) {  // else that is what is wrong
      table.complain_at("series",
                        fmt::format("there is no series '{}'; there is: {}; nearest: '{}'", name,
                                    join(all), nearest_match(name, all)));
    }
  }
  return names;
}

// ---- algorithms --------------------------------------------------------------------------------

constexpr const char* kNoLabel = "(),<>*";  // what formulas of claims use

// Formulas of claims name labels.
void check_label_text(const PlanTable& table, const std::string& label) {
  if (label.find_first_of(kNoLabel) == std::string::npos) return;
  table.complain_at("label", "a label must not contain any of ( ) , < > *");
}

// Without a label an algorithm is called what it is.
std::string read_label(PlanTable& table, const std::string& spec) {
  std::optional<std::string> label = table.text("label");
  if (!table.has("label")) label = spec;
  if (!label) return "";
  if (label->empty() && table.has("label")) {
    table.complain_at("label", "'label' must not be empty");
  } else if (!table.has("label") && label->find_first_of(kNoLabel) != std::string::npos) {
    table.complain(table.line(),
                   "'label' is missing, and the spec has signs that are not for labels: one of "
                   "( ) , < > *",
                   {fmt::format("label = \"{}\"", label->substr(0, label->find(':')))});
    return "";
  }
  return *label;
}

// One [[algorithm]] table is one algorithm, or one for each value of its sweeps. What is not known
// for an error is empty; of a sweep with an error the label keeps its braces.
std::vector<PlanAlgorithm> read_algorithm(PlanTable& table, const Plan& plan) {
  if (table.has("label")) name_table(table, table.text("label").value_or(""));
  const std::string spec = table.required_text("spec", "spec = \"pn\"").value_or("");
  if (!table.has("label")) name_table(table, spec);
  PlanAlgorithm algorithm;
  algorithm.label = read_label(table, spec);
  for (const char* key : {"label", "spec"}) table.refuse_control(key);
  algorithm.line = table.line_of("spec");
  algorithm.series = read_series_names(table, plan);
  if (const std::optional<std::string> normalise = table.text("normalise")) {
    check_one_of(table, "normalise", *normalise, {"branching"});
    algorithm.per_branch = true;
  }
  read_own_limits(table, plan.error_curves, &algorithm.limits);
  algorithm.workers = plan.workers;
  algorithm.workers_line = plan.workers_line;
  read_workers(table, plan.error_curves, &algorithm.workers, &algorithm.workers_line);
  const std::vector<Substitutions> values = read_sweeps(table);
  table.finish();
  const std::string label = algorithm.label;
  std::vector<PlanAlgorithm> algorithms;
  for (const Substitutions& value : values) {
    const char* label_key = table.has("label") ? "label" : "spec";
    if (!try_at(table, label_key, [&] { algorithm.label = substitute(label, value); }) ||
        !try_at(table, "spec", [&] {
          algorithm.spec = substitute(spec, value);
          if (!spec.empty()) check_spec(algorithm_catalogue(), algorithm.spec);
        })) {
      algorithm.spec.clear();
    }
    check_label_text(table, algorithm.label);
    algorithms.push_back(algorithm);
  }
  if (algorithms.empty()) algorithms.push_back(algorithm);
  return algorithms;
}

// Returns whether no algorithm has an error that leaves open how it is called or where it runs.
bool all_labels_known(const Plan& plan) {
  return std::all_of(plan.algorithms.begin(), plan.algorithms.end(), [](const PlanAlgorithm& a) {
    return !a.label.empty() && a.label.find('{') == std::string::npos && !a.series.empty();
  });
}

// Complains once of a label that another algorithm has on the same series.
void check_labels(const PlanTable& table, const Plan& plan, const PlanAlgorithm& algorithm) {
  if (algorithm.label.empty()) return;
  for (const PlanAlgorithm& other : plan.algorithms) {
    if (other.label != algorithm.label) continue;
    for (const std::string& name : algorithm.series) {
      if (!other.runs_on(name)) continue;
      table.complain_at("label", fmt::format("the label '{}' is taken on series '{}' by line {}",
                                             other.label, name, other.line));
      return;
    }
  }
}

void read_all_algorithms(PlanTable& root, Plan* plan) {
  require_tables(root, "algorithm",
                 {"[[algorithm]]", "spec = \"pn\"", "[[algorithm]]", "spec = \"dfpn\""});
  for (PlanTable& table : root.tables("algorithm")) {
    for (PlanAlgorithm& algorithm : read_algorithm(table, *plan)) {
      check_labels(table, *plan, algorithm);
      plan->algorithms.push_back(std::move(algorithm));
    }
  }
  const auto runs_nowhere = [](const PlanAlgorithm& a) { return a.series.empty(); };
  if (plan->algorithms.empty() ||
      std::any_of(plan->algorithms.begin(), plan->algorithms.end(), runs_nowhere)) {
    return;  // that is what is wrong
  }
  for (const PlanSeries& series : plan->series) {
    const auto runs = [&](const PlanAlgorithm& a) { return a.runs_on(series.name); };
    if (std::none_of(plan->algorithms.begin(), plan->algorithms.end(), runs)) {
      root.errors().add(series.line, fmt::format("no algorithm runs on series '{}'", series.name));
    }
  }
}

// ---- choices -----------------------------------------------------------------------------------

// What a spec says of an option; else that.
std::string said_of(const PlanAlgorithm& algorithm, const std::string& name,
                    const std::string& otherwise) {
  for (const auto& [key, value] : parse_spec(algorithm.spec).options) {
    if (key == name) return value;
  }
  return otherwise;
}

// Checks whether it can begin, and what it is over: settings of E and D, which are 2 where nothing
// else is said, and each of which says that leaf=deep.
void check_hill_climbing(const PlanTable& table, const Plan& plan, const PlanChoice& choice) {
  if (!all_labels_known(plan)) return;
  std::map<std::pair<std::string, std::string>, std::string> settings;
  for (const PlanAlgorithm& algorithm : plan.algorithms) {
    if (std::ranges::find(choice.labels, algorithm.label) == choice.labels.end()) continue;
    if (algorithm.spec.empty()) return;  // that is what is wrong
    const std::string e = said_of(algorithm, "E", "");
    const std::string d = said_of(algorithm, "D", "");
    if (said_of(algorithm, "leaf", e.empty() && d.empty() ? "" : "deep") != "deep") {
      table.complain_at("how", fmt::format("hill climbing is over E and D of leaf=deep, which '{}' "
                                           "has not",
                                           algorithm.label));
      return;
    }
    const auto [at, is_new] =
        settings.try_emplace({e.empty() ? "2" : e, d.empty() ? "2" : d}, algorithm.label);
    if (is_new || at->second == algorithm.label) continue;
    table.complain_at("how",
                      fmt::format("hill climbing is over E and D, and '{}' has those of '{}'",
                                  algorithm.label, at->second));
    return;
  }
  if (!settings.contains({"2", "2"})) {
    table.complain_at("how", "hill climbing begins at E=2,D=2, which is none of the settings");
  }
}

// The algorithms must have been read.
void read_chosen(const PlanTable& table, const Plan& plan, const std::string& of,
                 PlanChoice* choice) {
  for (const PlanAlgorithm& algorithm : plan.algorithms) {
    if (algorithm.label == choice->label && !choice->label.empty()) {
      table.complain_at("label", fmt::format("the label is taken by line {}", algorithm.line));
    }
    if (of.empty() || !algorithm.label.starts_with(of)) continue;
    const auto runs_on = [&](const std::string& series) { return algorithm.runs_on(series); };
    if (std::ranges::none_of(choice->series, runs_on)) continue;  // another question's
    for (const std::string& series : choice->series) {
      if (algorithm.runs_on(series)) continue;
      table.complain_at("of",
                        fmt::format("'{}' does not run on series '{}'", algorithm.label, series));
    }
    choice->labels.push_back(algorithm.label);
  }
  if (choice->labels.size() < 2 && !of.empty() && all_labels_known(plan)) {
    table.complain_at(
        "of", fmt::format("fewer than two algorithms have a label that begins with '{}'", of));
  }
}

PlanChoice read_choice(PlanTable& table, const Plan& plan) {
  PlanChoice choice;
  choice.label = table.required_text("label", "label = \"tuned\"").value_or("");
  check_label_text(table, choice.label);
  name_table(table, choice.label);
  table.refuse_control("label");
  const std::string of = table.required_text("of", "of = \"n=\"").value_or("");
  choice.how = table.required_text("how", "how = \"leave one out\"").value_or("");
  if (!choice.how.empty()) {
    check_one_of(table, "how", choice.how,
                 {"tuned", "best", "leave one out", "repeated splits", "hill climbing"});
  }
  choice.measure = table.required_text("measure", "measure = \"iterations\"").value_or("");
  if (!choice.measure.empty()) try_at(table, "measure", [&] { check_measure(choice.measure); });
  choice.series = read_series_names(table, plan);
  read_chosen(table, plan, of, &choice);
  if (choice.how == "hill climbing") check_hill_climbing(table, plan, choice);
  table.finish();
  return choice;
}

void read_all_choices(PlanTable& root, Plan* plan) {
  for (PlanTable& table : root.tables("choice")) {
    PlanChoice choice = read_choice(table, *plan);
    for (const PlanChoice& other : plan->choices) {
      if (other.label == choice.label && !other.label.empty()) {
        table.complain_at("label", "the label is taken");
      }
    }
    plan->choices.push_back(std::move(choice));
  }
}

// ---- claims ------------------------------------------------------------------------------------

void check_label(const PlanTable& table, const Plan& plan, const std::string& series,
                 const std::string& label) {
  if (!all_labels_known(plan)) return;
  std::vector<std::string> labels;
  for (const PlanAlgorithm& algorithm : plan.algorithms) {
    if (algorithm.runs_on(series)) labels.push_back(algorithm.label);
  }
  for (const PlanChoice& choice : plan.choices) {
    if (contains(choice.series, series)) labels.push_back(choice.label);
  }
  if (contains(labels, label) || labels.empty()) return;
  table.complain_at("formula",
                    fmt::format("there is no algorithm '{}' on series '{}'; nearest: '{}'", label,
                                series, nearest_match(label, labels)));
}

void check_formula(const PlanTable& table, const Plan& plan, const PlanClaim& claim) {
  for (const std::string& series : claim.series) {
    check_label(table, plan, series, claim.formula.subject);
    check_label(table, plan, series, claim.formula.base);
  }
  if (claim.formula.measure.starts_with("error_") && !plan.error_curves) {
    table.complain_at("formula", fmt::format("'{}' needs error_curves = true in the plan",
                                             claim.formula.measure));
  }
}

// What a [[claim]] says before its sweep: with `values`, its names filled in.
struct ClaimTexts {
  std::string id, text, source, formula;
  const char* key_of_source = "source";

  // Returns whether all could be filled in.
  bool fill(const PlanTable& table, const Substitutions& values) {
    if (values.empty()) return true;  // without a sweep braces are braces
    const std::pair<const char*, std::string*> parts[] = {
        {"id", &id}, {"text", &text}, {key_of_source, &source}, {"formula", &formula}};
    return std::ranges::all_of(parts, [&](const auto& part) {
      return try_at(table, part.first, [&] { *part.second = substitute(*part.second, values); });
    });
  }
};

// One [[claim]] table is one claim, or one for each value of its sweeps; none where these have an
// error.
std::vector<PlanClaim> read_claims(PlanTable& table, const Plan& plan) {
  ClaimTexts texts;
  texts.id = table.required_text("id", "id = \"A before B\"").value_or("");
  name_table(table, texts.id);
  for (const char* key : {"id", "formula"}) table.refuse_control(key);
  texts.text = table.required_text("text", "text = \"A needs less than B.\"").value_or("");
  const std::optional<std::string> source = table.text("source");
  const std::optional<std::string> thought = table.text("thought");
  if (source && thought) {
    table.complain_at("thought", "a claim has a source, or it is the project's own");
  }
  if (thought) texts.key_of_source = "thought";
  texts.source = thought.value_or(source.value_or(""));
  PlanClaim claim;  // without a source nobody else makes it
  claim.own = table.flag("own").value_or(thought || texts.source.empty());
  table.knows({"series"});
  texts.formula =
      table.required_text("formula", "formula = \"iterations(A) < iterations(B)\"").value_or("");
  const std::optional<std::string> statistic = table.text("statistic");
  const std::vector<Substitutions> sweep = read_sweeps(table);
  table.finish();
  std::vector<PlanClaim> claims;
  for (const Substitutions& values : sweep) {
    ClaimTexts filled = texts;
    if (!filled.fill(table, values)) break;
    claim.id = filled.id;
    claim.text = filled.text;
    claim.source = filled.source;
    claim.series = read_series_names(table, plan, values);
    claim.formula_text = filled.formula;
    const bool read = !filled.formula.empty() && try_at(table, "formula", [&] {
      claim.formula = parse_claim_formula(filled.formula);
    });
    if (read && statistic) {
      try_at(table, "statistic", [&] { set_statistic(*statistic, &claim.formula); });
    }
    if (read) check_formula(table, plan, claim);
    claims.push_back(claim);
    if (!read) break;  // the others have the same error
  }
  return claims;
}

void read_all_claims(PlanTable& root, Plan* plan) {
  for (PlanTable& table : root.tables("claim")) {
    for (PlanClaim& claim : read_claims(table, *plan)) {
      const auto same = [&](const PlanClaim& other) { return other.id == claim.id; };
      if (!claim.id.empty() && std::ranges::any_of(plan->claims, same)) {
        table.complain_at("id", fmt::format("'{}' is taken", claim.id));
      }
      plan->claims.push_back(std::move(claim));
    }
  }
}

// ---- the whole ---------------------------------------------------------------------------------

constexpr const char* kNodes = "max_nodes = 1e6";

void read_limits(PlanTable& root, Plan* plan) {
  std::optional<PlanTable> limits = root.table("limits");
  if (!limits) {
    if (!root.has("limits")) {
      root.errors().add_at_end("the plan has no [limits]", {"[limits]", kNodes});
    }
    return;
  }
  limits->rename("[limits]");
  plan->limits.max_nodes = limits->required_integer("max_nodes", 1, kMaxNodes, kNodes).value_or(1);
  read_sizes_and_times(*limits, plan->error_curves, &plan->limits);
  limits->finish();
}

// The reference of a series is its own, the plan's, or the first algorithm that runs on it.
void set_references(PlanErrors* errors, Plan* plan) {
  if (plan->algorithms.empty() || !all_labels_known(*plan)) return;
  for (PlanSeries& series : plan->series) {
    std::vector<std::string> labels;
    for (const PlanAlgorithm& algorithm : plan->algorithms) {
      if (algorithm.runs_on(series.name)) labels.push_back(algorithm.label);
    }
    if (labels.empty()) continue;  // that is what is wrong
    if (series.reference.empty()) {
      series.reference = contains(labels, plan->reference) ? plan->reference : labels.front();
    } else if (!contains(labels, series.reference)) {
      errors->add(
          series.reference_line,
          fmt::format("[[series]] '{}': there is no algorithm '{}' on it; nearest: '{}'",
                      series.name, series.reference, nearest_match(series.reference, labels)));
    }
  }
}

// Without [report], or without its `kind`: `compare`, of any algorithms on any game.
void read_report(PlanTable& root, Plan* plan) {
  plan->report_kind = "compare";
  if (!plan->algorithms.empty()) plan->reference = plan->algorithms.front().label;
  std::optional<PlanTable> report = root.table("report");
  if (!report) return;
  report->rename("[report]");
  plan->report_kind = report->text("kind").value_or(plan->report_kind);
  check_one_of(*report, "kind", plan->report_kind, report_kinds());
  std::vector<std::string> labels;
  for (const PlanAlgorithm& algorithm : plan->algorithms) labels.push_back(algorithm.label);
  plan->reference = report->text("reference").value_or(plan->reference);
  if (!labels.empty() && all_labels_known(*plan)) {
    check_one_of(*report, "reference", plan->reference, labels);
  }
  report->finish();
}

void read_plan(const toml::table& document, const std::string& directory, PlanErrors* errors,
               Plan* plan) {
  PlanTable root(errors, document, "plan");
  const std::string stem = std::filesystem::path(plan->path).stem().string();
  plan->name = root.required_text("name", fmt::format("name = \"{}\"", stem)).value_or(stem);
  plan->title = root.text("title").value_or(plan->name);
  for (const char* key : {"name", "title"}) root.refuse_control(key);
  plan->description = root.text("description").value_or("");
  plan->seed = root.integer("seed", 0, kMaxSeed).value_or(1);
  plan->batch = static_cast<std::uint32_t>(root.integer("batch", 1, kMaxBatch).value_or(1));
  plan->pipeline =
      static_cast<std::uint32_t>(root.integer("pipeline", 1, kMaxPipeline).value_or(1));
  plan->error_curves = root.flag("error_curves").value_or(false);
  read_workers(root, plan->error_curves, &plan->workers, &plan->workers_line);
  const int repetitions =
      static_cast<int>(root.integer("repetitions", 1, kMaxRepetitions).value_or(1));
  read_limits(root, plan);
  read_all_series(root, directory, repetitions, plan);
  read_all_algorithms(root, plan);
  read_all_choices(root, plan);
  read_all_claims(root, plan);
  read_report(root, plan);
  set_references(errors, plan);
  root.finish();
}

// The number of a text's last line.
int last_line(const std::string& text) {
  const auto ends = static_cast<int>(std::count(text.begin(), text.end(), '\n'));
  return std::max(1, text.ends_with('\n') ? ends : ends + 1);
}

void put_limits(const RunLimits& limits, nlohmann::json* of) {
  (*of)["max_nodes"] = limits.max_nodes;
  (*of)["max_memory"] = limits.max_memory;
  (*of)["max_cpu_seconds"] = limits.max_cpu_seconds;
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

RunLimits Plan::limits_of(const PlanSeries& of, const PlanAlgorithm& algorithm) const {
  return algorithm.limits.over(of.limits.over(limits));
}

bool PlanAlgorithm::runs_on(const std::string& name) const { return contains(series, name); }

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
                          {"repetitions", one.repetitions},
                          {"seed", one.seed},
                          {"reference", one.reference}});
    put_limits(one.limits, &all_series.back());
  }
  nlohmann::json all_algorithms = nlohmann::json::array();
  for (const PlanAlgorithm& one : algorithms) {
    all_algorithms.push_back({{"label", one.label},
                              {"spec", one.spec},
                              {"series", one.series},
                              {"per_branch", one.per_branch}});
    put_limits(one.limits.over(limits), &all_algorithms.back());
    if (one.workers > 1) all_algorithms.back()["workers"] = one.workers;
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
                        {"max_nodes", limits.max_nodes},
                        {"max_memory", limits.max_memory},
                        {"max_cpu_seconds", limits.max_cpu_seconds},
                        {"error_curves", error_curves},
                        {"report", {{"kind", report_kind}, {"reference", reference}}},
                        {"series", all_series},
                        {"algorithms", all_algorithms},
                        {"choices", all_choices},
                        {"claims", all_claims}}
      .dump();
}

const std::vector<std::string>& report_kinds() {
  static const std::vector<std::string> kinds = {"compare", "agreement"};
  return kinds;
}

void check_workers_fit(const Plan& plan, int threads, const std::string& told) {
  PlanErrors errors(plan.path);
  for (const PlanAlgorithm& one : plan.algorithms) {
    if (one.workers <= threads) continue;
    errors.add(one.workers_line,
               fmt::format("[[algorithm]] '{}': a run has {} workers, a thread each, and there {} "
                           "({})",
                           one.label, one.workers,
                           threads == 1 ? "is one" : fmt::format("are {}", threads), told));
  }
  errors.raise();
}

Plan load_plan(const std::string& path) {
  Plan plan;
  plan.path = path;
  plan.text = read_file(path, kMostBytes, "; positions_file keeps positions apart");
  PlanErrors errors(path, last_line(plan.text));
  if (const int line = line_deeper_than(plan.text, kDeepestPlan); line > 0) {
    errors.add(line, fmt::format("tables and lists may lie in each other, as may the parts of a "
                                 "dotted key, at most {} deep",
                                 kDeepestPlan));
    errors.raise();
  }
  try {
    const toml::table document = toml::parse(plan.text, path);
    read_plan(document, std::filesystem::path(path).parent_path().string(), &errors, &plan);
  } catch (const toml::parse_error& error) {
    errors.add(static_cast<int>(error.source().begin.line), std::string(error.description()));
  }
  if (!errors.empty()) {  // nothing of it will run: what else would stop it is told now
    for (PlanSeries& series : plan.series) series.repetitions = 1;
    list_runs(plan, "cpu", &errors);
  }
  errors.raise();
  return plan;
}

}  // namespace playproof
