#include "src/experiment/made_run.h"

#include <cstddef>
#include <exception>
#include <utility>

#include "games/core/error.h"
#include "host/playouts/evaluator.h"
#include "src/io/build_info.h"
#include "src/io/internal_error.h"
#include "src/io/machine.h"
#include "src/store/store.h"

namespace playproof {
namespace {

constexpr std::size_t kMostAnswers = 256;

MadeRun failed(std::string text) { return {MadeRun::State::kFailed, {}, std::move(text)}; }

}  // namespace

void sign(RunRow* row) {
  static const std::string host = host_name();
  static const std::string cpu = cpu_model();
  row->version = kVersion;
  row->revision = kGitRevision;
  row->compiler = kCompiler;
  row->host = host;
  row->cpu_model = cpu;
}

MadeRun made_run(const std::function<RunRow()>& make) {
  const std::string started = utc_now();
  try {
    MadeRun made{MadeRun::State::kResult, make(), {}};
    made.row.started = started;
    made.row.finished = utc_now();
    sign(&made.row);
    if (is_result(made.row)) return made;
    const bool memory = made.row.reason == to_string(StopReason::kMemory);
    made.state = memory ? MadeRun::State::kMemory : MadeRun::State::kStopped;
    return made;
  } catch (const Error& error) {
    if (error.code() != ErrorCode::kInternal) throw;
    return failed(error.what());
  } catch (const std::exception& error) {
    return failed(internal_error(error).what());
  }
}

MadeRun Runner::make(const PlannedRun& planned, std::uint64_t memory,
                     const std::function<bool()>& stopped) {
  bool unanswered = false;
  MadeRun made = made_run([&] {
    RunAids aids{memory, stopped, nullptr, &evaluators_};
    if (needs_oracle(planned)) {
      aids.answer = answer_to(planned, aids);
      unanswered = aids.answer == nullptr;
      if (unanswered) return RunRow{};
    }
    return run(planned, aids);
  });
  if (!unanswered) return made;
  made.state = stopped && stopped() ? MadeRun::State::kStopped : MadeRun::State::kMemory;
  return made;
}

const OracleAnswer* Runner::answer_to(const PlannedRun& planned, const RunAids& aids) {
  const std::string question = planned.game + "|" + planned.position + "|" + planned.goal;
  if (const auto known = answers_.find(question); known != answers_.end()) return &known->second;
  const OracleLimits limits{aids.stopped,
                            planned.max_memory == 0 ? aids.memory : planned.max_memory,
                            named_device(planned.backend)};
  OracleAnswer answer = oracle(planned.game, planned.position, planned.goal, limits);
  if (!answer.complete) return nullptr;
  if (answers_.size() >= kMostAnswers) answers_.clear();
  return &answers_.emplace(question, std::move(answer)).first->second;
}

}  // namespace playproof
