// Options of the programs behind windows: how long to think, and how.
#pragma once

#include "src/commands/command_options.h"
#include "src/windows/thinking.h"

namespace playproof {

// --algorithm, --backend, --seed, --threads, --workers, --max-memory. The options must outlive the
// parsing; the algorithm in them is the default.
void add_engine_options(CLI::App& command, ThinkingOptions* options);
// These, --seconds and --playouts.
void add_thinking_options(CLI::App& command, ThinkingOptions* options);

}  // namespace playproof
