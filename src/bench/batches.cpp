// bench search, one search at a time: rates, and what larger batches cost in nodes.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>

#include "src/bench/log_ratios.h"
#include "src/bench/search.h"
#include "src/io/drive.h"
#include "src/io/exit_status.h"
#include "src/io/interrupt.h"
#include "src/io/json.h"
#include "src/io/output.h"
#include "src/io/solve_result.h"

namespace playproof {
namespace {

struct Row {
  std::uint32_t batch = 1;
  SolveAnswer answer;           // of the last repeat; counts are those of all
  std::vector<double> seconds;  // one a repeat, ascending
  double median = 0;
};

double median_of(const std::vector<double>& ascending) {
  const std::size_t half = ascending.size() / 2;
  if (ascending.size() % 2 == 1) return ascending[half];
  return (ascending[half - 1] + ascending[half]) / 2;
}

Row measure(const BenchSearchOptions& options, const std::string& position, std::uint32_t batch) {
  SolveRequest request = options.request;
  request.position = position;
  request.batch = batch;
  Row row;
  row.batch = batch;
  for (std::uint64_t i = 0; i < options.repeat && !interrupted(); ++i) {
    const std::unique_ptr<Solver> solver = make_solver(request);
    Progress silent(ProgressMode::kNone);
    const StopReason reason = drive(*solver, batch, silent);
    row.answer = make_answer(*solver, request, reason);
    row.seconds.push_back(row.answer.result.seconds);
  }
  std::sort(row.seconds.begin(), row.seconds.end());
  if (!row.seconds.empty()) row.median = median_of(row.seconds);
  return row;
}

double bytes_per_node(const Row& row) {
  const Counters& counters = row.answer.result.counters;
  if (counters.nodes_created == 0) return 0;
  return static_cast<double>(counters.peak_bytes) / static_cast<double>(counters.nodes_created);
}

Json row_json(const Row& row) {
  const Counters& counters = row.answer.result.counters;
  return {{"position", row.answer.position},
          {"batch", row.batch},
          {"verdict", to_string(row.answer.result.verdict)},
          {"stopped_by", to_string(row.answer.reason)},
          {"seconds", row.median},
          {"seconds_min", row.seconds.front()},
          {"seconds_max", row.seconds.back()},
          {"iterations", counters.iterations},
          {"iterations_per_second", per_second(counters.iterations, row.median)},
          {"nodes_created", counters.nodes_created},
          {"nodes_per_second", per_second(counters.nodes_created, row.median)},
          {"playouts", counters.playouts},
          {"playouts_per_second", per_second(counters.playouts, row.median)},
          {"peak_bytes", counters.peak_bytes},
          {"bytes_per_node", bytes_per_node(row)}};
}

std::string row_text(const Row& row) {
  const Counters& counters = row.answer.result.counters;
  return fmt::format("{:>7} {:>10} {:>10.4f} {:>12} {:>12.4g} {:>12} {:>12.4g} {:>8.1f}\n",
                     row.batch, to_string(row.answer.result.verdict), row.median,
                     counters.iterations, per_second(counters.iterations, row.median),
                     counters.nodes_created, per_second(counters.nodes_created, row.median),
                     bytes_per_node(row));
}

void print_heading(const SolveAnswer& answer) {
  write_stdout(fmt::format(
      "{} {} {} goal {}, backend {}, seed {}\n{:>7} {:>10} {:>10} {:>12} "
      "{:>12} {:>12} {:>12} {:>8}\n",
      answer.game, answer.position, answer.algorithm, answer.goal.text, answer.backend, answer.seed,
      "batch", "verdict", "seconds", "iterations", "/s", "nodes", "/s", "B/node"));
}

// Search overhead: the nodes at a batch size over those at the first size of the list, of positions
// decided at both.
class Overhead {
 public:
  explicit Overhead(const BenchSearchOptions& options) : options_(options) {}

  // Rows of one position come one after the other, in the order of the list.
  void add(const Row& row) {
    const bool decided = row.answer.reason == StopReason::kDecided;
    const auto nodes = static_cast<double>(row.answer.result.counters.nodes_created);
    if (row.batch == options_.batches.front()) base_ = decided ? nodes : 0;
    if (decided && base_ > 0 && nodes > 0) ratios_[row.batch].push_back(nodes / base_);
  }

  Json json() const {
    Json list = Json::array();
    for (const std::uint32_t batch : options_.batches) {
      const MeanRatio ratio = of(batch);
      const bool bounded = ratio.low <= ratio.high;
      list.push_back({{"batch", batch},
                      {"positions", count(batch)},
                      {"node_ratio", count(batch) > 0 ? Json(ratio.mean) : Json()},
                      {"low", bounded ? Json(ratio.low) : Json()},
                      {"high", bounded ? Json(ratio.high) : Json()}});
    }
    return list;
  }

  std::string text() const {
    std::string lines =
        fmt::format("\nnodes over those at batch {}\n{:>7} {:>10} {:>10} {:>20}\n",
                    options_.batches.front(), "batch", "positions", "ratio", "95 % interval");
    for (const std::uint32_t batch : options_.batches) {
      const MeanRatio ratio = of(batch);
      const std::string interval =
          ratio.low <= ratio.high ? fmt::format("{:.4f} to {:.4f}", ratio.low, ratio.high) : "-";
      lines += fmt::format("{:>7} {:>10} {:>10} {:>20}\n", batch, count(batch),
                           count(batch) > 0 ? fmt::format("{:.4f}", ratio.mean) : "-", interval);
    }
    return lines;
  }

 private:
  std::size_t count(std::uint32_t batch) const {
    const auto at = ratios_.find(batch);
    return at == ratios_.end() ? 0 : at->second.size();
  }
  MeanRatio of(std::uint32_t batch) const {
    return count(batch) > 0 ? geometric_mean(ratios_.at(batch)) : MeanRatio();
  }

  const BenchSearchOptions& options_;
  double base_ = 0;  // nodes of this position at the first size; 0: not decided
  std::map<std::uint32_t, std::vector<double>> ratios_;
};

}  // namespace

int bench_batches(const BenchSearchOptions& options) {
  Json rows = Json::array();
  Overhead overhead(options);
  SolveAnswer answer;
  for (const std::string& position : options.positions) {
    for (const std::uint32_t batch : options.batches) {
      const Row row = measure(options, position, batch);
      if (interrupted()) {
        print_error("stopped by a signal; a search that was cut is no measurement");
        return kExitUndecided;
      }
      answer = row.answer;
      overhead.add(row);
      rows.push_back(row_json(row));
      if (options.json) continue;
      if (batch == options.batches.front()) print_heading(answer);
      write_stdout(row_text(row));
    }
  }
  if (options.json) {
    Json result = bench_search_json(options, answer.backend, answer.device);
    result["game"] = answer.game;
    result["algorithm"] = answer.algorithm;
    if (options.positions.size() == 1) result["position"] = answer.position;
    result["repeat"] = options.repeat;
    result["rows"] = rows;
    if (options.batches.size() > 1) result["overhead"] = overhead.json();
    print_json(result);
  } else if (options.batches.size() > 1) {
    write_stdout(overhead.text());
  }
  return 0;
}

}  // namespace playproof
