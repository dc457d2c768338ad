#include "src/experiment/run.h"

#include <fmt/format.h>

#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <string_view>
#include <utility>

#include "games/core/error.h"
#include "games/core/spec.h"
#include "host/playouts/evaluator.h"
#include "src/experiment/curve.h"
#include "src/io/drive.h"

namespace playproof {
namespace {

constexpr const char* kStopped = "stopped";

// "{"playouts":"10","theta":"0.01"}" from "ppn:playouts=10,theta=0.01".
std::string parameters_json(const std::string& spec) {
  nlohmann::ordered_json json = nlohmann::ordered_json::object();
  for (const auto& [key, value] : parse_spec(spec).options) json[key] = value;
  return json.dump();
}

std::string outcome_of(Verdict verdict, StopReason reason) {
  if (verdict != Verdict::kUnknown) return to_string(verdict);
  if (reason == StopReason::kStopped) return kStopped;
  return reason == StopReason::kMemory ? "memory" : "budget";
}

std::uint64_t counter(const Counters& counters, std::string_view name) {
  for (const CounterField& field : kCounterFields) {
    if (field.name == name) return counters.*field.value;
  }
  throw Error(ErrorCode::kInternal, fmt::format("no counter is called '{}'", name));
}

void fill_counters(const SolveResult& result, RunRow* row) {
  const Counters& c = result.counters;
  const auto number = [](std::uint64_t n) { return static_cast<std::int64_t>(n); };
  row->iterations = number(c.iterations);
  row->iterations_normalised =
      static_cast<double>(c.iterations) / static_cast<double>(row->iteration_divisor);
  row->nodes_created = number(c.nodes_created);
  row->nodes_expanded = number(c.nodes_expanded);
  row->evaluations = number(c.evaluations);
  row->playouts = number(c.playouts);
  row->max_depth = number(c.max_depth);
  row->node_visits = number(c.node_visits);
  row->re_entries = number(c.re_entries);
  row->branch_switches = number(c.branch_switches);
  row->root_switches = number(c.root_switches);
  for (std::size_t i = 0; i < kMoreCounters.size(); ++i) {
    row->more[i] = number(counter(c, kMoreCounters[i]));
  }
  row->peak_bytes = number(c.peak_bytes);
  nlohmann::ordered_json all = nlohmann::ordered_json::object();
  for (const CounterField& field : kCounterFields) all[field.name] = c.*field.value;
  row->counters = all.dump();
  row->seconds = result.seconds;
  row->cpu_seconds = result.cpu_seconds;
}

void fill_answer(const SolveResult& result, RunRow* row) {
  row->verdict = to_string(result.verdict);
  row->reason = to_string(result.reason);
  row->outcome = outcome_of(result.verdict, result.reason);
  row->best_move = result.best_move;
  row->lower = result.lower;
  row->upper = result.upper;
  fill_counters(result, row);
}

void fill_expected(const PlannedRun& planned, const OracleAnswer* answer, RunRow* row) {
  row->expected = planned.expected;
  if (row->expected) row->expected_source = "plan";
  if (answer != nullptr && !row->expected) {
    row->expected = answer->reached ? "proved" : "disproved";
    row->expected_source = "oracle";
  }
}

// The row of a run that ended before its search did.
RunRow without_answer(RunRow row, StopReason reason) {
  row.verdict = to_string(Verdict::kUnknown);
  row.reason = to_string(reason);
  row.outcome = outcome_of(Verdict::kUnknown, reason);
  return row;
}

}  // namespace

SolveRequest search_of(const PlannedRun& planned, const RunAids& aids) {
  SolveRequest request;
  request.game = planned.game;
  request.position = planned.position;
  request.algorithm = algorithm_as_stored(planned.spec);
  request.goal = planned.goal;
  request.backend = planned.backend;
  request.batch = planned.batch;
  request.pipeline = planned.pipeline;
  request.seed = planned.seed;
  request.threads = 1;
  request.workers = planned.workers;
  request.evaluators = aids.evaluators;
  request.limits.max_nodes = planned.max_nodes;
  request.limits.max_memory = planned.max_memory == 0 ? aids.memory : planned.max_memory;
  return request;
}

RunRow question_row(const PlannedRun& planned) {
  RunRow row;
  row.key = planned.key;
  row.plan = planned.plan;
  row.series = planned.series;
  row.problem = planned.problem;
  row.game = planned.game;
  row.position = planned.position;
  row.goal = planned.goal;
  row.algorithm = planned.algorithm;
  row.spec = planned.spec;
  row.parameters = parameters_json(planned.spec);
  row.repetition = planned.repetition;
  row.seed = static_cast<std::int64_t>(planned.seed);
  row.batch = planned.batch;
  row.threads = planned.workers;
  row.max_nodes = static_cast<std::int64_t>(planned.max_nodes);
  row.max_memory = static_cast<std::int64_t>(planned.max_memory);
  if (planned.max_cpu_seconds > 0) row.max_cpu_seconds = planned.max_cpu_seconds;
  row.iteration_divisor = planned.iteration_divisor;
  return row;
}

RunRow row_of(const PlannedRun& planned, const Solver& solver, const OracleAnswer* answer) {
  RunRow row = question_row(planned);
  row.backend = solver.backend();
  row.device = solver.device();
  fill_answer(solver.result(), &row);
  fill_expected(planned, answer, &row);
  return row;
}

RunRow row_of(const PlannedRun& planned, const WholeAnswer& found, const std::string& device,
              const OracleAnswer* answer) {
  RunRow row = question_row(planned);
  const Spec backend = parse_spec(planned.backend);
  row.backend = Options(backend_catalogue().find(backend.name), backend).canonical();
  row.device = device;
  fill_answer(found.result, &row);
  fill_expected(planned, answer, &row);
  if (planned.error_curve) {
    row.curve = answer->reached ? CurveRecorder(*answer).end(found) : ErrorCurve{{0, 0.0}};
  }
  return row;
}

bool needs_oracle(const PlannedRun& planned) { return planned.error_curve || planned.ask_oracle; }

bool is_result(const RunRow& row) {
  return row.outcome != kStopped &&
         (row.reason != to_string(StopReason::kMemory) || row.max_memory > 0);
}

RunRow run(const PlannedRun& planned, const RunAids& aids) {
  const SolveRequest request = search_of(planned, aids);
  OracleAnswer own;
  const OracleAnswer* answer = nullptr;
  if (needs_oracle(planned)) {
    answer = aids.answer;
    if (answer == nullptr) {
      own = oracle(planned.game, planned.position, planned.goal,
                   {aids.stopped, request.limits.max_memory});
      answer = &own;
    }
    if (!answer->complete) {
      const bool stopped = aids.stopped && aids.stopped();
      return without_answer(question_row(planned),
                            stopped ? StopReason::kStopped : StopReason::kMemory);
    }
  }
  std::unique_ptr<Solver> solver = make_solver(request);
  bool out_of_time = false;
  const auto stops = [&] {
    if (aids.stopped && aids.stopped()) return true;
    out_of_time =
        planned.max_cpu_seconds > 0 && solver->result().cpu_seconds >= planned.max_cpu_seconds;
    return out_of_time;
  };
  if (drive(*solver, planned.batch, stops) == StopReason::kStopped && !out_of_time) {
    return without_answer(question_row(planned), StopReason::kStopped);
  }
  RunRow row = row_of(planned, *solver, answer);
  if (out_of_time) {
    row.reason = kCpuReason;
    row.outcome = "budget";
  }
  if (!planned.error_curve || !is_result(row)) return row;
  const SolveResult result = solver->result();
  solver.reset();  // its memory, before the curve is taken
  row.curve = error_curve(request, *answer, result, aids.stopped);
  if (!row.curve) return without_answer(std::move(row), StopReason::kStopped);
  return row;
}

}  // namespace playproof
