// The threads of one search (host/drive/workers.h): each drives its worker with an evaluator of its
// own. They are started for each run and end with it: a run lasts some hundredths of a second, and
// a thread some millionths to start.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <exception>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

#include "games/core/error.h"
#include "games/core/own_lines.h"
#include "host/drive/clocks.h"
#include "host/drive/driver.h"
#include "host/drive/search.h"
#include "host/drive/workers.h"
#include "host/playouts/evaluator.h"
#include "host/question/worker_times.h"

namespace playproof {

template <class G>
class Crew {
 public:
  // `evaluators`: one for each worker, null where no playouts are needed.
  Crew(Workers<G>& workers, PlayoutEvaluators<G> evaluators)
      : workers_(workers), evaluators_(std::move(evaluators)), times_(workers.workers()) {
    for (std::size_t i = 0; i < workers.workers(); ++i) {
      strokes_.emplace_back(workers, i);
      drivers_.emplace_back();
    }
  }

  // Goes on for up to so many node entries; over(turn), asked by all of them, ends it sooner, and
  // in the middle of a leaf that is cut. Throws what the first of them threw; the crew must not be
  // used then.
  template <class Over>
  void run(std::uint64_t entries, const Over& over) {
    if (!workers_.begin_run(entries) && !within_leaf()) return;
    run_all(over);  // leaves that are cut are finished, also at a limit
    workers_.end_run();
  }
  // Finishes leaves that are cut.
  template <class Over>
  void finish_leaves(const Over& over) {
    run_all(over);
    workers_.end_run();
  }
  bool within_leaf() const {
    return std::any_of(drivers_.begin(), drivers_.end(),
                       [](const Own& own) { return own.driver && own.driver->within_leaf(); });
  }
  // Where the time of the threads has gone since this was last asked.
  std::vector<WorkerTimes> take_times() {
    std::vector<WorkerTimes> taken(times_.size());
    taken.swap(times_);
    for (std::size_t i = 0; i < taken.size(); ++i) {
      static_cast<WorkerWaits&>(taken[i]) = workers_.take_waits(i);
    }
    return taken;
  }
  void abandon() {
    for (Own& own : drivers_) {
      if (own.driver) own.driver->abandon();
    }
  }

 private:
  // A worker as its driver sees it.
  class Strokes final : public Search<G> {
   public:
    Strokes(Workers<G>& workers, std::size_t i) : workers_(workers), i_(i) {}
    std::uint64_t propose(std::uint64_t most, std::vector<LeafRequest<G>>& requests) override {
      return workers_.propose(i_, static_cast<std::uint32_t>(most), requests);
    }
    StopReason absorb(std::span<const Tally> tallies) override {
      workers_.absorb(i_, tallies);
      return workers_.resting() ? StopReason::kStopped : StopReason::kRunning;
    }

   private:
    Workers<G>& workers_;
    std::size_t i_;
  };
  // What one thread alone changes.
  struct alignas(kOwnLines) Own {
    std::optional<Driver<G>> driver;
  };
  template <class Over>
  struct Limits {
    static constexpr std::uint64_t kSlice = 64;
    Workers<G>& workers;
    const Over& over;
    std::atomic<bool>& is_over;
    ClockLooks looks = {};

    std::uint64_t most() const { return workers.resting() ? 0 : kSlice; }
    bool pause(const Turn& turn) {
      if ((turn.cut || looks.due(turn)) && over(turn)) {
        is_over.store(true, std::memory_order_relaxed);
        workers.rest();
      }
      return turn.cut && is_over.load(std::memory_order_relaxed);
    }
  };

  template <class Over>
  void run_all(const Over& over) {
    std::atomic<bool> is_over = false;
    std::exception_ptr failure;
    std::mutex mutex;
    const auto fail = [&](const std::exception_ptr& thrown) {
      const std::lock_guard lock(mutex);
      if (!failure) failure = thrown;
      is_over.store(true, std::memory_order_relaxed);
      workers_.rest();
    };
    const auto work = [&](std::size_t i) {
      const Times begun = times_now(true);
      try {
        // Made here, so that what it holds is memory that this thread has asked for.
        std::optional<Driver<G>>& driver = drivers_[i].driver;
        if (!driver) driver.emplace(strokes_[i], evaluators_[i].get());
        driver->run(Limits<Over>{workers_, over, is_over});
      } catch (...) {
        fail(std::current_exception());
      }
      const Times ended = times_now(true);
      times_[i].cpu_seconds += ended.cpu_seconds - begun.cpu_seconds;
      times_[i].run_seconds += ended.seconds - begun.seconds;
    };
    {
      std::vector<std::jthread> others;
      others.reserve(drivers_.size());
      try {
        for (std::size_t i = 1; i < drivers_.size(); ++i) others.emplace_back(work, i);
      } catch (const std::system_error&) {  // others would wait for a job that nobody goes on with
        fail(std::make_exception_ptr(
            Error(ErrorCode::kUnavailable, "workers: the machine allows no more threads")));
      } catch (...) {
        fail(std::current_exception());
      }
      work(0);
    }
    if (failure) std::rethrow_exception(failure);
  }

  Workers<G>& workers_;
  PlayoutEvaluators<G> evaluators_;
  std::deque<Strokes> strokes_;
  std::deque<Own> drivers_;
  std::vector<WorkerTimes> times_;  // of each thread, which notes them when it ends
};

}  // namespace playproof
