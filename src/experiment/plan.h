// Experiment plans: a TOML file that says which algorithms run on which problems under which
// limits, and which claims are to be judged. bench/plans/ holds the plans of the project;
// README.md there describes the format.
//
// Reading a plan checks everything that can be known without a search: names, types, ranges,
// references. All errors are told at once, each with its place (plan_errors.h).
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <vector>

namespace playproof {

// One position to solve. `value` is its known value for the side to move (win 1, draw 0, loss -1,
// or a score), against which verdicts are checked.
struct PlanProblem {
  std::string id;  // "tree 17", "row 3", "position 1": unique within its series
  std::string game;
  std::string position;
  std::optional<int> value;
  int line = 0;            // of the plan, or of the series' data file
  std::string error = {};  // why it cannot be read: there is no such problem
};

// What a run may take. 0: nothing is said of it; then a less special one counts (over()).
struct RunLimits {
  std::uint64_t max_nodes = 0;
  std::uint64_t max_memory = 0;  // bytes; 0 in all of them: what the machine has
  double max_cpu_seconds = 0;    // 0: any; looked at between steps of some hundredths of a second

  // These, and where they say nothing those.
  RunLimits over(const RunLimits& those) const {
    return {max_nodes != 0 ? max_nodes : those.max_nodes,
            max_memory != 0 ? max_memory : those.max_memory,
            max_cpu_seconds != 0 ? max_cpu_seconds : those.max_cpu_seconds};
  }

  bool operator==(const RunLimits&) const = default;
};

struct PlanSeries {
  std::string name;
  std::string title;
  std::vector<std::string> goals;
  int repetitions = 1;
  std::uint64_t seed = 1;  // its own, or the plan's
  RunLimits limits;        // its own, where it has some
  std::string reference;   // label that the report compares the others with on it
  int reference_line = 0;
  bool ask_oracle = false;  // expected = "oracle": exhaustive search gives the expected verdict
  std::vector<PlanProblem> problems;
  std::string data_file;  // positions_file, where the problems are read from it
  // Lines that would make columns of its words, told where one of its lines cannot be read.
  std::vector<std::string> mend;
  int line = 0;
  int goals_line = 0;
};

struct PlanAlgorithm {
  std::string label;
  std::string spec;
  std::vector<std::string> series;  // names; empty: all
  bool per_branch = false;          // normalise = "branching"
  RunLimits limits;                 // its own, where it has some
  int workers = 1;                  // threads of a run: its own, or the plan's
  int line = 0;
  int workers_line = 0;  // which says how many
  bool runs_on(const std::string& name) const;
};

// "The ratio measure(subject) / measure(base) lies in (low, high)." How the ratios of all problems
// make one says `statistic`: "geometric mean", "ratio of means", "mean of ratios"; or "share
// below": the share of problems whose ratio is less than `below` lies in (low, high).
struct ClaimFormula {
  std::string measure;
  std::string subject;
  std::string base;
  std::string statistic;
  double below = 1;
  double low = 0;
  double high = std::numeric_limits<double>::infinity();
  std::optional<std::int64_t> horizon;  // of error_area: iterations up to which it is taken
};
// "iterations(A) < iterations(B)", "iterations(A) < 0.5 * iterations(B)", "error_area(A, 100) >
// error_area(B, 100)", "0.5 * iterations(B) < iterations(A) < 2 * iterations(B)",
// "share(iterations(A) < iterations(B)) > 0.5". With the statistic that goes without saying. Throws
// Error(kUsage) without a place.
ClaimFormula parse_claim_formula(const std::string& text);

// Another statistic, if it goes with the formula; else throws Error(kUsage) without a place.
void set_statistic(const std::string& statistic, ClaimFormula* claim);

// Throws Error(kUsage) unless results have such a measure.
void check_measure(const std::string& measure);

// The setting that one would take, as if it were an algorithm of its own: for each problem the one
// with the least measure over all other problems of the series ("leave one out"), over the other
// half of them ("tuned"), over those of many random halves ("repeated splits"), the one with the
// least on that very problem ("best"), or where Algorithm 1 of Song's thesis ends on it, of
// settings of leaf=deep ("hill climbing").
struct PlanChoice {
  std::string label;
  std::vector<std::string> labels;  // of the settings
  std::string how;
  std::string measure;
  std::vector<std::string> series;
};

struct PlanClaim {
  std::string id;
  std::string text;
  std::string source;
  bool own = false;  // the project's: no paper makes it
  std::vector<std::string> series;
  std::string formula_text;
  ClaimFormula formula;
};

struct Plan {
  std::string path;  // as given, for messages
  std::string text;  // the whole file
  std::string name;
  std::string title;
  std::string description;
  std::uint64_t seed = 1;
  RunLimits limits;
  std::uint32_t batch = 1;
  std::uint32_t pipeline = 1;
  int workers = 1;
  int workers_line = 0;
  bool error_curves = false;
  std::string report_kind;
  std::string reference;  // label that the report compares the others with
  std::vector<PlanSeries> series;
  std::vector<PlanAlgorithm> algorithms;
  std::vector<PlanChoice> choices;
  std::vector<PlanClaim> claims;

  std::string hash() const;  // of the text: 16 hexadecimal digits
  // An algorithm's own limits come first, then those of the series, then the plan's.
  RunLimits limits_of(const PlanSeries& of, const PlanAlgorithm& algorithm) const;
  // What the report needs to know of the plan, so that it need not read TOML.
  std::string json() const;
};

// The kinds of pages that `report` makes.
const std::vector<std::string>& report_kinds();

// Throws PlanError: algorithms whose runs have more workers than there are `threads`, of which
// `told` says where they come from.
void check_workers_fit(const Plan& plan, int threads, const std::string& told);

// Throws PlanError.
Plan load_plan(const std::string& path);

// 64 bits of a text: a chain of mix64 over its bytes, then its length.
std::uint64_t hash_text(const std::string& text, std::uint64_t start = 0);

}  // namespace playproof
