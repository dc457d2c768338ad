// How long a thread has waited. The clock is read where it has to wait, and nowhere else.
#pragma once

#include <chrono>
#include <mutex>

namespace playproof {

// Adds the wall time from its birth to its death.
class WaitWatch {
 public:
  explicit WaitWatch(double& seconds) : seconds_(seconds) {}
  ~WaitWatch() {
    const std::chrono::duration<double> waited = std::chrono::steady_clock::now() - begun_;
    seconds_ += waited.count();
  }
  WaitWatch(const WaitWatch&) = delete;
  WaitWatch& operator=(const WaitWatch&) = delete;

 private:
  double& seconds_;
  std::chrono::steady_clock::time_point begun_ = std::chrono::steady_clock::now();
};

// Takes the lock. If another thread has it, adds for how long.
inline std::unique_lock<std::mutex> lock_timed(std::mutex& mutex, double& waited) {
  std::unique_lock lock(mutex, std::try_to_lock);
  if (!lock.owns_lock()) {
    const WaitWatch watch(waited);
    lock.lock();
  }
  return lock;
}

}  // namespace playproof
