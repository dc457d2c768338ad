// What the parts of the module playproof._native share. Each part defines its own names in the
// module.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <atomic>
#include <chrono>
#include <cstdint>
#include <optional>
#include <string>

#include "host/solve/solver.h"
#include "src/io/json.h"

namespace playproof {
struct ExperimentResult;
}

namespace playproof::python {

namespace nb = nanobind;

// Must be called while the interpreter's lock is held, as everything here but SearchWatch's first
// two.
void define_errors(nb::module_& module);
void define_build(nb::module_& module);
void define_position(nb::module_& module);
void define_result(nb::module_& module);
void define_records(nb::module_& module);
void define_solve(nb::module_& module);
void define_search(nb::module_& module);
void define_playouts(nb::module_& module);
void define_check(nb::module_& module);
void define_experiment(nb::module_& module);
void define_cluster(nb::module_& module);

nb::object to_python(const Json& value);
nb::dict as_dict(const ExperimentResult& result);

// Throws Error(kUsage): "threads must be an integer 1..1024, not 0".
void check_range(const char* name, std::uint64_t value, std::uint64_t least, std::uint64_t most);

inline constexpr std::uint64_t kMostThreads = 1024;

// Looks after a long call that runs without the interpreter's lock: has a signal come, and is the
// caller to be told of progress? What Python raises meanwhile ends the call and is raised after it.
class LongCall {
 public:
  // `progress`: a callable or None; it is called every so many seconds.
  explicit LongCall(nb::object progress = nb::none(), double every = 0.5);

  // Both without the lock. True: the call is to end.
  bool stopped();
  template <class Tell>
  void tell(double seconds, const Tell& arguments) {
    if (!has_progress_ || seconds < next_ || stop_) return;
    next_ = seconds + every_;
    const nb::gil_scoped_acquire lock;
    ask([&] { return progress_(arguments()); });
  }

  // Ends the call, with the lock. True if KeyboardInterrupt has ended it; raises what else did.
  bool interrupted();

 private:
  template <class Call>
  void ask(const Call& call) {
    try {
      if (call().is(Py_False)) stop_ = true;
    } catch (nb::python_error& error) {
      caught_.emplace(std::move(error));
      stop_ = true;
    }
  }

  nb::object progress_;
  bool has_progress_;
  double every_;
  double next_;
  std::atomic<bool> stop_ = false;  // an experiment tells of progress in threads of its own
  std::optional<nb::python_error> caught_;
  std::chrono::steady_clock::time_point looked_ = std::chrono::steady_clock::now();
};

}  // namespace playproof::python
