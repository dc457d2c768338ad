// playproof: who wins? Runs the subcommand that the command line names, turns errors into statuses.
#include <cstdlib>
#include <exception>
#include <new>
#include <string>

#include "games/core/error.h"
#include "src/commands/command_options.h"
#include "src/commands/commands.h"
#include "src/experiment/plan_errors.h"
#include "src/io/internal_error.h"
#include "src/io/machine.h"
#include "src/io/output.h"

namespace playproof {
namespace {

constexpr void (*kCommands[])(CLI::App&, Action&) = {
    add_solve_command, add_experiment_command, add_merge_command,   add_report_command,
    add_view_command,  add_bench_command,      add_perft_command,   add_signature_command,
    add_games_command, add_algorithms_command, add_devices_command, add_version_command,
    add_gtp_command,   add_nboard_command,     add_cassio_command,  add_connect6_engine_command,
};

constexpr const char* kFooter =
    "Names take options after a colon: hex:size=5, ppn:playouts=128,theta=0.002.\n"
    "`playproof help COMMAND` describes a command; `games` and `algorithms` list what\n"
    "there is. Data goes to stdout, progress and warnings to stderr. Pages that are\n"
    "named docs/... lie in share/doc/playproof where the program is installed.\n"
    "\n"
    "Exit status: 0 decided or done; 2 undecided within the limits; 64 usage; 65 bad\n"
    "data; 69 backend not available; 70 internal error, or a known result is\n"
    "contradicted; 74 output could not be written; 75 stopped, can be resumed.";

constexpr Program kProgram = {
    "playproof",
    "Solves two-player games by search and random playouts: playouts guide, proofs decide.",
    kFooter,
    version_text,
    kCommands,
};

// An allocation that fails where nothing may be thrown (JSON is freed with the help of a stack that
// needs memory) ends the program too, but as every other one does.
[[noreturn]] void end_without_handler() {
  try {
    if (const std::exception_ptr error = std::current_exception()) std::rethrow_exception(error);
  } catch (const std::bad_alloc&) {
    print_error(kOutOfMemory);
    std::_Exit(static_cast<int>(ErrorCode::kInternal));
  } catch (...) {
    print_error("internal error: an exception that nobody awaits");
  }
  std::abort();
}

}  // namespace
}  // namespace playproof

int main(int argc, char** argv) {
  using playproof::ErrorCode;
  playproof::prepare_standard_streams();
  std::set_terminate(playproof::end_without_handler);
  try {
    return playproof::run_command_line(playproof::kProgram, argc, argv);
  } catch (const playproof::PlanError& error) {  // of several lines
    playproof::write_stderr(std::string("playproof: ") + error.what() + "\n");
    return error.exit_status();
  } catch (const playproof::ReaderGone& gone) {
    return gone.exit_status();
  } catch (const playproof::Error& error) {
    playproof::print_error(error.what());
    return error.exit_status();
  } catch (const std::bad_alloc&) {
    playproof::print_error(playproof::kOutOfMemory);
  } catch (const std::exception& error) {
    playproof::print_error(playproof::kInternalError, error.what());
  }
  return static_cast<int>(ErrorCode::kInternal);
}
