// A run with who made it, when, and what became of it: for whoever keeps rows, here or elsewhere.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>

#include "host/playouts/evaluator_keeper.h"
#include "host/solve/solver.h"
#include "src/experiment/run.h"
#include "src/experiment/runs.h"
#include "src/store/run_row.h"

namespace playproof {

struct MadeRun {
  enum class State {
    kResult,   // `row` may be stored
    kStopped,  // abandoned
    kMemory,   // the memory that it was given did not suffice, where the plan sets no limit
    kFailed,   // an internal error, which is of this run alone: `text`
  };
  State state = State::kResult;
  RunRow row;
  std::string text;
};

// Calls `make`, which throws as run() does, and says what became of it. Errors that are of all runs
// (a backend, say) are thrown.
MadeRun made_run(const std::function<RunRow()>& make);

// Who makes rows here, and with what.
void sign(RunRow* row);

// Makes runs one after the other, each from its question alone; what exhaustive search says is kept
// for the runs of the same question, and evaluators for all.
class Runner {
 public:
  // `memory` in bytes, where the plan sets no limit.
  MadeRun make(const PlannedRun& planned, std::uint64_t memory,
               const std::function<bool()>& stopped);

 private:
  // Null if a limit came first.
  const OracleAnswer* answer_to(const PlannedRun& planned, const RunAids& aids);

  EvaluatorKeeper evaluators_;
  std::map<std::string, OracleAnswer> answers_;  // by game, position, goal
};

}  // namespace playproof
