// `playproof connect6-engine`: a program for windows of Connect6 that speak Cloudict's commands.
#pragma once

#include <cstdint>

namespace playproof {

struct ConnectWindowOptions {
  std::uint64_t work = 3'000'000;  // pairs of stones that are looked at for a win by threats
};

// Speaks on stdin and stdout until quit or the end. Throws Error: kOutput, kData (stdin cannot be
// read).
void run_connect_window(const ConnectWindowOptions& options);

}  // namespace playproof
