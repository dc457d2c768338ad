// playproof.run() without its defaults: experiments.
#include "src/experiment/experiment.h"

#include <atomic>
#include <chrono>
#include <exception>
#include <string>
#include <thread>
#include <utility>

#include "games/core/error.h"
#include "src/experiment/plan.h"
#include "src/io/files_apart.h"
#include "src/python/bindings.h"
#include "src/store/store.h"

namespace playproof::python {
namespace {

// Runs in threads of its own, so that this one can look after signals.
ExperimentResult run_watched(const Plan& plan, ExperimentOptions options, LongCall& call) {
  constexpr auto kLook = std::chrono::milliseconds(10);
  std::atomic<bool> stop = false;
  std::atomic<bool> ended = false;
  options.stopped = [&] { return stop.load(); };
  options.on_run = [&](std::size_t done, std::size_t total, double seconds) {
    call.tell(seconds, [&] {
      nb::dict told;
      told["done"] = done;
      told["total"] = total;
      told["seconds"] = seconds;
      return told;
    });
  };
  ExperimentResult result;
  std::exception_ptr failure;
  const nb::gil_scoped_release unlocked;
  {
    const std::jthread runs([&] {
      try {
        result = run_experiment(plan, options);
      } catch (...) {
        failure = std::current_exception();
      }
      ended = true;
    });
    while (!ended) {
      std::this_thread::sleep_for(kLook);
      if (call.stopped()) stop = true;
    }
  }
  if (failure) std::rethrow_exception(failure);
  return result;
}

nb::tuple run_plan(const std::string& plan_file, const std::string& store,
                   const std::string& backend, int threads, std::uint64_t part, std::uint64_t parts,
                   std::uint32_t in_flight, nb::object progress, double every) {
  check_store_name(store);
  ExperimentOptions options;
  options.store = store;
  options.backend = backend;
  options.threads = threads;
  options.shard_index = part - 1;
  options.shard_count = parts;
  options.in_flight = in_flight;
  options.command = "playproof.run('" + plan_file + "', '" + store + "')";
  check_options(options);
  keep_apart(files_of(plan_file, {}, options));
  const Plan plan = load_plan(plan_file);
  keep_apart(files_of(plan_file, plan, options));
  LongCall call(std::move(progress), every);
  const ExperimentResult result = run_watched(plan, options, call);
  return nb::make_tuple(as_dict(result), call.interrupted());
}

}  // namespace

nb::dict as_dict(const ExperimentResult& result) {
  nb::dict told;
  told["status"] = result.status;
  told["summary"] = result.summary;
  told["stored"] = result.stored;
  told["planned"] = result.planned;
  told["made"] = result.made;
  told["undecided"] = result.undecided;
  told["disagreements"] = result.disagreements;
  told["failed"] = result.failed;
  return told;
}

void define_experiment(nb::module_& module) {
  module.def("run_plan", &run_plan, nb::arg("plan"), nb::arg("store"), nb::arg("backend"),
             nb::arg("threads"), nb::arg("part"), nb::arg("parts"), nb::arg("in_flight"),
             nb::arg("progress").none(), nb::arg("every"),
             "playproof.run() with everything said: what was run, and whether it was interrupted.");
}

}  // namespace playproof::python
