// Options that say what to search and how far; shared by `solve` and `bench search`.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "host/solve/solver.h"
#include "src/commands/command_options.h"

namespace playproof {

inline constexpr std::uint32_t kMaxBatch = 1 << 20;

// GAME and --position; also of the other subcommands that take a game.
CLI::Option* add_game_option(CLI::App& command, std::string* game);
CLI::Option* add_position_option(CLI::App& command, std::string* position);
// The same, and --position-file, which excludes it. `-` is stdin in both: then *position is "-" and
// there is no file.
void add_position_options(CLI::App& command, std::string* position,
                          std::optional<std::string>* file);

// GAME, --algorithm, --goal, --backend, --seed, --threads, --max-nodes, --max-seconds,
// --max-memory. The request must outlive the parsing.
void add_search_options(CLI::App& command, SolveRequest* request);

}  // namespace playproof
