// One run of an experiment: from what is asked to what came out. A pure function: whoever calls it
// has the store, the progress, the threads and the signals.
#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "host/solve/solver.h"
#include "host/solve/whole_searches.h"
#include "src/experiment/runs.h"
#include "src/store/run_row.h"

namespace playproof {

// What a run may be given besides the question. It changes no row that is a result.
struct RunAids {
  std::uint64_t memory = 0;  // bytes, where the plan sets no limit; 0: what the machine has
  // Is asked now and then; true says that the row is worth nothing any more.
  std::function<bool()> stopped = {};
  // The answer of oracle() to this question, where somebody has asked it before; null: the run asks
  // itself.
  const OracleAnswer* answer = nullptr;
  EvaluatorKeeper* evaluators = nullptr;  // of the calling thread; null: each search opens its own
};

// The row, but for where and when it was made. The same run gives the same row but for its times;
// by several workers, another one with the same verdict, if both decide.
// Throws Error: kUnavailable (backend), kInternal (not repeatable), and what make_solver throws.
RunRow run(const PlannedRun& planned, const RunAids& aids = {});

// The two halves of a run, for whoever drives many searches at a time: the search, and its row once
// it has ended, without an error curve.
SolveRequest search_of(const PlannedRun& planned, const RunAids& aids = {});
RunRow row_of(const PlannedRun& planned, const Solver& solver, const OracleAnswer* answer);
// The same of a search that was made on a device as a whole, with its curve if the run has one.
RunRow row_of(const PlannedRun& planned, const WholeAnswer& found, const std::string& device,
              const OracleAnswer* answer);

// What the row of a run says of what was asked; nothing came out yet.
RunRow question_row(const PlannedRun& planned);

// Does exhaustive search have to answer the question of this run?
bool needs_oracle(const PlannedRun& planned);

// May the row be kept? Not if the run was stopped, and not if it met a limit of this machine.
bool is_result(const RunRow& row);

}  // namespace playproof
