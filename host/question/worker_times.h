// Where the time of the threads of one search goes (host/jobs/shared_search.h).
#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

namespace playproof {

// Wall time in which a thread of the search did nothing.
struct WorkerWaits {
  double idle_seconds = 0;  // there was no job for it
  double lock_seconds = 0;  // another thread had the lock of the jobs
};

struct WorkerTimes : WorkerWaits {
  double cpu_seconds = 0;
  double run_seconds = 0;  // wall time from its beginning to its end, in all runs
};

// Of all of them. Between two runs, and when others have not ended yet, a thread rests.
struct CrewTimes {
  std::vector<WorkerTimes> workers;
  double seconds = 0;           // wall time of the search
  double main_cpu_seconds = 0;  // of the thread that starts the others, beside what it does as one

  void add(const CrewTimes& more) {
    workers.resize(std::max(workers.size(), more.workers.size()));
    for (std::size_t i = 0; i < more.workers.size(); ++i) {
      workers[i].idle_seconds += more.workers[i].idle_seconds;
      workers[i].lock_seconds += more.workers[i].lock_seconds;
      workers[i].cpu_seconds += more.workers[i].cpu_seconds;
      workers[i].run_seconds += more.workers[i].run_seconds;
    }
    seconds += more.seconds;
    main_cpu_seconds += more.main_cpu_seconds;
  }
  // Of the wall time of all threads.
  double idle_share() const { return share(&WorkerTimes::idle_seconds); }
  double lock_wait_share() const { return share(&WorkerTimes::lock_seconds); }
  double rest_share() const {
    return seconds > 0 ? std::max(0.0, 1 - share(&WorkerTimes::run_seconds)) : 0;
  }

 private:
  double share(double WorkerTimes::*part) const {
    double sum = 0;
    for (const WorkerTimes& one : workers) sum += one.*part;
    const double all = seconds * static_cast<double>(workers.size());
    return all > 0 ? std::min(1.0, sum / all) : 0;
  }
};

}  // namespace playproof
