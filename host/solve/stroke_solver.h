// Drives one search over one evaluator: propose, evaluate, absorb, until the claim is decided or a
// limit is met. Trees (host/solve/tree_solver.h) and tables (host/solve/table_solver.h) differ in
// what a stroke does.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <exception>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "host/playouts/evaluator.h"
#include "host/playouts/leaf_loads.h"
#include "host/solve/solver_base.h"
#include "host/solve/two_stroke.h"

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
    timed([&](const StopWatch& watch) { run(iterations, watch); });
    return reason_;
  }

  bool finish_leaf(double seconds) final {
    if (!within_leaf_) return true;
    if (seconds <= 0) return false;
    const StopReason before = reason_;
    timed([&](const StopWatch& watch) {
      while (within_leaf_ && watch.elapsed() < seconds) play_load();
    });
    if (reason_ == StopReason::kRunning) reason_ = before;  // a limit in time still holds
    return !within_leaf_;
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
  bool within_leaf() const { return within_leaf_; }  // finish_leaf() can end it
  // Saves or loads the search (host/archive/archive.h); there is no engine if the position is
  // finished.
  template <class Archive, class Engine>
  void serialize(Archive& archive, std::optional<Engine>& engine) {
    if constexpr (!Archive::kLoading) finish_leaf(std::numeric_limits<double>::infinity());
    this->serialize_base(archive);
    const bool decided = reason_ == StopReason::kDecided;
    if (engine) engine->serialize(archive);
    archive.check(decided == (!engine || engine->stopped() == StopReason::kDecided),
                  "the search ended for another reason than it says");
  }

 private:
  // Strokes of more playouts are cut into loads, and step() may end in the middle of one. The first
  // loads are small; they grow until one lasts kShortLoad seconds.
  static constexpr std::uint64_t kUncut = 1 << 14;
  static constexpr std::uint64_t kLeastLoad = 1 << 10;
  static constexpr std::uint64_t kMostLoad = std::uint64_t{1} << 40;
  static constexpr double kShortLoad = 0.01;
  static constexpr double kLongLoad = 0.04;
  static constexpr double kLongStep = 0.05;

  // Runs `body`; adds what it takes to the times, without what a simulation took.
  void timed(const auto& body) {
    const double simulated = evaluator_ ? evaluator_->simulation_seconds() : 0;
    {
      const StopWatch watch(this->threads_, &this->seconds_, &this->cpu_seconds_);
      body(watch);
    }
    if (evaluator_) this->seconds_ -= evaluator_->simulation_seconds() - simulated;
  }

  // Until the search stops, for so many iterations, or, with many playouts, for kLongStep seconds.
  void run(std::uint64_t iterations, const StopWatch& watch) {
    this->tell(0);
    std::uint64_t done = 0;
    while (reason_ == StopReason::kRunning && done < iterations) {
      const std::uint64_t taken = within_leaf_ ? 0 : begin_stroke(iterations - done);
      done += taken;
      play_load();
      const bool uncut = loads_.playouts() <= kUncut;
      if (reason_ != StopReason::kRunning || (uncut && !time_to_look(taken))) continue;
      if (this->out_of_time(watch)) reason_ = StopReason::kSeconds;
      if (!uncut && watch.elapsed() >= kLongStep) return;
    }
  }
  // The first half of a turn of the circle. At least 1, so that a stopped engine ends the loop.
  std::uint64_t begin_stroke(std::uint64_t most) {
    return unless_it_fails([&] {
      requests_.clear();
      const std::uint64_t taken = take(std::min(most, kSlice), requests_);
      loads_.begin(requests_);
      within_leaf_ = true;
      return std::max<std::uint64_t>(taken, 1);
    });
  }
  // Plays what is left of the stroke, or one load of it; the last one ends the turn.
  void play_load() {
    unless_it_fails([&] {
      if (loads_.playouts() > kUncut) {
        play_timed_load();
      } else if (!loads_.done()) {
        loads_.play(*evaluator_, kUncut);
      }
      if (!loads_.done()) return;
      within_leaf_ = false;
      this->absorb(loads_.tallies());
    });
  }
  void play_timed_load() {
    const auto begin = std::chrono::steady_clock::now();
    loads_.play(*evaluator_, load_);
    const std::chrono::duration<double> time = std::chrono::steady_clock::now() - begin;
    const double seconds = time.count();
    if (seconds < kShortLoad && load_ < kMostLoad) load_ *= 2;
    if (seconds > kLongLoad && load_ > kLeastLoad) load_ /= 2;
  }
  // A turn that failed cannot be ended any more.
  auto unless_it_fails(const auto& body) {
    try {
      return body();
    } catch (...) {
      failure_ = std::current_exception();
      within_leaf_ = false;
      throw;
    }
  }
  // Reading the clock costs as much as some playouts: it is due once per 64 iterations, or per
  // 1,024 playouts if that is sooner.
  bool time_to_look(std::uint64_t taken) {
    work_ += 16 * taken + loads_.playouts();
    if (work_ < 1024) return false;
    work_ = 0;
    return true;
  }

  std::unique_ptr<PlayoutEvaluator<G>> evaluator_;
  std::uint64_t work_ = 1024;   // since the last look at the clock: the first turn looks
  std::exception_ptr failure_;  // of a turn that did not end
  std::vector<LeafRequest<G>> requests_;
  LeafLoads<G> loads_;               // of the requests
  bool within_leaf_ = false;         // they are not all played, or not absorbed
  std::uint64_t load_ = kLeastLoad;  // playouts
};

}  // namespace playproof
