// `playproof gtp hex`: a program for HexGui and others that speak GTP with its commands for Hex.
#pragma once

#include "src/windows/hex_board.h"
#include "src/windows/thinking.h"

namespace playproof {

struct HexWindowOptions {
  ThinkingOptions thinking;
  HexBoard board{11, 11};
  bool swap = false;  // genmove may answer the first stone with swap-pieces
};

// Speaks on stdin and stdout until quit or the end. Throws Error: kUsage (algorithm), kUnavailable,
// kOutput.
void run_hex_window(const HexWindowOptions& options);

}  // namespace playproof
