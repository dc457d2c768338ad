// playproof bench: how fast this machine is.
#include "src/commands/bench_commands.h"
#include "src/commands/command_options.h"

namespace playproof {

void add_bench_command(CLI::App& app, Action& chosen) {
  CLI::App& bench = add_command(app, "bench", "Measures the speed of playouts and of searches.");
  needs_command(bench);
  add_bench_playouts_command(bench, chosen);
  add_bench_search_command(bench, chosen);
  add_bench_fleet_command(bench, chosen);
}

}  // namespace playproof
