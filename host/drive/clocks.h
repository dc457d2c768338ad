// How long searches take: wall time and CPU time.
#pragma once

#include <algorithm>
#include <chrono>
#include <ctime>

namespace playproof {

struct Times {
  double seconds = 0;
  double cpu_seconds = 0;
};

// Wall time from some moment on; CPU time of the calling thread or of the process. Differences mean
// something.
inline Times times_now(bool of_thread) {
  timespec cpu{};
  clock_gettime(of_thread ? CLOCK_THREAD_CPUTIME_ID : CLOCK_PROCESS_CPUTIME_ID, &cpu);
  const std::chrono::duration<double> wall = std::chrono::steady_clock::now().time_since_epoch();
  return {wall.count(), static_cast<double>(cpu.tv_sec) + 1e-9 * static_cast<double>(cpu.tv_nsec)};
}

// Adds the times from its birth to its death. With one thread the CPU time is the calling thread's
// (many searches may run at once), else the process's.
class StopWatch {
 public:
  StopWatch(int threads, double* seconds, double* cpu_seconds)
      : of_thread_(threads == 1),
        seconds_(seconds),
        cpu_seconds_(cpu_seconds),
        start_(times_now(of_thread_)) {}
  ~StopWatch() {
    const Times now = times_now(of_thread_);
    *seconds_ += now.seconds - start_.seconds;
    *cpu_seconds_ += now.cpu_seconds - start_.cpu_seconds;
  }
  StopWatch(const StopWatch&) = delete;
  StopWatch& operator=(const StopWatch&) = delete;
  double elapsed() const {
    const std::chrono::duration<double> now = std::chrono::steady_clock::now().time_since_epoch();
    return now.count() - start_.seconds;
  }

 private:
  bool of_thread_;
  double* seconds_;
  double* cpu_seconds_;
  Times start_;
};

// A thread's times, divided at every moment among the searches that it has in flight. Calls come in
// the order of time, with what its clocks say.
class SharedTimes {
 public:
  // What a search has had that was there from the first moment to the last call: the difference of
  // two of these is what one has had that was there between them.
  const Times& each() const { return each_; }
  void begin(const Times& now) {  // one search more
    look(now);
    ++sharers_;
  }
  void end(const Times& now) {  // one less
    look(now);
    --sharers_;
  }
  // What has passed since the last call is of none of them.
  void skip(const Times& now) { last_ = now; }

 private:
  void look(const Times& now) {
    if (sharers_ > 0) {
      // What is simulated may be taken for longer than it was.
      each_.seconds += std::max(0.0, (now.seconds - last_.seconds) / sharers_);
      each_.cpu_seconds += std::max(0.0, (now.cpu_seconds - last_.cpu_seconds) / sharers_);
    }
    last_ = now;
  }

  Times each_;
  Times last_;
  int sharers_ = 0;
};

}  // namespace playproof
