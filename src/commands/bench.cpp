// playproof bench: how fast this machine is.
#include <CLI/App.hpp>

#include "src/commands/bench_commands.h"

namespace playproof {

void add_bench_command(CLI::App& app, Action& chosen) {
  CLI::App* bench = app.add_subcommand("bench", "Measures the speed of playouts and of searches.");
  bench->require_subcommand(1);
  add_bench_playouts_command(*bench, chosen);
  add_bench_search_command(*bench, chosen);
}

}  // namespace playproof
