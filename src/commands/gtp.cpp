// playproof gtp: a program for windows of Hex.
#include <memory>

#include "games/core/error.h"
#include "src/commands/command_options.h"
#include "src/commands/commands.h"
#include "src/commands/window_options.h"
#include "src/formats/record.h"
#include "src/io/exit_status.h"
#include "src/solve/default_algorithm.h"
#include "src/windows/hex_window.h"

namespace playproof {
namespace {

constexpr const char* kGtpFooter =
    "Reads commands from stdin and answers on stdout, as GTP 2 says; HexGui starts it\n"
    "so (Program, New Program). HEX says on which board it begins. A move is proven\n"
    "if --seconds are enough, else the best one by random games; it resigns only what\n"
    "is proven lost. A line `# interrupt` ends thinking at once.\n"
    "\n"
    "Commands: name, version, protocol_version, list_commands, known_command, quit,\n"
    "boardsize W [H], clear_board, loadsgf FILE [N], play, undo, genmove,\n"
    "reg_genmove, showboard, final_score, all_legal_moves, time_settings, time_left,\n"
    "komi, hexgui-analyze_commands; dfpn-solve-state, which HexGui's Solve button\n"
    "sends, and its kin; and playproof-solve, which searches while no command comes\n"
    "until the board changes, -status, -stop, -proof-numbers, -zone, -line,\n"
    "-winrates, -seconds (docs/windows.md).\n"
    "\n"
    "Exit status: 0 at `quit` or the end of stdin, 64 usage, 65 stdin cannot be read,\n"
    "69 backend not available, 70 internal, 74 output not written.\n"
    "\n"
    "Example: playproof gtp hex:size=7 --seconds 10";

struct GtpOptions {
  std::string game;
  HexWindowOptions window;
};

int gtp_main(const GtpOptions& options) {
  HexWindowOptions window = options.window;
  const AskedGame game(options.game);
  if (game.name() != "hex") {
    throw Error(ErrorCode::kUsage, "gtp: there are windows of hex, not of " + game.name());
  }
  const bool sized = options.game.find(':') != std::string::npos;
  if (sized) window.board = HexBoard(game.rows(), game.columns());
  run_hex_window(window);
  return kExitDecided;
}

}  // namespace

void add_gtp_command(CLI::App& app, Action& chosen) {
  auto options = std::make_shared<GtpOptions>();
  CLI::App& command =
      add_command(app, "gtp", "A program for windows of Hex that speak GTP: HexGui.", kGtpFooter);
  required(add_text(command, "HEX", &options->game, "Which board: hex (11x11) or hex:size=N", ""));
  options->window.thinking.algorithm = default_algorithm("hex");
  add_thinking_options(command, &options->window.thinking);
  add_flag(command, "--swap", &options->window.swap,
           "White may answer the first stone with swap-pieces");
  when_read(command, [options, &chosen] { chosen = [options] { return gtp_main(*options); }; });
}

}  // namespace playproof
