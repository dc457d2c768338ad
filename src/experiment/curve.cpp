#include "src/experiment/curve.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>

#include "games/core/error.h"
#include "src/io/drive.h"

namespace playproof {

CurveRecorder::CurveRecorder(const OracleAnswer& answer) : answer_(answer) {
  for (const auto& [move, wins] : answer.moves) {
    if (move >= kind_.size()) kind_.resize(move + 1u, Kind::kIllegal);
    kind_[move] = wins ? Kind::kWins : Kind::kWrong;
  }
}

void CurveRecorder::listen(Solver& solver) {
  solver.on_interim(
      [this](std::uint64_t iteration, const std::vector<Move>& tied) { hear(iteration, tied); });
}

ErrorCurve CurveRecorder::end(const SolveRequest& request, const SolveResult& first,
                              const SolveResult& second) {
  if (second.verdict != first.verdict || second.counters.iterations != first.counters.iterations ||
      second.counters.nodes_created != first.counters.nodes_created) {
    throw Error(ErrorCode::kInternal,
                fmt::format("{} on {} is not repeatable: {} iterations, then {}", request.algorithm,
                            request.game, first.counters.iterations, second.counters.iterations));
  }
  if (second.verdict != Verdict::kUnknown) add(second.counters.iterations, 0);
  return curve_;
}

ErrorCurve CurveRecorder::end(const WholeAnswer& found) {
  std::vector<Move> all;
  for (const auto& [move, wins] : answer_.moves) all.push_back(move);
  hear(0, all);
  for (const CurvePoint& point : found.errors) {
    add(point.iteration, static_cast<double>(point.wrong) / point.tied);
  }
  if (found.result.verdict != Verdict::kUnknown) add(found.result.counters.iterations, 0);
  return curve_;
}

void CurveRecorder::hear(std::uint64_t iteration, const std::vector<Move>& tied) {
  std::size_t wrong = 0;
  for (const Move move : tied) {
    if (move >= kind_.size() || kind_[move] == Kind::kIllegal) {
      throw Error(ErrorCode::kInternal, fmt::format("interim move {} is not legal", move));
    }
    if (kind_[move] == Kind::kWrong) ++wrong;
  }
  const double error =
      tied.empty() ? 0 : static_cast<double>(wrong) / static_cast<double>(tied.size());
  add(iteration, error);
}

void CurveRecorder::add(std::uint64_t iteration, double error) {
  const auto at = static_cast<std::int64_t>(iteration);
  if (!curve_.empty() && curve_.back().second == error) return;
  // Several changes within one iteration: the last one holds.
  if (!curve_.empty() && curve_.back().first == at) {
    curve_.pop_back();
    add(iteration, error);
    return;
  }
  curve_.emplace_back(at, error);
}

std::optional<ErrorCurve> error_curve(const SolveRequest& request, const OracleAnswer& answer,
                                      const SolveResult& first,
                                      const std::function<bool()>& stopped) {
  if (!answer.reached) return ErrorCurve{{0, 0.0}};
  CurveRecorder recorder(answer);
  const std::unique_ptr<Solver> solver = make_solver(request);
  recorder.listen(*solver);
  if (drive(*solver, request.batch, stopped) == StopReason::kStopped) return std::nullopt;
  return recorder.end(request, first, solver->result());
}

}  // namespace playproof
