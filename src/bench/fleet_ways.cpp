#include "src/bench/fleet_ways.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <exception>
#include <memory>
#include <mutex>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "games/core/error.h"
#include "games/core/spec.h"
#include "host/playouts/evaluator.h"
#include "host/playouts/evaluator_keeper.h"
#include "host/solve/fleet.h"
#include "host/solve/solver.h"
#include "host/solve/whole_searches.h"
#include "kernels/device/device_info.h"
#include "src/bench/device_bound.h"
#include "src/io/drive.h"
#include "src/io/exit_status.h"
#include "src/io/interrupt.h"
#include "src/io/output.h"
#include "src/io/quantities.h"

namespace playproof {
namespace {

constexpr std::size_t kWholeFleet = 1 << 17;  // as `experiment` has them
constexpr std::uint32_t kInFlight = 64;       // a thread

// What a search has found, without the line that only those on the cores tell.
struct Found {
  Verdict verdict = Verdict::kUnknown;
  int lower = 0;
  int upper = 0;
  std::optional<std::string> best_move = {};
  Counters counters = {};

  static Found of(const SolveResult& result) {
    return {result.verdict, result.lower, result.upper, result.best_move, result.counters};
  }
  bool operator==(const Found&) const = default;
};

// One way to run all of them.
struct Way {
  std::string name;
  std::string backend = {};
  std::string device = {};
  std::string missing = {};  // why it cannot be gone; empty: it was
  double seconds = 0;
  std::uint64_t on_device = 0;  // searches that have ended there
  std::vector<Found> found = {};
  std::optional<double> bound = {};  // iterations a second at most, where that was counted

  std::optional<double> rate() const {
    if (!missing.empty() || device == kEmulatedDevice) return std::nullopt;
    return per_second(found.size(), seconds);
  }
  std::uint64_t iterations() const {
    std::uint64_t sum = 0;
    for (const Found& one : found) sum += one.counters.iterations;
    return sum;
  }
  std::optional<double> share_of_bound() const {
    if (!rate() || !bound) return std::nullopt;
    return per_second(iterations(), seconds) / *bound;
  }
};

double now() {
  const std::chrono::duration<double> time = std::chrono::steady_clock::now().time_since_epoch();
  return time.count();
}

// Numbers 0 .. count - 1, each once, on so many threads; what one throws ends all.
template <class Run>
void on_threads(std::size_t count, int threads, const Run& run) {
  std::atomic<std::size_t> next = 0;
  std::mutex mutex;
  std::exception_ptr failure;
  const auto work = [&] {
    EvaluatorKeeper evaluators;
    try {
      for (std::size_t i = next++; i < count && !interrupted(); i = next++) run(i, evaluators);
    } catch (...) {
      next = count;
      const std::lock_guard lock(mutex);
      failure = std::current_exception();
    }
  };
  {
    std::vector<std::jthread> others;
    for (int i = 1; i < threads; ++i) others.emplace_back(work);
    work();
  }
  if (failure) std::rethrow_exception(failure);
}

Found search_alone(SolveRequest search, EvaluatorKeeper& evaluators, Way* way) {
  search.threads = 1;
  search.evaluators = &evaluators;
  search.limits.max_memory = memory_limit(search.limits);
  const std::unique_ptr<Solver> solver = make_solver(search);
  drive(*solver, search.batch, interrupted);
  if (way != nullptr) {
    way->backend = solver->backend();
    way->device = solver->device();
  }
  return Found::of(solver->result());
}

// A search a thread, as `experiment` does without a device.
Way on_cores(std::vector<SolveRequest> searches, int threads) {
  Way way{"cores"};
  way.found.resize(searches.size());
  const double begin = now();
  on_threads(searches.size(), threads, [&](std::size_t i, EvaluatorKeeper& evaluators) {
    searches[i].backend = "cpu";
    way.found[i] = search_alone(searches[i], evaluators, i == 0 ? &way : nullptr);
  });
  way.seconds = now() - begin;
  return way;
}

Way by_leaves(const std::vector<SolveRequest>& searches, const BenchSearchOptions& options) {
  Way way{"leaves"};
  way.found.resize(searches.size());
  const bool device = named_device(options.request.backend).has_value();
  FleetRequest request;
  request.backend = options.request.backend;
  request.threads = request.feeders = options.request.threads;
  request.in_flight = kInFlight * static_cast<std::uint32_t>(request.threads);
  request.batch_searches = kInFlight / 2;
  try {
    const FleetStats stats = run_fleet(
        searches, request,
        [&](std::size_t i, const Solver& solver) {
          way.found[i] = Found::of(solver.result());
          way.on_device += device;
        },
        [] { return interrupted(); });
    way.seconds = stats.seconds;
    way.backend = stats.backend;
    way.device = stats.device;
  } catch (const Error& error) {
    if (error.code() != ErrorCode::kUsage) throw;
    way.missing = "these searches share no playouts";
  }
  return way;
}

// What the device leaves is searched on the cores, and counts.
Way as_whole(const std::vector<SolveRequest>& searches, const BenchSearchOptions& options) {
  Way way{"whole"};
  const std::optional<int> device = named_device(options.request.backend);
  auto whole = device ? open_whole_searches(searches.front(), *device) : nullptr;
  if (whole == nullptr) {
    way.missing = device ? "no kernel has these searches" : "the backend is no device";
    return way;
  }
  way.found.resize(searches.size());
  way.backend = options.request.backend;
  way.device = whole->device();
  if (const std::optional<DeviceInfo> info = find_device(way.device)) {
    SolveRequest asked = searches.front();
    asked.backend = SolveRequest().backend;
    const std::unique_ptr<Solver> solver = make_solver(asked);
    way.bound = search_bound(solver->game(), solver->algorithm(), *info);
  }
  std::vector<std::size_t> left;
  const double begin = now();
  for (std::size_t at = 0; at < searches.size() && !interrupted(); at += kWholeFleet) {
    std::vector<WholeQuestion> questions;
    const std::size_t end = std::min(searches.size(), at + kWholeFleet);
    for (std::size_t i = at; i < end; ++i) questions.push_back({searches[i], nullptr});
    whole->search(questions, interrupted, [&](const std::vector<WholeAnswer>& answers) {
      for (const WholeAnswer& one : answers) {
        const std::size_t i = at + one.question;
        if (!one.ended) {
          left.push_back(i);
          continue;
        }
        way.found[i] = Found::of(one.result);
        ++way.on_device;
      }
    });
  }
  on_threads(left.size(), options.request.threads, [&](std::size_t i, EvaluatorKeeper& evaluators) {
    SolveRequest search = searches[left[i]];
    search.backend = "cpu";
    way.found[left[i]] = search_alone(search, evaluators, nullptr);
  });
  way.seconds = now() - begin;
  return way;
}

std::string text_of(const Found& found) {
  return fmt::format("{} iterations, {} nodes, {}, value {} to {}, move {}",
                     found.counters.iterations, found.counters.nodes_created,
                     to_string(found.verdict), found.lower, found.upper,
                     found.best_move.value_or("none"));
}

void expect_equal(const Way& way, const Way& cores) {
  if (!way.missing.empty() || interrupted()) return;
  for (std::size_t i = 0; i < way.found.size(); ++i) {
    const Found& wanted = cores.found[i];
    Found found = way.found[i];
    found.counters.peak_bytes = wanted.counters.peak_bytes;  // of another kind of tree
    if (found == wanted) continue;
    throw Error(ErrorCode::kInternal,
                fmt::format("search {} has {} on {}, but {} on the cores", i + 1, text_of(found),
                            way.device, text_of(wanted)));
  }
}

Json row_json(const Way& way) {
  if (!way.missing.empty()) return {{"way", way.name}, {"missing", way.missing}};
  const std::optional<double> rate = way.rate();
  const bool known = rate.has_value();
  const std::optional<double> share = way.share_of_bound();
  return {
      {"way", way.name},
      {"backend", way.backend},
      {"device", way.device},
      {"searches", way.found.size()},
      {"on_device", way.on_device},
      {"iterations", way.iterations()},
      {"seconds", known ? Json(way.seconds) : Json()},
      {"searches_per_second", known ? Json(*rate) : Json()},
      {"iterations_per_second", known ? Json(per_second(way.iterations(), way.seconds)) : Json()},
      {"share_of_bound", share ? Json(*share) : Json()}};
}

std::string row_text(const Way& way) {
  if (!way.missing.empty()) return fmt::format("{:<7} -: {}\n", way.name, way.missing);
  const std::optional<double> rate = way.rate();
  const std::optional<double> share = way.share_of_bound();
  return fmt::format("{:<7} {:>10} {:>10} {:>12} {:>12} {:>8}  {}\n", way.name, way.on_device,
                     rate ? fmt::format("{:.4f}", way.seconds) : "-",
                     rate ? fmt::format("{:.4g}", *rate) : "-",
                     rate ? fmt::format("{:.4g}", per_second(way.iterations(), way.seconds)) : "-",
                     share ? fmt::format("{:.1f} %", 100 * *share) : "-", way.device);
}

}  // namespace

int bench_fleet_ways(const BenchSearchOptions& options) {
  std::vector<SolveRequest> searches;
  for (std::uint64_t i = 0; i < options.searches; ++i) {
    searches.push_back(numbered_search(options, i));
  }
  // What cannot be asked at all is an error before a device is missing.
  SolveRequest asked = searches.front();
  asked.backend = SolveRequest().backend;
  make_solver(asked);
  std::vector<Way> ways;
  const auto wanted = [&](const char* name) {
    return std::ranges::find(options.ways, name) != options.ways.end();
  };
  // An error of the device comes before the cores have had their time.
  if (wanted("leaves")) ways.push_back(by_leaves(searches, options));
  if (wanted("whole")) ways.push_back(as_whole(searches, options));
  if (wanted("cores")) {
    ways.insert(ways.begin(), on_cores(searches, options.request.threads));
    for (const Way& way : ways) expect_equal(way, ways.front());
  }
  if (interrupted()) {
    print_error("stopped by a signal; searches that were cut are no measurement");
    return kExitUndecided;
  }
  if (options.json) {
    const auto last = std::find_if(ways.rbegin(), ways.rend(),
                                   [](const Way& way) { return way.missing.empty(); });
    const Way& told = last == ways.rend() ? ways.back() : *last;
    Json result = bench_search_json(options, told.backend, told.device);
    result["searches"] = options.searches;
    result["rows"] = Json::array();
    for (const Way& way : ways) result["rows"].push_back(row_json(way));
    print_json(result);
    return 0;
  }
  std::string text = fmt::format(
      "{} {}, {}, {}\n{:<7} {:>10} {:>10} {:>12} {:>12} {:>8}  {}\n", options.request.game,
      options.request.algorithm, counted(options.searches, "search", "searches"),
      counted(static_cast<std::uint64_t>(options.request.threads), "thread"), "way", "on device",
      "seconds", "searches/s", "iterations/s", "of bound", "device");
  for (const Way& way : ways) text += row_text(way);
  write_stdout(text);
  return 0;
}

}  // namespace playproof
