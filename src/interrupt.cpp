#include "src/interrupt.h"

#include <csignal>

namespace playproof {
namespace {

volatile std::sig_atomic_t stop_wanted = 0;

extern "C" void on_interrupt(int) { stop_wanted = 1; }

}  // namespace

void catch_interrupts() {
  struct sigaction action {};
  action.sa_handler = on_interrupt;
  // No SA_RESTART: a read from a terminal must end too. SA_RESETHAND: the second signal is final.
  action.sa_flags = static_cast<int>(SA_RESETHAND);
  sigemptyset(&action.sa_mask);
  sigaction(SIGINT, &action, nullptr);
  sigaction(SIGTERM, &action, nullptr);
}

bool interrupted() { return stop_wanted != 0; }

}  // namespace playproof
