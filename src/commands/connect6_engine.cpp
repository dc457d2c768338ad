// playproof connect6-engine: a program for windows of Connect6.
#include <memory>

#include "src/commands/command_options.h"
#include "src/commands/commands.h"
#include "src/io/exit_status.h"
#include "src/windows/connect_window.h"

namespace playproof {
namespace {

constexpr const char* kConnect6EngineFooter =
    "Reads Cloudict's commands from stdin and answers on stdout, as the window\n"
    "ConnectMore expects: name, new, black XXXX, white XXXX, move XXXX, next, depth\n"
    "N, vcf, unvcf, quit. A turn is one word of columns and rows A to S, with I.\n"
    "Where threats alone win, `Win by VCF.` comes before the move; else the most\n"
    "promising turn is played that leaves the other side no such win\n"
    "(docs/windows.md).\n"
    "\n"
    "Exit status: 0 at `quit` or the end of stdin, 64 usage, 65 stdin cannot be read,\n"
    "70 internal, 74 output not written.\n"
    "\n"
    "Example: playproof connect6-engine --work 10000000";

}  // namespace

void add_connect6_engine_command(CLI::App& app, Action& chosen) {
  auto options = std::make_shared<ConnectWindowOptions>();
  CLI::App& command =
      add_command(app, "connect6-engine", "A program for windows of Connect6: ConnectMore.",
                  kConnect6EngineFooter);
  add_integer(command, "--work", &options->work, 1, 1'000'000'000'000,
              "Pairs of stones looked at for a win by threats (default: 3,000,000)");
  when_read(command, [options, &chosen] {
    chosen = [options] {
      run_connect_window(*options);
      return kExitDecided;
    };
  });
}

}  // namespace playproof
