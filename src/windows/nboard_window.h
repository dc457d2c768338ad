// `playproof nboard`: a program for NBoard and others that speak its protocol, version 2.
#pragma once

#include "src/windows/thinking.h"

namespace playproof {

// Speaks on stdin and stdout until quit or the end. Throws Error: kUsage (algorithm), kUnavailable,
// kOutput, kData (stdin cannot be read).
void run_nboard_window(const ThinkingOptions& options);

}  // namespace playproof
