// playproof nboard: a program for windows of Othello.
#include <memory>

#include "src/commands/command_options.h"
#include "src/commands/commands.h"
#include "src/commands/window_options.h"
#include "src/io/exit_status.h"
#include "src/windows/nboard_window.h"

namespace playproof {
namespace {

constexpr const char* kNboardFooter =
    "Reads commands from stdin and answers on stdout, as version 2 of NBoard's\n"
    "protocol says: nboard, set depth, set game, move, hint, go, ping, learn, quit;\n"
    "others are passed over. A score is told only if it is proven, which takes\n"
    "--seconds at most, and after set depth N a search of 2^N nodes at most; else\n"
    "moves are chosen by random games, and the evaluation of a hint is their mean\n"
    "result, -1 to 1. A ping ends thinking at once (docs/windows.md).\n"
    "\n"
    "Exit status: 0 at `quit` or the end of stdin, 64 usage, 65 stdin cannot be read,\n"
    "69 backend not available, 70 internal, 74 output not written.\n"
    "\n"
    "Example: playproof nboard --seconds 10";

constexpr const char* kNboardAlgorithm = "dfpn";

}  // namespace

void add_nboard_command(CLI::App& app, Action& chosen) {
  auto options = std::make_shared<ThinkingOptions>();
  CLI::App& command =
      add_command(app, "nboard", "A program for windows of Othello: NBoard.", kNboardFooter);
  options->algorithm = kNboardAlgorithm;
  add_thinking_options(command, options.get());
  when_read(command, [options, &chosen] {
    chosen = [options] {
      run_nboard_window(*options);
      return kExitDecided;
    };
  });
}

}  // namespace playproof
