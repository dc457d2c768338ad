// Drives one depth-first search over one evaluator, and rebuilds its proof from the table.
#pragma once

#include <algorithm>
#include <memory>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "host/depth_first.h"
#include "host/evaluator.h"
#include "host/solver_base.h"
#include "host/two_stroke.h"

namespace playproof {

template <Game G>
class TableSolver final : public SolverBase<G>, public TwoStroke<G> {
  using Base = SolverBase<G>;
  using Base::claim_;
  using Base::position_;
  using Base::reason_;
  using Base::rules_;
  using Engine = DepthFirst<G>;
  using State = typename G::State;

 public:
  // `evaluator` is null for leaf numbers without playouts, and where another drives the strokes.
  TableSolver(const typename G::Rules& rules, const State& position, const Claim& claim,
              const SolveRequest& request, SolverNames names,
              std::unique_ptr<PlayoutEvaluator<G>> evaluator,
              const typename Engine::Options& options)
      : Base(rules, position, claim, request, std::move(names)), evaluator_(std::move(evaluator)) {
    if (this->finished()) {
      reason_ = StopReason::kDecided;
    } else {
      engine_.emplace(rules, position, claim, options);
    }
  }

  StopReason step(std::uint64_t iterations) override {
    if (reason_ != StopReason::kRunning) return reason_;
    const StopWatch watch(this->threads_, &this->seconds_, &this->cpu_seconds_);
    this->tell(0);
    std::uint64_t done = 0;
    while (reason_ == StopReason::kRunning && done < iterations) {
      done += stroke(std::min(iterations - done, kSlice));
      if (reason_ == StopReason::kRunning && time_to_look() && this->out_of_time(watch)) {
        reason_ = StopReason::kSeconds;
      }
    }
    return reason_;
  }

  void propose(std::vector<LeafRequest<G>>& requests) override {
    this->tell(0);
    const std::size_t before = requests.size();
    while (reason_ == StopReason::kRunning && requests.size() == before) {
      engine_->propose(kSlice, requests);
      if (requests.size() == before) absorb({});
    }
  }
  StopReason absorb(std::span<const Tally> tallies) override {
    engine_->absorb(tallies);
    if (this->listener_ && engine_->root_changed()) this->tell(engine_->counters().iterations);
    reason_ = engine_->stopped();
    if (reason_ == StopReason::kDecided) decided_ = engine_->counters();
    return reason_;
  }

  SolveResult result() const override {
    if (!engine_) return this->finished_result();
    SolveResult result;
    const Bounds bounds = decided_ ? bounds_ : engine_->bounds();
    result.verdict = bounds.proves(claim_.threshold)      ? Verdict::kProved
                     : bounds.disproves(claim_.threshold) ? Verdict::kDisproved
                                                          : Verdict::kUnknown;
    result.reason = reason_;
    result.lower = bounds.lower();
    result.upper = bounds.upper();
    result.counters = counters();
    result.seconds = this->seconds_;
    result.cpu_seconds = this->cpu_seconds_;
    for (const Move move : line_) result.principal_variation.push_back(this->move_text(move));
    return result;
  }

 private:
  static constexpr std::uint64_t kSlice = 256;
};

}  // namespace playproof
