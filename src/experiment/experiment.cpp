#include "src/experiment/experiment.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <exception>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <system_error>
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
#include "src/experiment/curve.h"
#include "src/experiment/made_run.h"
#include "src/experiment/record.h"
#include "src/experiment/run.h"
#include "src/experiment/runs.h"
#include "src/io/internal_error.h"
#include "src/io/interrupt.h"
#include "src/io/output.h"
#include "src/io/quantities.h"
#include "src/store/store.h"

namespace playproof {
namespace {

// What exhaustive search says about a question; asked at most once, when its first run begins.
class Answers {
 public:
  Answers(std::size_t questions, std::optional<int> device, std::function<bool()> stopped)
      : device_(device), stopped_(std::move(stopped)), cells_(questions) {}

  // Null if none is wanted, or none is to be had: interrupted, or beyond the memory.
  const OracleAnswer* find(const PlannedRun& run, std::uint64_t memory) {
    if (!needs_oracle(run)) return nullptr;
    Cell& cell = cells_[run.question];
    const std::lock_guard lock(cell.mutex);
    if (cell.beyond) return nullptr;
    if (!cell.answer) {
      const OracleLimits limits{stopped_, run.max_memory == 0 ? memory : run.max_memory, device_};
      OracleAnswer answer = oracle(run.game, run.position, run.goal, limits);
      cell.beyond = !answer.complete && !stopped_();
      if (!answer.complete) return nullptr;
      cell.answer = std::move(answer);
    }
    return &*cell.answer;
  }

 private:
  struct Cell {
    std::mutex mutex;
    std::optional<OracleAnswer> answer;
    bool beyond = false;  // the memory
  };
  std::optional<int> device_;
  std::function<bool()> stopped_;
  std::vector<Cell> cells_;
};

// The threads of an experiment: a run of several workers takes more than one. Who comes first gets
// his first, so that one who needs many does not wait for ever.
class Threads {
 public:
  explicit Threads(int number) : free_(number) {}

  // Waits until there are so many.
  void take(int number) {
    std::unique_lock lock(mutex_);
    const std::uint64_t turn = turns_++;
    changed_.wait(lock, [&] { return turn == next_turn_ && number <= free_; });
    free_ -= number;
    ++next_turn_;
    changed_.notify_all();
  }
  void give_back(int number) {
    const std::lock_guard lock(mutex_);
    free_ += number;
    changed_.notify_all();
  }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  int free_;
  std::uint64_t turns_ = 0;
  std::uint64_t next_turn_ = 0;
};

class TakenThreads {
 public:
  TakenThreads(Threads& threads, int number) : threads_(threads), number_(number) {
    threads_.take(number_);
  }
  ~TakenThreads() { threads_.give_back(number_); }
  TakenThreads(const TakenThreads&) = delete;
  TakenThreads& operator=(const TakenThreads&) = delete;

 private:
  Threads& threads_;
  int number_;
};

// The progress of all runs together, on stderr.
class RunProgress {
 public:
  RunProgress(const ExperimentOptions& options, std::size_t total)
      : mode_(options.progress), on_run_(options.on_run), total_(total) {}
  ~RunProgress() {
    if (line_shown_) write_stderr("\r\x1b[K");
  }
  RunProgress(const RunProgress&) = delete;
  RunProgress& operator=(const RunProgress&) = delete;

  void count_one() {
    ++done_;
    const double elapsed =
        std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
    if (on_run_) on_run_(done_, total_, elapsed);
    if (mode_ == ProgressMode::kNone || (elapsed < next_ && done_ < total_)) return;
    next_ = elapsed + 0.5;
    const double left = elapsed / static_cast<double>(done_) * static_cast<double>(total_ - done_);
    if (mode_ == ProgressMode::kJson) {
      const nlohmann::ordered_json json = {
          {"done", done_}, {"total", total_}, {"seconds", elapsed}, {"seconds_left", left}};
      write_stderr(json.dump() + "\n");
      return;
    }
    write_stderr(fmt::format("\r{} of {}  {:.0f} s  about {:.0f} s left\x1b[K", done_,
                             counted(total_, "run"), elapsed, left));
    line_shown_ = true;
  }

 private:
  ProgressMode mode_;
  const std::function<void(std::size_t, std::size_t, double)>& on_run_;
  std::size_t total_;
  std::size_t done_ = 0;
  double next_ = 0.5;
  bool line_shown_ = false;
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

// Searches in flight a thread: few enough for their trees to stay in its caches, and many enough
// for a device that is some microseconds away.
constexpr std::uint64_t kInFlight = 64;
// Runs of a fleet at the most: exhaustive search is asked about all of them before they begin.
constexpr std::size_t kFleet = 2048;

// A thread of a device is expected to take so many times as long for a search as a core: with
// fewer searches the cores are sooner done. (An estimate, from counted instructions: no device has
// said so yet.)
constexpr std::size_t kThreadsOfACore = 128;
// Searches that a device is given at once: as many again as it has threads for, so that none of
// them waits while long trees end.
constexpr std::size_t kWholeFleet = 1 << 17;

constexpr std::size_t kTried = 16;  // positions, for one that is not finished

// A run of a fleet whose error curve is still to be taken.
struct Heard {
  std::size_t run;
  RunRow row;
  SolveResult first;
  CurveRecorder curve;
};

class Experiment {
 public:
  Experiment(const Plan& plan, const ExperimentOptions& options, const RunList& list)
      : options_(options),
        stopped_(options.stopped ? options.stopped : interrupted),
        threads_(options.threads),
        answers_(list.questions, named_device(options.backend), stopped_),
        record_(plan, options, list) {}

  ExperimentResult run_all();

 private:
  // Runs that a device searches as a whole, all like each other.
  struct WholeFleet {
    std::unique_ptr<WholeSearches> searches;
    std::vector<const PlannedRun*> runs;
  };

  std::vector<WholeFleet> take_whole();
  std::vector<const PlannedRun*> search_whole(std::vector<WholeFleet> fleets,
                                              RunProgress& progress);
  void search_whole(WholeSearches& searches, std::span<const PlannedRun* const> runs,
                    std::vector<const PlannedRun*>* left, RunProgress& progress);
  void work(RunProgress& progress);
  void feed_all(RunProgress& progress);
  std::uint64_t in_flight(std::span<const PlannedRun* const> runs) const;
  void feed(std::span<const PlannedRun* const> runs, RunProgress& progress);
  void fly(std::span<const SolveRequest> searches, const FleetRequest& request,
           const std::string& name, const FleetListener& done);
  std::vector<const OracleAnswer*> ask_all(std::span<const PlannedRun* const> runs);
  void guarded(const std::function<void()>& work);
  void on_all_threads(std::size_t tasks, const std::function<void()>& work);
  MadeRun make(const PlannedRun& asked, EvaluatorKeeper& evaluators);
  // How many a run takes. One of several workers takes all: its CPU time is the process's.
  int threads_of(const PlannedRun& run) const { return run.workers > 1 ? options_.threads : 1; }
  // The memory of a run among as many as there are threads.
  std::uint64_t memory_of_one() const {
    return memory_limit({}) / static_cast<std::uint64_t>(options_.threads);
  }
  bool keep(const PlannedRun& planned, MadeRun made, RunWay way, RunProgress& progress);

  const ExperimentOptions& options_;
  std::function<bool()> stopped_;
  Threads threads_;
  Answers answers_;
  std::vector<const PlannedRun*> missing_;
  std::string alone_;  // the backend of what is run alone, if not that of the options
  std::atomic<std::size_t> next_{0};
  std::atomic<bool> failed_{false};
  std::mutex mutex_;  // guards what is below, and the progress
  ExperimentRecord record_;
  std::exception_ptr failure_;
};

ExperimentResult Experiment::run_all() {
  missing_ = record_.missing();
  {
    RunProgress progress(options_, missing_.size());
    std::vector<const PlannedRun*> left;  // by the device
    {
      std::vector<WholeFleet> fleets = take_whole();
      std::jthread device;
      if (!fleets.empty()) {
        device = std::jthread(
            [&] { guarded([&] { left = search_whole(std::move(fleets), progress); }); });
      }
      feed_all(progress);
      on_all_threads(missing_.size(), [&] { work(progress); });
    }
    missing_ = std::move(left);
    alone_ = "cpu";
    next_ = 0;
    on_all_threads(missing_.size(), [&] { work(progress); });
  }
  record_.print_failures();
  if (failure_) std::rethrow_exception(failure_);
  return record_.end(stopped_(), "--threads");
}

// The runs that a device can search as a whole, if it is worth its while: those of one algorithm in
// one game, in the order of the plan. They are no longer missing.
std::vector<Experiment::WholeFleet> Experiment::take_whole() {
  std::vector<WholeFleet> fleets;
  const std::optional<int> device = named_device(options_.backend);
  if (!device) return fleets;
  std::map<std::string, std::vector<const PlannedRun*>> alike;
  for (const PlannedRun* run : missing_) {
    // One has none of the CPU's time, and no workers.
    if (run->max_cpu_seconds > 0 || run->workers > 1) continue;
    alike[fleet_game(run->game) + " " + run->spec].push_back(run);
  }
  std::set<const PlannedRun*> taken;
  for (auto& [name, runs] : alike) {
    if (runs.size() < kThreadsOfACore * static_cast<std::size_t>(options_.threads)) continue;
    std::unique_ptr<WholeSearches> searches;
    for (std::size_t i = 0; i < runs.size() && searches == nullptr && i < kTried; ++i) {
      searches = open_whole_searches(search_of(*runs[i]), *device);
    }
    if (searches == nullptr) continue;
    taken.insert(runs.begin(), runs.end());
    fleets.push_back({std::move(searches), std::move(runs)});
  }
  std::erase_if(missing_, [&](const PlannedRun* run) { return taken.contains(run); });
  return fleets;
}

// Returns what the device has left to the CPU.
std::vector<const PlannedRun*> Experiment::search_whole(std::vector<WholeFleet> fleets,
                                                        RunProgress& progress) {
  std::vector<const PlannedRun*> left;
  for (WholeFleet& fleet : fleets) {
    for (std::size_t at = 0; at < fleet.runs.size(); at += kWholeFleet) {
      search_whole(*fleet.searches,
                   std::span(fleet.runs).subspan(at, std::min(kWholeFleet, fleet.runs.size() - at)),
                   &left, progress);
    }
    fleet.searches.reset();  // the next one needs its memory
  }
  return left;
}

void Experiment::search_whole(WholeSearches& searches, std::span<const PlannedRun* const> runs,
                              std::vector<const PlannedRun*>* left, RunProgress& progress) {
  const auto ends = [this] { return stopped_() || failed_; };
  const std::vector<const OracleAnswer*> answers = ask_all(runs);
  std::vector<WholeQuestion> questions;
  std::vector<std::size_t> numbers;  // of the runs
  for (std::size_t i = 0; i < runs.size(); ++i) {
    if (needs_oracle(*runs[i]) && answers[i] == nullptr) {
      left->push_back(runs[i]);
      continue;
    }
    const bool curve = runs[i]->error_curve && answers[i]->reached;
    questions.push_back({search_of(*runs[i]), curve ? answers[i] : nullptr});
    questions.back().search.limits.max_memory = runs[i]->max_memory;
    numbers.push_back(i);
  }
  if (ends()) return;
  const std::string started = utc_now();
  searches.search(questions, ends, [&](const std::vector<WholeAnswer>& found) {
    std::vector<const PlannedRun*> ended;
    std::vector<MadeRun> made;
    for (const WholeAnswer& one : found) {
      const std::size_t i = numbers[one.question];
      if (!one.ended) {
        left->push_back(runs[i]);
        continue;
      }
      ended.push_back(runs[i]);
      made.push_back(
          made_run([&] { return row_of(*runs[i], one, searches.device(), answers[i]); }));
      made.back().row.started = started;
    }
    const std::lock_guard lock(mutex_);
    for (std::size_t n = record_.take_all(ended, std::move(made), RunWay::kDevice); n > 0; --n) {
      progress.count_one();
    }
  });
}

// A backend that wants many searches at a time gets them: the runs of one algorithm in one game, in
// the order of the plan, as a fleet. So what they share is the time of one algorithm. What a fleet
// leaves is run alone.
void Experiment::feed_all(RunProgress& progress) {
  if (!wants_many_searches(options_.backend)) return;
  std::map<std::string, std::vector<const PlannedRun*>> fleets;  // by what is played, and how
  std::vector<const PlannedRun*> alone;
  for (const PlannedRun* run : missing_) {
    (run->shares_playouts ? fleets[fleet_game(run->game) + " " + run->spec] : alone).push_back(run);
  }
  missing_ = std::move(alone);
  for (const auto& [name, runs] : fleets) {
    for (std::size_t at = 0; at < runs.size(); at += kFleet) {
      feed(std::span(runs).subspan(at, std::min(kFleet, runs.size() - at)), progress);
    }
  }
}

// As many run at a time as all have the memory that the plan allows them, or a whole table.
std::uint64_t Experiment::in_flight(std::span<const PlannedRun* const> runs) const {
  std::uint64_t most = options_.in_flight > 0
                           ? options_.in_flight
                           : kInFlight * static_cast<std::uint64_t>(options_.threads);
  most = std::min<std::uint64_t>(most, runs.size());
  for (const PlannedRun* run : runs) {
    std::uint64_t needed = run->max_memory;
    const Spec spec = parse_spec(run->spec);
    for (const auto& [key, value] : spec.options) {
      if (key == "table") needed = std::max(needed, parse_size("table", value) / 4 * 5);
    }
    if (needed > 0) most = std::min(most, memory_limit({}) / needed);
  }
  return std::max<std::uint64_t>(most, 1);
}

// A search that meets the memory that it has in a fleet is no result; it is run alone, as are those
// that a fleet which failed has not ended.
void Experiment::feed(std::span<const PlannedRun* const> runs, RunProgress& progress) {
  const std::vector<const OracleAnswer*> answers = ask_all(runs);
  if (stopped_() || failed_) return;
  FleetRequest request;
  request.backend = options_.backend;
  request.threads = options_.threads;
  request.feeders = options_.threads;
  request.in_flight = static_cast<std::uint32_t>(in_flight(runs));
  // Two loads a thread: the trees of one grow while the other one is played.
  const std::uint32_t loads = 2 * static_cast<std::uint32_t>(options_.threads);
  request.batch_searches = (request.in_flight + loads - 1) / loads;
  std::vector<SolveRequest> searches;
  std::vector<std::size_t> numbers;  // of the runs
  for (std::size_t i = 0; i < runs.size(); ++i) {
    if (needs_oracle(*runs[i]) && answers[i] == nullptr) continue;
    searches.push_back(search_of(*runs[i], {memory_limit({}) / request.in_flight}));
    numbers.push_back(i);
  }
  std::vector<bool> kept(runs.size());
  std::vector<std::string> started(searches.size());
  // These need an error curve, which another search takes, as in run().
  std::vector<SolveRequest> again;
  std::vector<Heard> heard;
  request.begins = [&](std::size_t search) { started[search] = utc_now(); };
  const auto keep_run = [&](std::size_t search, const Solver& solver) {
    const std::size_t i = numbers[search];
    MadeRun made = made_run([&] { return row_of(*runs[i], solver, answers[i]); });
    made.row.started = started[search];
    if (made.state != MadeRun::State::kResult) return;  // alone it may be one
    if (runs[i]->error_curve && answers[i]->reached) {
      again.push_back(searches[search]);
      heard.push_back({i, std::move(made.row), solver.result(), CurveRecorder(*answers[i])});
      return;
    }
    if (runs[i]->error_curve) made.row.curve = ErrorCurve{{0, 0.0}};
    kept[i] = keep(*runs[i], std::move(made), RunWay::kFleet, progress);
  };
  const std::string name = fmt::format("a fleet of {} {}", runs[0]->game, runs[0]->spec);
  fly(searches, request, name, keep_run);
  if (!again.empty() && !stopped_() && !failed_) {
    request.begins = {};
    request.made = [&](std::size_t search, Solver& solver) { heard[search].curve.listen(solver); };
    fly(again, request, name, [&](std::size_t search, const Solver& solver) {
      Heard& one = heard[search];
      MadeRun made = made_run([&] {
        one.row.curve = one.curve.end(again[search], one.first, solver.result());
        return one.row;
      });
      made.row.started = one.row.started;
      if (made.state != MadeRun::State::kResult) return;
      kept[one.run] = keep(*runs[one.run], std::move(made), RunWay::kFleet, progress);
    });
  }
  for (std::size_t i = 0; i < runs.size(); ++i) {
    if (!kept[i]) missing_.push_back(runs[i]);
  }
}

// A fleet that fails is told of; what it has not ended is run alone.
void Experiment::fly(std::span<const SolveRequest> searches, const FleetRequest& request,
                     const std::string& name, const FleetListener& done) {
  const auto failed = [&](const char* text) { record_.note_fleet_failure(name + ": " + text); };
  try {
    run_fleet(searches, request, done, stopped_);
  } catch (const Error& error) {
    if (error.code() != ErrorCode::kInternal) throw;
    failed(error.what());
  } catch (const std::exception& error) {
    failed(internal_error(error).what());
  }
}

// What exhaustive search says, asked on all threads; null where nothing is asked or to be had: such
// a run says alone why.
std::vector<const OracleAnswer*> Experiment::ask_all(std::span<const PlannedRun* const> runs) {
  std::vector<const OracleAnswer*> answers(runs.size());
  std::atomic<std::size_t> next = 0;
  on_all_threads(runs.size(), [&] {
    for (std::size_t i = next++; i < runs.size() && !stopped_(); i = next++) {
      try {
        answers[i] = answers_.find(*runs[i], memory_of_one());
      } catch (const std::exception&) {
      }
    }
  });
  return answers;
}

// What `work` throws is kept as the failure.
void Experiment::guarded(const std::function<void()>& work) {
  try {
    work();
  } catch (...) {
    failed_ = true;
    const std::lock_guard lock(mutex_);
    if (!failure_) failure_ = std::current_exception();
  }
}

// `work` on each, this one among them.
void Experiment::on_all_threads(std::size_t tasks, const std::function<void()>& work) {
  std::vector<std::jthread> workers;
  const std::size_t count = std::min(tasks, static_cast<std::size_t>(options_.threads));
  try {
    for (std::size_t i = 1; i < count; ++i) workers.emplace_back([&] { guarded(work); });
  } catch (const std::system_error&) {
    // The machine allows no more threads; those there are do it all.
  }
  guarded(work);
}

void Experiment::work(RunProgress& progress) {
  EvaluatorKeeper evaluators;
  while (!stopped_() && !failed_) {
    const std::size_t i = next_++;
    if (i >= missing_.size()) return;
    const TakenThreads taken(threads_, threads_of(*missing_[i]));
    if (stopped_() || failed_) return;
    keep(*missing_[i], make(*missing_[i], evaluators), RunWay::kAlone, progress);
  }
}

MadeRun Experiment::make(const PlannedRun& asked, EvaluatorKeeper& evaluators) {
  PlannedRun planned = asked;
  if (!alone_.empty()) planned.backend = alone_;
  const std::uint64_t memory = memory_of_one() * static_cast<std::uint64_t>(threads_of(asked));
  bool unanswered = false;
  MadeRun made = made_run([&] {
    const OracleAnswer* const answer = answers_.find(planned, memory);
    unanswered = needs_oracle(planned) && answer == nullptr;
    return unanswered ? RunRow{} : run(planned, {memory, stopped_, answer, &evaluators});
  });
  if (unanswered) made.state = stopped_() ? MadeRun::State::kStopped : MadeRun::State::kMemory;
  return made;
}

// False if it is no result.
bool Experiment::keep(const PlannedRun& planned, MadeRun made, RunWay way, RunProgress& progress) {
  const std::lock_guard lock(mutex_);
  const bool kept = record_.take(planned, std::move(made), way);
  if (kept) progress.count_one();
  return kept;
}

}  // namespace

void check_options(const ExperimentOptions& options) {
  const Spec backend = parse_spec(options.backend);
  const Options checked(backend_catalogue().find(backend.name), backend);
  if (options.in_flight > 0 && !wants_many_searches(options.backend)) {
    throw Error(ErrorCode::kUsage,
                "searches in flight are of backends that want many at a time: cuda, latency");
  }
}

std::vector<UsedFile> files_of(const std::string& plan_file, const Plan& plan,
                               const ExperimentOptions& options) {
  std::vector<UsedFile> files = {{"PLAN", plan_file, FileUse::kRead, {}},
                                 {"--store", options.store, FileUse::kWritten, store_companions()}};
  for (const PlanSeries& series : plan.series) {
    if (series.data_file.empty()) continue;
    files.push_back({"positions_file", series.data_file, FileUse::kRead, {}});
  }
  return files;
}

ExperimentResult run_experiment(const Plan& plan, const ExperimentOptions& options) {
  check_workers_fit(plan, options.threads, "--threads");
  const RunList list = list_runs(plan, options.backend);
  return Experiment(plan, options, list).run_all();
}

int print_runs(const Plan& plan, const ExperimentOptions& options) {
  const RunList list = list_runs(plan, options.backend);
  std::string text;
  std::size_t count = 0;
  for (std::size_t i = 0; i < list.runs.size(); ++i) {
    const PlannedRun& run = list.runs[i];
    if (run.instance % options.shard_count != options.shard_index) continue;
    text += fmt::format("{}\t{}\t{}\t{}\t{}\t{}\t{}\t{}\t{}\n", i + 1, run.series, run.problem,
                        run.game, run.goal, run.repetition, run.seed, run.algorithm, run.spec);
    ++count;
  }
  write_line(text + counted(count, "run"));
  return 0;
}

}  // namespace playproof
