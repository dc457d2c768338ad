// What playproof-cluster is made of: the one process that owns the store, and the workers that make
// runs for it. Between them go texts.
#include <malloc.h>

#include <chrono>
#include <exception>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "games/core/error.h"
#include "host/question/question.h"
#include "src/experiment/experiment.h"
#include "src/experiment/made_run.h"
#include "src/experiment/plan.h"
#include "src/experiment/record.h"
#include "src/experiment/runs.h"
#include "src/experiment/wire.h"
#include "src/io/files_apart.h"
#include "src/python/bindings.h"
#include "src/store/store.h"

namespace playproof::python {
namespace {

using Unlocked = nb::call_guard<nb::gil_scoped_release>;

// A plan, its runs, and the store that their rows go to.
class StoreOwner {
 public:
  StoreOwner(const std::string& plan_file, const std::string& store, const std::string& backend,
             std::string command) {
    options_.store = store;
    options_.backend = backend;
    options_.command = std::move(command);
    check_store_name(store);
    check_options(options_);
    keep_apart(files_of(plan_file, {}, options_));
    plan_ = load_plan(plan_file);
    check_workers_fit(plan_, 1, "of playproof-cluster; `playproof experiment` may have more");
    keep_apart(files_of(plan_file, plan_, options_));
    list_ = list_runs(plan_, backend);
  }

  std::string plan_hash() const { return plan_.hash(); }
  std::size_t planned() const { return list_.runs.size(); }

  // Opens the store; the numbers of the runs that it lacks.
  std::vector<std::size_t> begin(int workers) {
    options_.threads = workers;
    record_ = std::make_unique<ExperimentRecord>(plan_, options_, list_);
    std::vector<std::size_t> numbers;
    for (const PlannedRun* run : record().missing()) {
      numbers.push_back(static_cast<std::size_t>(run - list_.runs.data()));
    }
    return numbers;
  }

  // Runs of one kind take about the same time.
  std::string kind(std::size_t number) const {
    const PlannedRun& run = list_.runs.at(number);
    return run.series + "\n" + run.algorithm;
  }
  // A run a line.
  std::string texts(const std::vector<std::size_t>& numbers) const {
    std::string lines;
    for (const std::size_t number : numbers) lines += to_text(list_.runs.at(number)) + '\n';
    if (!lines.empty()) lines.pop_back();
    return lines;
  }

  // Each is stored by itself; those before one that cannot be read stay.
  std::vector<std::string> take(const std::vector<std::size_t>& numbers,
                                const std::vector<std::string>& made) {
    if (numbers.size() != made.size()) {
      throw Error(ErrorCode::kData, "as many runs as there are texts of what became of them");
    }
    std::vector<std::string> states;
    states.reserve(made.size());
    for (std::size_t i = 0; i < made.size(); ++i) {
      const PlannedRun& asked = list_.runs.at(numbers[i]);
      MadeRun run = read_made_run(made[i], asked);
      states.emplace_back(state_name(run.state));
      record().take(asked, std::move(run));
    }
    return states;
  }
  void fail(std::size_t number, std::string text) {
    record().take(list_.runs.at(number), {MadeRun::State::kFailed, {}, std::move(text)});
  }

  ExperimentResult end(bool stopped) {
    record().print_failures();
    ExperimentResult result = record().end(stopped, "--workers");
    record_.reset();
    return result;
  }

 private:
  ExperimentRecord& record() {
    if (record_ == nullptr) throw Error(ErrorCode::kUsage, "the store is not open");
    return *record_;
  }

  ExperimentOptions options_;
  Plan plan_;
  RunList list_;
  std::unique_ptr<ExperimentRecord> record_;
};

// Asks `stopped` now and then, from a thread without the interpreter's lock.
class Asking {
 public:
  explicit Asking(nb::object stopped) : stopped_(std::move(stopped)) {}

  bool operator()() {
    constexpr auto kLook = std::chrono::milliseconds(200);
    const auto now = std::chrono::steady_clock::now();
    if (stop_ || now - looked_ < kLook) return stop_;
    looked_ = now;
    const nb::gil_scoped_acquire lock;
    try {
      stop_ = nb::cast<bool>(stopped_());
    } catch (nb::python_error& error) {
      caught_.emplace(std::move(error));
      stop_ = true;
    }
    return stop_;
  }
  void raise_caught() {
    if (caught_) throw std::move(*caught_);
  }

 private:
  nb::object stopped_;
  bool stop_ = false;
  std::optional<nb::python_error> caught_;
  std::chrono::steady_clock::time_point looked_ = std::chrono::steady_clock::now();
};

std::string make_run(Runner& runner, const std::string& text, std::uint64_t memory,
                     nb::object stopped) {
  Asking asking(std::move(stopped));
  std::string made;
  {
    const nb::gil_scoped_release unlocked;
    made = to_text(runner.make(read_planned_run(text), memory, [&] { return asking(); }));
  }
  asking.raise_caught();
  return made;
}

// Dask's nanny has glibc give back to the system what is free above 64 KiB, at once (its
// MALLOC_TRIM_THRESHOLD_); searches take it again at once. The limits that glibc finds by itself
// grow to these.
void keep_freed_memory() {
#ifdef __GLIBC__
  mallopt(M_MMAP_THRESHOLD, 32 << 20);
  mallopt(M_TRIM_THRESHOLD, 64 << 20);
#endif
}

nb::bytes texts_of(const StoreOwner& owner, const std::vector<std::size_t>& numbers) {
  std::string lines;
  {
    const nb::gil_scoped_release unlocked;
    lines = owner.texts(numbers);
  }
  return nb::bytes(lines.data(), lines.size());
}

nb::dict end_experiment(StoreOwner& owner, bool stopped) {
  ExperimentResult result;
  {
    const nb::gil_scoped_release unlocked;
    result = owner.end(stopped);
  }
  return as_dict(result);
}

}  // namespace

void define_cluster(nb::module_& module) {
  nb::class_<StoreOwner>(module, "StoreOwner",
                         "A plan and the store of its rows, for playproof-cluster.")
      .def(nb::init<const std::string&, const std::string&, const std::string&, std::string>(),
           nb::arg("plan"), nb::arg("store"), nb::arg("backend"), nb::arg("command"), Unlocked())
      .def_prop_ro("plan_hash", &StoreOwner::plan_hash, "Of the plan's text.")
      .def_prop_ro("planned", &StoreOwner::planned, "How many runs the plan has.")
      .def("begin", &StoreOwner::begin, nb::arg("workers"), Unlocked(),
           "Opens the store; the numbers of the runs that it lacks.")
      .def("kind", &StoreOwner::kind, nb::arg("number"),
           "Series and algorithm of a run, as a text.")
      .def("texts", &texts_of, nb::arg("numbers"), "Runs as bytes, a line each, for Runner.make().")
      .def("take", &StoreOwner::take, nb::arg("numbers"), nb::arg("made"), Unlocked(),
           "Stores what Runner.make() returned for these runs, one after the other, if it is a\n"
           "result, or counts it. Returns \"result\", \"stopped\", \"memory\" or \"failed\" of "
           "each.")
      .def("fail", &StoreOwner::fail, nb::arg("number"), nb::arg("text"), Unlocked(),
           "Counts the run as failed: it is not stored.")
      .def("end", &end_experiment, nb::arg("stopped"),
           "Closes the store; what playproof.run() returns.");
  nb::class_<Runner>(module, "Runner", "Makes runs, one after the other.")
      .def(nb::init<>())
      .def(
          "make", &make_run, nb::arg("text"), nb::arg("memory"), nb::arg("stopped"),
          "What became of the run, as text. memory: bytes, where the plan sets no limit. stopped:\n"
          "called now and then; if it returns True, the run is abandoned.");
  module.def("keep_freed_memory", &keep_freed_memory,
             "Memory that this process frees stays with it, up to 64 MiB.");
  module.def(
      "memory_limit", [] { return memory_limit({}); },
      "Bytes that searches may take on this machine together.");
}

}  // namespace playproof::python
