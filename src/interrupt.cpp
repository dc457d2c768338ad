#include "src/interrupt.h"

#include <csignal>

namespace playproof {
namespace {

// Initialised at compile time, so that a signal handler may use it at any moment.
volatile std::sig_atomic_t& stop_wanted() {
  static constinit volatile std::sig_atomic_t wanted = 0;
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
