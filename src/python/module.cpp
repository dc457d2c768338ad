// playproof._native: what python/playproof is made of.
#include <fmt/format.h>

#include <limits>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>

#include "games/catalogue.h"
#include "games/core/error.h"
#include "host/playouts/evaluator.h"
#include "src/io/build_info.h"
#include "src/io/catalogue_json.h"
#include "src/io/machine.h"
#include "src/python/bindings.h"

namespace playproof::python {

LongCall::LongCall(nb::object progress, double every)
    : progress_(std::move(progress)),
      has_progress_(!progress_.is_none()),
      every_(every),
      next_(every) {}

bool LongCall::stopped() {
  constexpr auto kLook = std::chrono::milliseconds(20);
  if (stop_) return true;
  const auto now = std::chrono::steady_clock::now();
  if (now - looked_ < kLook) return false;
  looked_ = now;
  const nb::gil_scoped_acquire lock;
  if (PyErr_CheckSignals() != 0) {
    caught_.emplace();
    stop_ = true;
  }
  return stop_;
}

bool LongCall::interrupted() {
  if (!caught_) return false;
  if (!caught_->matches(PyExc_KeyboardInterrupt)) {
    caught_->restore();
    caught_.reset();
    nb::raise_python_error();
  }
  caught_.reset();
  return true;
}

void check_range(const char* name, std::uint64_t value, std::uint64_t least, std::uint64_t most) {
  if (value >= least && value <= most) return;
  throw Error(ErrorCode::kUsage,
              fmt::format("{} must be an integer {}..{}, not {}", name, least, most, value));
}

nb::object to_python(const Json& value) {
  switch (value.type()) {
    case Json::value_t::null:
    case Json::value_t::discarded:
      return nb::none();
    case Json::value_t::boolean:
      return nb::bool_(value.get<bool>());
    case Json::value_t::number_integer:
      return nb::int_(value.get<std::int64_t>());
    case Json::value_t::number_unsigned:
      return nb::int_(value.get<std::uint64_t>());
    case Json::value_t::number_float:
      return nb::float_(value.get<double>());
    case Json::value_t::array: {
      nb::list list;
      for (const Json& item : value) list.append(to_python(item));
      return list;
    }
    case Json::value_t::object: {
      nb::dict dict;
      for (const auto& [key, item] : value.items()) dict[key.c_str()] = to_python(item);
      return dict;
    }
    default: {  // texts and bytes; the names of files may be no UTF-8
      const auto& text = value.get_ref<const std::string&>();
      return nb::steal(PyUnicode_DecodeUTF8(text.data(), static_cast<Py_ssize_t>(text.size()),
                                            "surrogateescape"));
    }
  }
}

// Error becomes the class of playproof.errors that belongs to its code.
void define_errors(nb::module_& /*module*/) {
  nb::register_exception_translator([](const std::exception_ptr& thrown, void*) {
    try {
      std::rethrow_exception(thrown);
    } catch (const Error& error) {
      const nb::object made = nb::module_::import_("playproof.errors")
                                  .attr("make_error")(error.exit_status(), error.what());
      PyErr_SetObject(made.type().ptr(), made.ptr());
    }
  });
}

void define_build(nb::module_& module) {
  module.attr("version") = kVersion;
  module.attr("revision") = kGitRevision;
  module.attr("compiler") = kCompiler;
  module.attr("cuda") = kCuda;
  module.attr("cuda_architectures") = kCudaArchitectures;
  module.attr("MOST_PIPELINE") = kMostPipeline;
  module.attr("MOST_WORKERS") = kMostWorkers;
  module.def("all_cores", &all_cores, "Threads that this machine runs at a time.");
  const auto list = [&](const char* name, const Catalogue& (*catalogue)(), const char* help) {
    module.def(
        name, [catalogue] { return nb::cast<nb::list>(to_python(catalogue_json(catalogue()))); },
        help);
  };
  list("games", game_catalogue,
       "What can be played: a list of dicts with name, summary and options (name, type, default,\n"
       "min and max or words, help).");
  list("algorithms", algorithm_catalogue, "What can search, as games() lists what can be played.");
  list("backends", backend_catalogue,
       "What can play playouts, as games() lists what can be played. Some need an accelerator.");
}

}  // namespace playproof::python

NB_MODULE(_native, module) {
  using namespace playproof::python;  // NOLINT(google-build-using-namespace)
  module.doc() = "The solver behind playproof; import playproof instead.";
  define_errors(module);
  define_build(module);
  define_position(module);
  define_result(module);
  define_records(module);
  define_solve(module);
  define_search(module);
  define_playouts(module);
  define_check(module);
  define_experiment(module);
  define_cluster(module);
}
