// Evaluators that are a function of one request: small batches are evaluated on the spot, large
// ones by a pool of threads.
#pragma once

#include <algorithm>
#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "games/core/error.h"
#include "games/core/rules_owner.h"
#include "host/playouts/backend.h"
#include "host/playouts/evaluator.h"
#include "host/playouts/thread_pool.h"
#include "kernels/common/random_words.h"
#include "kernels/list.h"

namespace playproof {

// What the engines count on. Throws Error(kInternal).
void check_request(std::uint32_t first, std::uint32_t playouts);
// Throws Error(kInternal) unless a batch is collected once, into as many tallies as it has
// requests.
void check_collect(bool known, std::size_t requests, std::size_t tallies);

template <class G>
struct PlayoutFunction {
  // Writes one tally a request.
  using Tallier = std::function<void(const typename G::Rules& rules,
                                     std::span<const LeafRequest<G>> requests, Tally* tallies)>;
  std::string name;
  Tallier tally;
  // Nanoseconds that a playout takes for every ply that a game from the leaf can last, and a
  // request takes besides: only to choose between the caller's thread and the pool.
  double ply_ns = 1;
  double request_ns = 100;
  std::string simd = "baseline";  // as PlayoutEvaluator::simd()
};

// An engine that takes requests one by one.
template <class G>
typename PlayoutFunction<G>::Tallier one_by_one(Tally (*engine)(const typename G::Rules&,
                                                                const LeafRequest<G>&)) {
  return [engine](const typename G::Rules& rules, std::span<const LeafRequest<G>> requests,
                  Tally* tallies) {
    for (const LeafRequest<G>& request : requests) *tallies++ = engine(rules, request);
  };
}

// Serves one driver: calls must not overlap.
template <class G>
class FunctionEvaluator final : public PlayoutEvaluator<G> {
 public:
  using typename PlayoutEvaluator<G>::Ticket;

  FunctionEvaluator(const typename G::Rules& rules, PlayoutFunction<G> function, int threads)
      : owner_(rules), rules_(rules), function_(std::move(function)) {
    if (threads > 1) pool_ = std::make_unique<ThreadPool>(threads - 1);
    tasks_ = 4.0 * threads;
  }

  Ticket submit(std::span<const LeafRequest<G>> requests) override {
    double work = 0;
    for (const LeafRequest<G>& request : requests) {
      check_request(request.first, request.playouts);
      if (pool_) work += work_ns(request);
    }
    Batch& batch = free_batch();
    batch.tallies.resize(requests.size());
    if (work < kPoolWork) {
      function_.tally(rules_, requests, batch.tallies.data());
    } else {
      share_out(requests, std::max(kTaskWork, work / tasks_), batch);
    }
    return batch.ticket;
  }

  void collect(Ticket ticket, std::span<Tally> tallies) override {
    const auto number = static_cast<std::size_t>(ticket % kMaxBatches);
    const bool known = number < batches_.size() && batches_[number]->ticket == ticket;
    check_collect(known, known ? batches_[number]->tallies.size() : 0, tallies.size());
    Batch& batch = *batches_[number];
    batch.ticket = kNoTicket;
    free_.push_back(number);
    if (batch.job) {
      const std::shared_ptr<ThreadPool::Job> job = std::move(batch.job);
      pool_->wait(*job);
      std::fill(batch.tallies.begin(), batch.tallies.end(), Tally{});
      for (std::size_t i = 0; i < batch.pieces.size(); ++i) {
        batch.tallies[batch.owners[i]] += batch.piece_tallies[i];
      }
    }
    std::copy(batch.tallies.begin(), batch.tallies.end(), tallies.begin());
  }

  bool begin_search() override { return free_.size() == batches_.size(); }
  std::string name() const override { return function_.name; }
  std::string simd() const override { return function_.simd; }
  bool overlaps() const override { return pool_ != nullptr; }
  bool on_callers_cores() const override { return true; }

 private:
  static constexpr Ticket kNoTicket = ~Ticket{0};
  static constexpr Ticket kMaxBatches = 1 << 16;  // in flight
  static constexpr double kPoolWork = 50e3;       // nanoseconds that are worth waking a thread
  static constexpr double kTaskWork = 25e3;

  struct Batch {
    Ticket ticket = kNoTicket;
    std::vector<Tally> tallies;
    // These are filled only for batches that the pool works on. A piece is a part of a request,
    // whole groups of words, so that no order is drawn twice; owners[i] is the request that piece i
    // is of.
    std::vector<LeafRequest<G>> pieces;
    std::vector<std::size_t> owners;
    std::vector<Tally> piece_tallies;
    std::vector<std::size_t> task_ends;  // pieces of task t: task_ends[t - 1] .. task_ends[t] - 1
    std::shared_ptr<ThreadPool::Job> job;
  };

  double work_ns(const LeafRequest<G>& request) const {
    if constexpr (AcyclicGame<G>) {
      return function_.request_ns +
             function_.ply_ns * request.playouts * G::max_plies_left(rules_, request.state);
    }
    // How long its games last nobody knows.
    return function_.request_ns + function_.ply_ns * request.playouts * kLongestPlayout<G>;
  }

  Batch& free_batch() {
    if (free_.empty()) {
      if (batches_.size() == kMaxBatches) {
        throw Error(ErrorCode::kInternal, "evaluator: 65536 batches are not collected");
      }
      free_.push_back(batches_.size());
      batches_.push_back(std::make_unique<Batch>());
    }
    const std::size_t number = free_.back();
    free_.pop_back();
    batches_[number]->ticket = serial_++ * kMaxBatches + number;
    return *batches_[number];
  }

  // Engines pack what a task has into vectors: longer tasks are faster. `task_work` is nanoseconds.
  void share_out(std::span<const LeafRequest<G>> requests, double task_work, Batch& batch) {
    constexpr std::uint32_t kUnit = std::max(kHexGroupWords, kConnectGroupWords) * kLanes;
    batch.pieces.clear();
    batch.owners.clear();
    batch.task_ends.clear();
    double work = 0;  // of the pieces that are no task yet
    for (std::size_t i = 0; i < requests.size(); ++i) {
      LeafRequest<G> rest = requests[i];
      while (rest.playouts > 0) {
        const std::uint32_t size = std::min(rest.playouts, kUnit - rest.first % kUnit);
        batch.pieces.push_back(rest);
        batch.pieces.back().playouts = size;
        batch.owners.push_back(i);
        work += work_ns(batch.pieces.back());
        rest.first += size;
        rest.playouts -= size;
        if (work >= task_work) {
          batch.task_ends.push_back(batch.pieces.size());
          work = 0;
        }
      }
    }
    if (batch.task_ends.empty() || batch.task_ends.back() != batch.pieces.size()) {
      batch.task_ends.push_back(batch.pieces.size());
    }
    batch.piece_tallies.resize(batch.pieces.size());
    batch.job = pool_->start(batch.task_ends.size(), [this, &batch](std::size_t task) {
      const std::size_t begin = task == 0 ? 0 : batch.task_ends[task - 1];
      const std::size_t count = batch.task_ends[task] - begin;
      function_.tally(rules_, std::span(batch.pieces).subspan(begin, count),
                      batch.piece_tallies.data() + begin);
    });
  }

  [[no_unique_address]] RulesOwner<G> owner_;
  typename G::Rules rules_;
  PlayoutFunction<G> function_;
  double tasks_ = 1;  // at most about so many a batch
  Ticket serial_ = 0;
  std::vector<std::unique_ptr<Batch>> batches_;
  std::vector<std::size_t> free_;     // numbers of batches that are not in flight
  std::unique_ptr<ThreadPool> pool_;  // last: its threads end before what they work on
};

template <Game G>
std::unique_ptr<PlayoutEvaluator<G>> make_function_evaluator(const BackendParts<G>& parts,
                                                             PlayoutFunction<G> function) {
  return std::make_unique<FunctionEvaluator<G>>(parts.rules, std::move(function), parts.threads);
}

}  // namespace playproof
