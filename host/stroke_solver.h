// Drives one search over one evaluator: propose, evaluate, absorb, until the claim is decided or a
// limit is met. Trees (host/tree_solver.h) and tables (host/table_solver.h) differ in what a stroke
// does.
#pragma once

#include <algorithm>
#include <cstdint>
#include <exception>
#include <memory>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "host/evaluator.h"
#include "host/solver_base.h"
#include "host/two_stroke.h"

namespace playproof {

template <Game G>
class StrokeSolver : public SolverBase<G>, public TwoStroke<G> {
 public:
  // `evaluator` is null for searches without playouts, and where another drives the strokes.
  StrokeSolver(const typename G::Rules& rules, const typename G::State& position,
               const Claim& claim, const SolveRequest& request, SolverNames names,
               std::unique_ptr<PlayoutEvaluator<G>> evaluator)
      : SolverBase<G>(rules, position, claim, request, std::move(names)),
        evaluator_(std::move(evaluator)) {}

  StopReason step(std::uint64_t iterations) final {
    if (reason_ != StopReason::kRunning) return reason_;
    // The search waits for tallies that will never come; to go on would be to guess them.
    if (failure_) std::rethrow_exception(failure_);
    const double simulated = evaluator_ ? evaluator_->simulation_seconds() : 0;
    run(iterations);
    if (evaluator_) this->seconds_ -= evaluator_->simulation_seconds() - simulated;
    return reason_;
  }

  void propose(std::vector<LeafRequest<G>>& requests) final {
    this->tell(0);
    const std::size_t before = requests.size();
    while (reason_ == StopReason::kRunning && requests.size() == before) {
      take(kSlice, requests);
      if (requests.size() == before) this->absorb({});  // the rules decided all there was
    }
  }

 protected:
  using SolverBase<G>::reason_;
  static constexpr std::uint64_t kSlice = 256;

  // One stroke of the engine, of about `most` iterations; returns how many there were.
  virtual std::uint64_t take(std::uint64_t most, std::vector<LeafRequest<G>>& requests) = 0;
  PlayoutEvaluator<G>* evaluator() const { return evaluator_.get(); }
  // Saves or loads the search (host/archive.h); there is no engine if the position is finished.
  template <class Archive, class Engine>
  void serialize(Archive& archive, std::optional<Engine>& engine) {
    this->serialize_base(archive);
    const bool decided = reason_ == StopReason::kDecided;
    if (engine) engine->serialize(archive);
    archive.check(decided == (!engine || engine->stopped() == StopReason::kDecided),
                  "the search ended for another reason than it says");
  }

 private:
  // Until the search stops, or for so many iterations.
  void run(std::uint64_t iterations) {
    const StopWatch watch(this->threads_, &this->seconds_, &this->cpu_seconds_);
    this->tell(0);
    std::uint64_t done = 0;
    while (reason_ == StopReason::kRunning && done < iterations) {
      std::uint64_t taken = 0;
      try {
        taken = stroke(iterations - done);
      } catch (...) {
        failure_ = std::current_exception();
        throw;
      }
      done += taken;
      if (reason_ != StopReason::kRunning || !time_to_look(taken)) continue;
      if (this->out_of_time(watch)) reason_ = StopReason::kSeconds;
    }
  }
  // One turn of the circle. At least 1, so that a stopped engine ends the loop.
  std::uint64_t stroke(std::uint64_t most) {
    requests_.clear();
    const std::uint64_t taken = take(std::min(most, kSlice), requests_);
    tallies_.resize(requests_.size());
    if (!requests_.empty()) evaluator_->collect(evaluator_->submit(requests_), tallies_);
    this->absorb(tallies_);
    return std::max<std::uint64_t>(taken, 1);
  }
  // Reading the clock costs as much as some playouts: it is due once per 64 iterations, or per
  // 1,024 playouts if that is sooner.
  bool time_to_look(std::uint64_t taken) {
    work_ += 16 * taken;
    for (const LeafRequest<G>& request : requests_) work_ += request.playouts;
    if (work_ < 1024) return false;
    work_ = 0;
    return true;
  }

  std::unique_ptr<PlayoutEvaluator<G>> evaluator_;
  std::uint64_t work_ = 1024;   // since the last look at the clock: the first turn looks
  std::exception_ptr failure_;  // of a turn that did not end
  std::vector<LeafRequest<G>> requests_;
  std::vector<Tally> tallies_;
};

}  // namespace playproof
