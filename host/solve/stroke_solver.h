// A search of strokes (a tree or a table) behind host/solve/solver.h: steps, limits in time,
// failures. The loop is the driver's (host/drive/driver.h).
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <exception>
#include <limits>
#include <memory>
#include <utility>

#include "host/drive/clocks.h"
#include "host/drive/crew.h"
#include "host/drive/driver.h"
#include "host/drive/search.h"
#include "host/playouts/evaluator.h"
#include "host/question/worker_times.h"
#include "host/solve/solver_base.h"

namespace playproof {

// Search comes first: its functions are called once a stroke, and those of a second base class are
// entered by way of another.
template <Game G>
class StrokeSolver : public Search<G>, public SolverBase<G> {
 public:
  // `evaluator` is null for searches without playouts, and where another drives the strokes.
  StrokeSolver(const typename G::Rules& rules, const typename G::State& position,
               const Claim& claim, const SolveRequest& request, SolverNames names,
               std::shared_ptr<PlayoutEvaluator<G>> evaluator)
      : SolverBase<G>(rules, position, claim, request, std::move(names)),
        evaluator_(std::move(evaluator)),
        driver_(*this, evaluator_.get(), request.pipeline) {}

  Search<G>* strokes() final { return this; }

  StopReason step(std::uint64_t iterations) final {
    if (reason_ != StopReason::kRunning) return reason_;
    // The search waits for tallies that will never come; to go on would be to guess them.
    if (failure_) std::rethrow_exception(failure_);
    timed([&](const StopWatch& watch) {
      if (iterations == 0) return;
      this->tell(0);
      if (crew_) return run_crew(watch, iterations);
      StepLimits limits{*this, watch, iterations};
      unless_failed([&] { driver_.run(limits); });
      if (limits.out_of_time && reason_ == StopReason::kRunning) reason_ = StopReason::kSeconds;
    });
    return reason_;
  }

  bool finish_leaf(double seconds) final {
    if (!within_leaf()) return true;
    if (seconds <= 0) return false;
    const StopReason before = reason_;
    timed([&](const StopWatch& watch) {
      if (!crew_) return unless_failed([&] { driver_.run(LeafLimits{watch, seconds}); });
      unless_failed(
          [&] { crew_->finish_leaves([&](const Turn&) { return watch.elapsed() >= seconds; }); });
      absorb_crew();
    });
    if (reason_ == StopReason::kRunning) reason_ = before;  // a limit in time still holds
    return !within_leaf();
  }

 protected:
  using SolverBase<G>::reason_;

  PlayoutEvaluator<G>* evaluator() const { return evaluator_.get(); }
  // finish_leaf() can end it.
  bool within_leaf() const { return crew_ ? crew_->within_leaf() : driver_.within_leaf(); }
  // The search has threads, which search from now on: each with one of these evaluators.
  void use_threads(Workers<G>& workers, PlayoutEvaluators<G> evaluators) {
    crew_ = std::make_unique<Crew<G>>(workers, std::move(evaluators));
  }
  // Of these threads in this process, for the question that is asked now.
  const CrewTimes& crew_times() const { return crew_times_; }
  void ask_anew(int threshold, const SearchLimits& limits) {
    SolverBase<G>::ask_anew(threshold, limits);
    crew_times_ = {};
  }
  // Saves or loads the search (host/archive/archive.h); there is no engine if the position is
  // finished.
  template <class Archive, class MaybeEngine>
  void serialize(Archive& archive, MaybeEngine& engine) {
    if constexpr (!Archive::kLoading) {
      if (failure_) std::rethrow_exception(failure_);  // tallies that the tree waits for are lost
      finish_leaf(std::numeric_limits<double>::infinity());
    }
    this->serialize_base(archive);
    const bool decided = reason_ == StopReason::kDecided;
    if (engine) engine->serialize(archive);
    archive.check(decided == (!engine || engine->stopped() == StopReason::kDecided),
                  "the search ended for another reason than it says");
  }

 private:
  // A step has so many iterations or, with many playouts, kLongStep seconds; and the limit in time.
  struct StepLimits {
    static constexpr std::uint64_t kSlice = 64;
    static constexpr double kLongStep = 0.05;

    StrokeSolver& solver;
    const StopWatch& watch;
    std::uint64_t left;
    bool out_of_time = false;

    std::uint64_t most() const { return std::min(left, kSlice); }
    bool pause(const Turn& turn) {
      left -= std::min(left, turn.iterations);
      if (turn.cut || solver.looks_.due(turn)) {
        out_of_time = solver.out_of_time(watch);
        if (out_of_time || (turn.cut && watch.elapsed() >= kLongStep)) return true;
      }
      return left == 0;
    }
  };
  // What is left of a leaf, in so many seconds.
  struct LeafLimits {
    const StopWatch& watch;
    double seconds;

    std::uint64_t most() const { return 0; }
    bool pause(const Turn& /*turn*/) const { return watch.elapsed() >= seconds; }
  };

  // A run that failed cannot be gone on with.
  void unless_failed(const auto& run) {
    try {
      run();
    } catch (...) {
      failure_ = std::current_exception();
      driver_.abandon();
      if (crew_) crew_->abandon();
      throw;
    }
  }
  // A step of all threads. It also ends where they have to rest, as for a table that grows.
  void run_crew(const StopWatch& watch, std::uint64_t iterations) {
    std::atomic<bool> out_of_time = false;
    const auto over = [&](const Turn& turn) {
      if (this->out_of_time(watch)) out_of_time.store(true, std::memory_order_relaxed);
      return out_of_time.load(std::memory_order_relaxed) ||
             (turn.cut && watch.elapsed() >= StepLimits::kLongStep);
    };
    unless_failed([&] { crew_->run(iterations, over); });
    absorb_crew();
    // Leaves that are cut are finished first, as one thread does, but in time.
    if (crew_->within_leaf() && !out_of_time) reason_ = StopReason::kRunning;
    if (out_of_time && reason_ == StopReason::kRunning) reason_ = StopReason::kSeconds;
  }
  // Once it is decided nobody asks for the leaves that are cut.
  void absorb_crew() {
    this->absorb({});
    if (reason_ == StopReason::kDecided) crew_->abandon();
  }
  // Runs `body`; adds what it takes to the times, without what a simulation took, which may be
  // taken for longer than it was.
  void timed(const auto& body) {
    const Times before{this->seconds_, this->cpu_seconds_};
    const Times simulated = simulation();
    const Times begun = crew_ ? times_now(true) : Times{};
    {
      const StopWatch watch(this->threads_, &this->seconds_, &this->cpu_seconds_);
      body(watch);
    }
    if (crew_) note_crew_times(begun);
    const Times now = simulation();
    this->seconds_ = std::max(before.seconds, this->seconds_ - now.seconds + simulated.seconds);
    this->cpu_seconds_ =
        std::max(before.cpu_seconds, this->cpu_seconds_ - now.cpu_seconds + simulated.cpu_seconds);
  }
  // `begun`: the clocks of this thread before.
  [[gnu::cold]] void note_crew_times(const Times& begun) {
    const Times now = times_now(true);
    CrewTimes made{crew_->take_times(), now.seconds - begun.seconds};
    const double own = now.cpu_seconds - begun.cpu_seconds;
    made.main_cpu_seconds = std::max(0.0, own - made.workers.front().cpu_seconds);
    crew_times_.add(made);
  }
  Times simulation() const {
    if (!evaluator_) return {};
    return {evaluator_->simulation_seconds(), evaluator_->simulation_cpu_seconds()};
  }
  std::shared_ptr<PlayoutEvaluator<G>> evaluator_;
  Driver<G> driver_;
  ClockLooks looks_;
  std::unique_ptr<Crew<G>> crew_;  // which searches instead, on threads; null: one thread does
  CrewTimes crew_times_;
  std::exception_ptr failure_;  // of a run that did not end
};

}  // namespace playproof
