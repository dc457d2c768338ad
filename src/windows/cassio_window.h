// `playproof cassio`: endings for Cassio and others that speak its engine protocol.
#pragma once

#include "src/windows/thinking.h"

namespace playproof {

// Speaks on stdin and stdout until quit or the end. Throws Error: kUsage (algorithm), kUnavailable,
// kOutput, kData (stdin cannot be read).
void run_cassio_window(const ThinkingOptions& options);

}  // namespace playproof
