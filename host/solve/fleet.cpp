#include "host/solve/fleet.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <exception>
#include <memory>
#include <mutex>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

#include "games/catalogue.h"
#include "games/core/error.h"
#include "games/core/spec.h"
#include "games/list.h"
#include "host/drive/driver.h"
#include "host/playouts/evaluator.h"
#include "host/playouts/evaluator_keeper.h"
#include "host/solve/make_solver.h"

namespace playproof {
namespace {

// What the feeders of a fleet share: the searches that wait, who is told, and how it ends.
class Queue {
 public:
  Queue(std::size_t searches, const FleetListener& done) : searches_(searches), done_(done) {}

  // The number of the next search, or how many there are if none is to be begun.
  std::size_t take() { return stopped_ ? searches_ : std::min(next_++, searches_); }
  // Nobody is told of anything after an error.
  void tell(std::size_t number, const Solver& solver) {
    const std::lock_guard lock(mutex_);
    if (error_) return;
    ++finished_;
    try {
      if (done_) done_(number, solver);
    } catch (...) {
      fail_locked();
    }
  }
  std::uint64_t finished() const { return finished_; }

  void stop() { stopped_ = true; }
  bool stopped() const { return stopped_; }
  // Ends all that is under way by the exception that is being handled; the first one counts.
  void fail() {
    const std::lock_guard lock(mutex_);
    fail_locked();
  }
  void rethrow() const {
    if (error_) std::rethrow_exception(error_);
  }

 private:
  void fail_locked() {
    if (!error_) error_ = std::current_exception();
    stopped_ = true;
  }

  std::size_t searches_;
  const FleetListener& done_;
  std::atomic<std::size_t> next_ = 0;
  std::mutex mutex_;  // of what follows
  std::uint64_t finished_ = 0;
  std::exception_ptr error_;
  std::atomic<bool> stopped_ = false;
};

// One thread's share of the searches in flight, with an evaluator of its own.
template <Game G>
class Feeder final : public Roster<G> {
 public:
  Feeder(std::span<const SolveRequest> searches, const FleetRequest& request,
         std::unique_ptr<PlayoutEvaluator<G>> evaluator, std::string canonical, std::size_t places,
         std::uint64_t max_memory, Queue& queue)
      : searches_(searches),
        request_(request),
        evaluator_(std::move(evaluator)),
        canonical_(std::move(canonical)),
        max_memory_(max_memory),
        queue_(queue),
        places_(places),
        driver_(*this, places, request.batch_searches, *evaluator_, most_batches(searches)) {}

  // `stop` may be empty.
  void run(const std::function<bool()>& stop) {
    struct Limits {
      Queue& queue;
      const std::function<bool()>& stop;
      std::uint64_t most() const { return kSlice; }
      bool pause(const Turn& /*turn*/) const {
        if (stop && !queue.stopped() && stop()) queue.stop();
        return queue.stopped();
      }
    };
    const double begin = now().seconds;
    driver_.run(Limits{queue_, stop});
    seconds_ = now().seconds - begin;
  }
  void add_to(FleetStats& stats, std::size_t feeders) const {
    stats.backend = evaluator_->name();
    stats.device = evaluator_->device();
    const auto& own = driver_.stats();
    stats.batches += own.loads;
    stats.leaves += own.leaves;
    stats.playouts += own.playouts;
    stats.seconds = std::max(stats.seconds, seconds_);
    const double measured = evaluator_->busy_seconds();
    stats.busy_seconds +=
        (measured < 0 ? own.busy_seconds : measured) / static_cast<double>(feeders);
  }

  Search<G>* next(std::size_t place) override {
    Place& at = places_[place];
    at.number = queue_.take();
    if (at.number == searches_.size()) return nullptr;
    if (request_.begins) request_.begins(at.number);
    SolveRequest search = searches_[at.number];
    search.limits.max_memory = std::min(memory_limit(search.limits), max_memory_);
    times_.begin(now());
    at.begun = times_.each();
    at.solver = make(search, "search " + std::to_string(at.number + 1) + ": ");
    if (request_.made) {
      request_.made(at.number, *at.solver);
      at.solver->tell_start();
    }
    return at.solver->strokes();
  }
  void ended(std::size_t place) override {
    Place& at = places_[place];
    times_.end(now());
    at.solver->add_time({times_.each().seconds - at.begun.seconds,
                         times_.each().cpu_seconds - at.begun.cpu_seconds});
    queue_.tell(at.number, *at.solver);
    at.solver.reset();
    times_.skip(now());
  }

 private:
  // Iterations of a search that needs no playouts, after which `stop` is asked and others go on.
  static constexpr std::uint64_t kSlice = 1 << 12;

  struct Place {
    std::size_t number = 0;
    std::unique_ptr<SolverBase<G>> solver;
    Times begun;  // what each had had then
  };

  // The most batches that one search may have out.
  static std::uint32_t most_batches(std::span<const SolveRequest> searches) {
    std::uint32_t most = 1;
    for (const SolveRequest& search : searches) {
      most = std::max(most, std::min(search.pipeline, kMostPipeline));
    }
    return most;
  }
  // Leaves out what only simulates a device.
  Times now() const {
    Times times = times_now(true);
    times.seconds -= evaluator_->simulation_seconds();
    times.cpu_seconds -= evaluator_->simulation_cpu_seconds();
    return times;
  }
  std::unique_ptr<SolverBase<G>> make(const SolveRequest& search, const std::string& number) const {
    if (search.limits.max_seconds > 0) {
      throw Error(ErrorCode::kUsage, number + "searches in flight have no limit in seconds");
    }
    if (search.keeper != nullptr) {
      throw Error(ErrorCode::kUsage, number + "searches in flight share no table");
    }
    const std::string canonical = fleet_game(search.game);
    if (canonical != canonical_) {
      throw Error(ErrorCode::kUsage, number + "searches in flight must be of one game, but " +
                                         canonical + " is not " + canonical_);
    }
    // So it is one of type G.
    const Spec spec = parse_spec(search.game);
    const Options options(game_catalogue().find(spec.name), spec);
    return make_shared(GameText<G>::rules(options), search, number);
  }
  std::unique_ptr<SolverBase<G>> make_shared(const typename G::Rules& rules,
                                             const SolveRequest& search,
                                             const std::string& number) const {
    const ReadRequest<G> read = read_request<G>(rules, search);
    if (read.goal.kind == Goal::Kind::kThreshold) {
      auto solver = make_claim_solver<G>(rules, read.position, read.goal.threshold, read.algorithm,
                                         search, read.names, evaluator_.get());
      if (solver->strokes() != nullptr && solver->backend() == evaluator_->name()) return solver;
    }
    throw Error(ErrorCode::kUsage, number + read.names.algorithm + " for goal " + search.goal +
                                       " does not share playouts; win, draw and score>=N with "
                                       "mcpn, ppn, mcts or uct do");
  }

  std::span<const SolveRequest> searches_;
  const FleetRequest& request_;
  std::unique_ptr<PlayoutEvaluator<G>> evaluator_;
  std::string canonical_;
  std::uint64_t max_memory_;  // of one search
  Queue& queue_;
  std::vector<Place> places_;
  Driver<G> driver_;
  SharedTimes times_;
  double seconds_ = 0;
};

// Places are shared out to the feeders; each fills its own with the searches that come next.
template <Game G>
class Fleet {
 public:
  Fleet(const typename G::Rules& all_rules, std::span<const SolveRequest> searches,
        const FleetRequest& request, const FleetListener& done)
      : queue_(searches.size(), done) {
    const typename G::Rules rules = playout_rules<G>(all_rules);
    const std::string canonical = name_of_playouts<G>(rules);
    const std::size_t places = std::min<std::size_t>(request.in_flight, searches.size());
    const auto evaluator = [&](int threads) {
      return make_evaluator<G>(rules, request.backend, threads);
    };
    auto first = evaluator(request.threads);
    const auto threads = static_cast<std::size_t>(request.threads);
    const std::size_t wanted = request.feeders > 0 ? static_cast<std::size_t>(request.feeders)
                               : first->on_callers_cores() ? threads
                                                           : 1;
    const std::size_t feeders = std::min(wanted, places);
    for (std::size_t i = 0; i < feeders; ++i) {
      // With too few searches for all threads the others help with playouts.
      const std::size_t share =
          std::max<std::size_t>(threads / feeders + (i < threads % feeders ? 1 : 0), 1);
      auto own = feeders == 1 ? std::move(first) : evaluator(static_cast<int>(share));
      own->share_among(static_cast<int>(feeders));
      feeders_.push_back(std::make_unique<Feeder<G>>(
          searches, request, std::move(own), canonical,
          places / feeders + (i < places % feeders ? 1 : 0), kMostAddresses / places, queue_));
    }
  }

  // The calling thread is the first feeder, and asks `stop`, also when it has nothing else to do.
  FleetStats run(const std::function<bool()>& stop) {
    {
      std::vector<std::jthread> threads;
      start_others(&threads);
      feed(0, stop);
      while (!all_ended(threads.size())) {
        try {
          if (stop && !queue_.stopped() && stop()) queue_.stop();
        } catch (...) {
          queue_.fail();
        }
      }
    }
    queue_.rethrow();
    FleetStats stats;
    stats.feeders = feeders_.size();
    for (const auto& feeder : feeders_) feeder->add_to(stats, feeders_.size());
    stats.finished = queue_.finished();
    return stats;
  }

 private:
  // Each search takes the addresses of two arenas (host/tree/arena.h); a process has four times as
  // many as this. Thousands of searches that could each fill the machine would want more.
  static constexpr std::uint64_t kMostAddresses = std::uint64_t{1} << 45;
  static constexpr std::chrono::milliseconds kBetweenLooks{20};

  // Starts as many threads as can be had: those who run share the searches that wait.
  void start_others(std::vector<std::jthread>* threads) {
    try {
      for (std::size_t i = 1; i < feeders_.size(); ++i) {
        threads->emplace_back([this, i] {
          feed(i, {});
          const std::lock_guard lock(mutex_);
          ++ended_;
          one_ended_.notify_one();
        });
      }
    } catch (const std::system_error&) {
    }
  }
  // Waits for it for a while.
  bool all_ended(std::size_t threads) {
    std::unique_lock lock(mutex_);
    return one_ended_.wait_for(lock, kBetweenLooks, [&] { return ended_ == threads; });
  }
  void feed(std::size_t i, const std::function<bool()>& stop) {
    try {
      feeders_[i]->run(stop);
    } catch (...) {
      queue_.fail();
    }
  }

  Queue queue_;
  std::vector<std::unique_ptr<Feeder<G>>> feeders_;
  std::mutex mutex_;
  std::condition_variable one_ended_;
  std::size_t ended_ = 0;
};

}  // namespace

std::string fleet_game(const std::string& game) {
  return visit_game(
      game, []<class G>(const typename G::Rules& rules) { return name_of_playouts<G>(rules); });
}

bool shares_playouts(Solver& search) {
  return visit_game(search.game(), [&]<class G>(const typename G::Rules& /*rules*/) {
    auto* const claim = dynamic_cast<SolverBase<G>*>(&search);
    return claim != nullptr && claim->strokes() != nullptr && claim->backend() != "none";
  });
}

FleetStats run_fleet(std::span<const SolveRequest> searches, const FleetRequest& request,
                     const FleetListener& done, const std::function<bool()>& stop) {
  if (request.in_flight < 1) throw Error(ErrorCode::kUsage, "in_flight must be at least 1");
  if (request.batch_searches < 1) {
    throw Error(ErrorCode::kUsage, "batch_searches must be at least 1");
  }
  if (request.threads < 1) throw Error(ErrorCode::kUsage, "threads must be at least 1");
  if (request.feeders < 0) throw Error(ErrorCode::kUsage, "feeders must be at least 0");
  if (searches.empty()) return {};
  return visit_game(searches[0].game, [&]<class G>(const typename G::Rules& rules) {
    return Fleet<G>(rules, searches, request, done).run(stop);
  });
}

}  // namespace playproof
