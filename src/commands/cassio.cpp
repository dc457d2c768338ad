// playproof cassio: endings for a window of Othello.
#include <memory>

#include "src/commands/command_options.h"
#include "src/commands/commands.h"
#include "src/commands/window_options.h"
#include "src/io/exit_status.h"
#include "src/windows/cassio_window.h"

namespace playproof {
namespace {

constexpr const char* kCassioFooter =
    "Reads commands from stdin and answers on stdout, as Cassio's engine protocol\n"
    "says: each is ENGINE-PROTOCOL and one of init, get-version, endgame-search,\n"
    "stop, get-search-infos, new-position, empty-hash, quit. endgame-search proves\n"
    "the exact score, whatever its alpha, beta and precision; it goes on until it is\n"
    "known, or until stop. midgame-search, which asks for estimates, is an error\n"
    "(docs/windows.md).\n"
    "\n"
    "Exit status: 0 at `quit` or the end of stdin, 64 usage, 65 stdin cannot be read,\n"
    "69 backend not available, 70 internal, 74 output not written.\n"
    "\n"
    "Example: playproof cassio --max-memory 4GiB";

constexpr const char* kCassioAlgorithm = "dfpn";

}  // namespace

void add_cassio_command(CLI::App& app, Action& chosen) {
  auto options = std::make_shared<ThinkingOptions>();
  CLI::App& command =
      add_command(app, "cassio", "Endings for a window of Othello: Cassio.", kCassioFooter);
  options->algorithm = kCassioAlgorithm;
  add_engine_options(command, options.get());
  when_read(command, [options, &chosen] {
    chosen = [options] {
      run_cassio_window(*options);
      return kExitDecided;
    };
  });
}

}  // namespace playproof
