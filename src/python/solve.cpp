// playproof.solve() without its defaults, which are in python/playproof/_solve.py.
#include <mutex>
#include <string>
#include <utility>

#include "games/core/error.h"
#include "host/table/kept_table.h"
#include "src/io/files_apart.h"
#include "src/io/solve_result.h"
#include "src/python/bindings.h"
#include "src/python/request.h"
#include "src/python/result.h"
#include "src/solve/default_algorithm.h"
#include "src/solve/solve_run.h"

namespace playproof::python {
namespace {

// A table that outlives its search; one search at a time has it.
struct Table {
  std::mutex used;
  TableKeeper keeper;
};

// The table of a search, if it has one, while it lasts.
class TableLease {
 public:
  TableLease(Table* table, SolveRequest& request) : table_(table) {
    if (table_ == nullptr) return;
    if (!table_->used.try_lock()) {
      throw Error(ErrorCode::kUsage, "table: another search is using it");
    }
    request.keeper = &table_->keeper;
  }
  ~TableLease() {
    if (table_ != nullptr) table_->used.unlock();
  }
  TableLease(const TableLease&) = delete;
  TableLease& operator=(const TableLease&) = delete;
  // Nobody knows what a search that failed has left in it.
  void spoil() {
    if (table_ != nullptr) table_->keeper.reset();
  }

 private:
  Table* table_;
};

struct Files {
  std::optional<std::string> certificate, checkpoint, resume, svg;
  double checkpoint_seconds = 60;
  std::uint64_t self_check = 0;
  bool keep_proof = false;
};

void search(const SolveJob& job, LongCall& call, Result& result) {
  const nb::gil_scoped_release unlocked;
  SolveRun run(job, job.request.position);
  const auto tell = [&](const Solver& solver, double seconds) {
    call.tell(seconds, [&] { return progress_of(solver, seconds); });
  };
  result.answer = run.run({[&] { return call.stopped(); }, tell});
  if (job.keep_proof && decided(result.answer)) {
    BytesInMemory bytes;
    run.solver().write_certificate(bytes);
    result.proof = bytes.take();
  }
  if (run.failure()) result.failure = run.failure()->what();
  result.request = run.request();
  result.request.keeper = nullptr;
}

Result solve_job(const SolveRequest& request, const nb::dict& repeated, const Files& files,
                 Table* table, nb::object progress, double every) {
  SolveJob job;
  job.request = request;
  const auto named = [&](const char* name) { return repeated.contains(name); };
  job.repeated = {named("game"), named("position"), named("algorithm"), named("goal"),
                  named("seed"), named("batch"),    named("pipeline"),  named("workers")};
  job.certificate = files.certificate;
  job.checkpoint = files.checkpoint;
  job.resume = files.resume;
  job.svg = files.svg;
  job.checkpoint_seconds = files.checkpoint_seconds;
  job.self_check = files.self_check;
  job.keep_proof = files.keep_proof;
  keep_apart(files_of(job));
  TableLease lease(table, job.request);
  LongCall call(std::move(progress), every);
  Result result;
  try {
    search(job, call, result);
  } catch (const std::exception&) {
    lease.spoil();
    throw;
  }
  result.interrupted = call.interrupted();
  return result;
}

}  // namespace

void define_solve(nb::module_& module) {
  nb::class_<SolveRequest>(module, "Request", "What a search is asked; playproof.solve() makes it.")
      .def(nb::init<>())
      .def_rw("game", &SolveRequest::game)
      .def_rw("position", &SolveRequest::position)
      .def_rw("algorithm", &SolveRequest::algorithm)
      .def_rw("goal", &SolveRequest::goal)
      .def_rw("backend", &SolveRequest::backend)
      .def_rw("batch", &SolveRequest::batch)
      .def_rw("pipeline", &SolveRequest::pipeline)
      .def_rw("workers", &SolveRequest::workers)
      .def_rw("seed", &SolveRequest::seed)
      .def_rw("threads", &SolveRequest::threads)
      .def_prop_rw(
          "max_nodes", [](const SolveRequest& self) { return self.limits.max_nodes; },
          [](SolveRequest& self, std::uint64_t nodes) { self.limits.max_nodes = nodes; })
      .def_prop_rw(
          "max_seconds", [](const SolveRequest& self) { return self.limits.max_seconds; },
          [](SolveRequest& self, double seconds) { self.limits.max_seconds = seconds; })
      .def_prop_rw(
          "max_memory", [](const SolveRequest& self) { return self.limits.max_memory; },
          [](SolveRequest& self, std::uint64_t bytes) { self.limits.max_memory = bytes; });
  nb::class_<Table>(
      module, "Table",
      "A table that outlives its search: solve(..., table=table) goes on with what\n"
      "the search before has proven (dfpn, pds, pnstar, dfppn, dfews, alphabeta), if game,\n"
      "algorithm, seed and the side to move are the same. Counts, and what a limit leaves\n"
      "undecided, then depend on the order of the searches.")
      .def(nb::init<>());
  nb::class_<Files>(module, "Files", "What a search reads and writes; playproof.solve() makes it.")
      .def(nb::init<>())
      .def_rw("certificate", &Files::certificate)
      .def_rw("checkpoint", &Files::checkpoint)
      .def_rw("resume", &Files::resume)
      .def_rw("svg", &Files::svg)
      .def_rw("checkpoint_seconds", &Files::checkpoint_seconds)
      .def_rw("self_check", &Files::self_check)
      .def_rw("keep_proof", &Files::keep_proof);
  module.def("solve_job", &solve_job, nb::arg("request"), nb::arg("repeated"), nb::arg("files"),
             nb::arg("table").none(), nb::arg("progress").none(), nb::arg("every"),
             "playproof.solve() with everything repeated.");
  module.def("default_algorithm", &default_algorithm, nb::arg("game"),
             "What playproof.solve() takes where no algorithm is named; it has a table.");
  module.def(
      "request_of", [](const Result& result) { return result.request; }, nb::arg("result"),
      "What the search behind a result was asked.");
  module.def(
      "size_in_bytes",
      [](const std::string& name, const std::string& text) { return parse_size(name, text); },
      nb::arg("name"), nb::arg("text"), "'2GiB' as a number of bytes.");
}

}  // namespace playproof::python
