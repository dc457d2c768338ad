// bench search, one search at a time: rates, and what larger batches, and more of them out at a
// time, cost in nodes.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <utility>
#include <vector>

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

struct Shape {
  std::uint32_t batch = 1;
  std::uint32_t pipeline = 1;
  bool operator==(const Shape&) const = default;
  bool operator<(const Shape& other) const {
    return std::pair(batch, pipeline) < std::pair(other.batch, other.pipeline);
  }
};

// All that are measured, in order.
std::vector<Shape> shapes_of(const BenchSearchOptions& options) {
  std::vector<Shape> shapes;
  for (const std::uint32_t batch : options.batches) {
    for (const std::uint32_t pipeline : options.pipelines) shapes.push_back({batch, pipeline});
  }
  return shapes;
}

struct Row {
  Shape shape;
  SolveAnswer answer;           // of the last repeat; counts are those of all
  std::vector<double> seconds;  // one a repeat, ascending
  double median = 0;
};

double median_of(const std::vector<double>& ascending) {
  const std::size_t half = ascending.size() / 2;
  if (ascending.size() % 2 == 1) return ascending[half];
  return (ascending[half - 1] + ascending[half]) / 2;
}

Row measure(const BenchSearchOptions& options, const std::string& position, const Shape& shape) {
  SolveRequest request = options.request;
  request.position = position;
  request.batch = shape.batch;
  request.pipeline = shape.pipeline;
  Row row;
  row.shape = shape;
  for (std::uint64_t i = 0; i < options.repeat && !interrupted(); ++i) {
    const std::unique_ptr<Solver> solver = make_solver(request);
    Progress silent(ProgressMode::kNone);
    const StopReason reason = drive(*solver, shape.batch, silent);
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
          {"batch", row.shape.batch},
          {"pipeline", row.shape.pipeline},
          {"verdict", to_string(row.answer.result.verdict)},
          {"stopped_by", to_string(row.answer.reason)},
          {"seconds", row.median},
          {"seconds_min", row.seconds.front()},
          {"seconds_max", row.seconds.back()},
          {"iterations", counters.iterations},
          {"iterations_per_second", per_second(counters.iterations, row.median)},
          {"nodes_created", counters.nodes_created},
          {"nodes_per_second", per_second(counters.nodes_created, row.median)},
          {"evaluations", counters.evaluations},
          {"evaluations_per_second", per_second(counters.evaluations, row.median)},
          {"playouts", counters.playouts},
          {"playouts_per_second", per_second(counters.playouts, row.median)},
          {"peak_bytes", counters.peak_bytes},
          {"bytes_per_node", bytes_per_node(row)}};
}

std::string row_text(const Row& row) {
  const Counters& counters = row.answer.result.counters;
  return fmt::format("{:>7} {:>8} {:>10} {:>10.4f} {:>12} {:>12.4g} {:>12} {:>12.4g} {:>8.1f}\n",
                     row.shape.batch, row.shape.pipeline, to_string(row.answer.result.verdict),
                     row.median, counters.iterations, per_second(counters.iterations, row.median),
                     counters.nodes_created, per_second(counters.nodes_created, row.median),
                     bytes_per_node(row));
}

void print_heading(const SolveAnswer& answer) {
  write_stdout(fmt::format(
      "{} {} {} goal {}, backend {}, seed {}\n{:>7} {:>8} {:>10} {:>10} {:>12} "
      "{:>12} {:>12} {:>12} {:>8}\n",
      answer.game, answer.position, answer.algorithm, answer.goal.text, answer.backend, answer.seed,
      "batch", "pipeline", "verdict", "seconds", "iterations", "/s", "nodes", "/s", "B/node"));
}

// Search overhead: the nodes of a shape over those of the first, of positions decided in both.
class Overhead {
 public:
  explicit Overhead(std::vector<Shape> shapes) : shapes_(std::move(shapes)) {}

  // Rows of one position come one after the other, in the order of the shapes.
  void add(const Row& row) {
    const bool decided = row.answer.reason == StopReason::kDecided;
    const auto nodes = static_cast<double>(row.answer.result.counters.nodes_created);
    if (row.shape == shapes_.front()) base_ = decided ? nodes : 0;
    if (decided && base_ > 0 && nodes > 0) ratios_[row.shape].push_back(nodes / base_);
  }

  Json json() const {
    Json list = Json::array();
    for (const Shape& shape : shapes_) {
      const MeanRatio ratio = of(shape);
      const bool bounded = ratio.low <= ratio.high;
      list.push_back({{"batch", shape.batch},
                      {"pipeline", shape.pipeline},
                      {"positions", count(shape)},
                      {"node_ratio", count(shape) > 0 ? Json(ratio.mean) : Json()},
                      {"low", bounded ? Json(ratio.low) : Json()},
                      {"high", bounded ? Json(ratio.high) : Json()}});
    }
    return list;
  }

  std::string text() const {
    std::string lines = fmt::format(
        "\nnodes over those at batch {}, pipeline {}\n{:>7} {:>8} {:>10} {:>10} {:>20}\n",
        shapes_.front().batch, shapes_.front().pipeline, "batch", "pipeline", "positions", "ratio",
        "95 % interval");
    for (const Shape& shape : shapes_) {
      const MeanRatio ratio = of(shape);
      const std::string interval =
          ratio.low <= ratio.high ? fmt::format("{:.4f} to {:.4f}", ratio.low, ratio.high) : "-";
      lines += fmt::format("{:>7} {:>8} {:>10} {:>10} {:>20}\n", shape.batch, shape.pipeline,
                           count(shape), count(shape) > 0 ? fmt::format("{:.4f}", ratio.mean) : "-",
                           interval);
    }
    return lines;
  }

 private:
  std::size_t count(const Shape& shape) const {
    const auto at = ratios_.find(shape);
    return at == ratios_.end() ? 0 : at->second.size();
  }
  MeanRatio of(const Shape& shape) const {
    return count(shape) > 0 ? geometric_mean(ratios_.at(shape)) : MeanRatio();
  }

  std::vector<Shape> shapes_;
  double base_ = 0;  // nodes of this position in the first shape; 0: not decided
  std::map<Shape, std::vector<double>> ratios_;
};

}  // namespace

int bench_batches(const BenchSearchOptions& options) {
  Json rows = Json::array();
  const std::vector<Shape> shapes = shapes_of(options);
  Overhead overhead(shapes);
  SolveAnswer answer;
  for (const std::string& position : options.positions) {
    for (const Shape& shape : shapes) {
      const Row row = measure(options, position, shape);
      if (interrupted()) {
        print_error("stopped by a signal; a search that was cut is no measurement");
        return kExitUndecided;
      }
      answer = row.answer;
      overhead.add(row);
      rows.push_back(row_json(row));
      if (options.json) continue;
      if (shape == shapes.front()) print_heading(answer);
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
    if (shapes.size() > 1) result["overhead"] = overhead.json();
    print_json(result);
  } else if (shapes.size() > 1) {
    write_stdout(overhead.text());
  }
  return 0;
}

}  // namespace playproof
