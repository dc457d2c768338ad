// Locks of the places of a table that threads share: an alternative to check words, so that what
// locks cost can be measured (survey S2 section 8: about 1 %, of Kaneko's locks). kGroup
// neighbouring places have one lock, and groups far apart may have the same one. Nobody ever holds
// two, so nobody waits in a circle.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <thread>

namespace playproof {

class PlaceLocks {
 public:
  static constexpr std::uint64_t kGroup = 16;  // places
  static constexpr std::size_t kLocks = 256;   // few enough to stay in the caches

  // What one thread holds while it looks through the places of a window: the lock of the place
  // where it is.
  class Hold {
   public:
    Hold(PlaceLocks& locks, std::uint64_t place) : locks_(locks), number_(number(place)) {
      locks_.locks_[number_].lock();
    }
    ~Hold() { locks_.locks_[number_].unlock(); }
    Hold(const Hold&) = delete;
    Hold& operator=(const Hold&) = delete;
    // The lock is given back before another is taken: others may come in between.
    void move_to(std::uint64_t place) {
      const std::size_t next = number(place);
      if (next == number_) return;
      locks_.locks_[number_].unlock();
      number_ = next;
      locks_.locks_[number_].lock();
    }

   private:
    static std::size_t number(std::uint64_t place) { return place / kGroup % kLocks; }

    PlaceLocks& locks_;
    std::size_t number_;
  };

 private:
  static constexpr std::size_t kLine = 64;
  // It is held for some hundred instructions: who waits tries again, and gives up his core now and
  // then, since who holds it may have none.
  class alignas(kLine) Lock {
   public:
    void lock() {
      for (unsigned tries = 1; held_.exchange(true, std::memory_order_acquire); ++tries) {
        while (held_.load(std::memory_order_relaxed)) {
          if (tries++ % kTries == 0) std::this_thread::yield();
        }
      }
    }
    void unlock() { held_.store(false, std::memory_order_release); }

   private:
    static constexpr unsigned kTries = 64;
    std::atomic<bool> held_ = false;
  };

  std::array<Lock, kLocks> locks_;
};

}  // namespace playproof
