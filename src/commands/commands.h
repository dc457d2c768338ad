// The subcommands of playproof: one file each, src/commands/<name>.cpp. main.cpp holds their table.
#pragma once

#include <functional>

namespace CLI {
class App;
}

namespace playproof {

// What a chosen subcommand does, run after the whole command line was read. Returns the exit
// status; an Error that it throws is printed as "playproof: text" and its code is the status.
using Action = std::function<int()>;

// Each function adds one subcommand to `app`. When that subcommand is on the command line, its
// callback stores the work in `chosen` (options live in a shared_ptr that the work holds):
//
//   void add_perft_command(CLI::App& app, Action& chosen) {
//     auto options = std::make_shared<PerftOptions>();
//     CLI::App& command = add_command(app, "perft", "Counts the leaves of the game tree");
//     ... add_integer(command, "--depth", ...) (src/commands/command_options.h) ...
//     when_read(command, [options, &chosen] {
//       chosen = [options] { return perft_main(*options); };
//     });
//   }
void add_games_command(CLI::App& app, Action& chosen);
void add_algorithms_command(CLI::App& app, Action& chosen);
void add_devices_command(CLI::App& app, Action& chosen);
void add_version_command(CLI::App& app, Action& chosen);
void add_solve_command(CLI::App& app, Action& chosen);
void add_experiment_command(CLI::App& app, Action& chosen);
void add_merge_command(CLI::App& app, Action& chosen);
void add_report_command(CLI::App& app, Action& chosen);
void add_view_command(CLI::App& app, Action& chosen);
void add_bench_command(CLI::App& app, Action& chosen);
void add_perft_command(CLI::App& app, Action& chosen);
void add_signature_command(CLI::App& app, Action& chosen);
void add_gtp_command(CLI::App& app, Action& chosen);
void add_nboard_command(CLI::App& app, Action& chosen);
void add_cassio_command(CLI::App& app, Action& chosen);
void add_connect6_engine_command(CLI::App& app, Action& chosen);

}  // namespace playproof
