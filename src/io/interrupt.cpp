#include "src/io/interrupt.h"

#include <atomic>
#include <csignal>

namespace playproof {
namespace {

// Initialised at compile time and lock-free, so that a signal handler may use it at any moment and
// every thread may read it.
std::atomic<int>& stop_wanted() {
  static constinit std::atomic<int> wanted = 0;
  static_assert(std::atomic<int>::is_always_lock_free);
  return wanted;
}

extern "C" void on_interrupt(int) {
  stop_wanted() = 1;
  std::signal(SIGINT, SIG_DFL);
  std::signal(SIGTERM, SIG_DFL);
}

}  // namespace

void catch_interrupts() {
  struct sigaction action {};
  action.sa_handler = on_interrupt;
  action.sa_flags = 0;  // no SA_RESTART: a read from a terminal must end too
  sigemptyset(&action.sa_mask);
  sigaction(SIGINT, &action, nullptr);
  sigaction(SIGTERM, &action, nullptr);
}

bool interrupted() { return stop_wanted() != 0; }

}  // namespace playproof
