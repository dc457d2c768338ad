// The subcommands of `bench`.
#pragma once

#include "src/commands/commands.h"

namespace playproof {

void add_bench_playouts_command(CLI::App& bench, Action& chosen);
void add_bench_fleet_command(CLI::App& bench, Action& chosen);
void add_bench_search_command(CLI::App& bench, Action& chosen);

}  // namespace playproof
