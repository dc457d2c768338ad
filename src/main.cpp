// playproof: who wins? Reads the command line, runs one subcommand, turns errors into statuses.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/App.hpp>
#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>
#include <algorithm>
#include <cstdlib>
#include <exception>
#include <new>
#include <string>
#include <vector>

#include "games/core/error.h"
#include "games/core/spec.h"
#include "src/commands/command_options.h"
#include "src/commands/commands.h"
#include "src/io/internal_error.h"
#include "src/io/machine.h"
#include "src/io/output.h"

namespace playproof {
namespace {

constexpr void (*kCommands[])(CLI::App&, Action&) = {
    add_solve_command,   add_experiment_command, add_report_command, add_bench_command,
    add_perft_command,   add_signature_command,  add_games_command,  add_algorithms_command,
    add_devices_command, add_version_command,
};

constexpr const char* kFooter =
    "Names take options after a colon: hex:size=5, ppn:playouts=128,theta=0.002.\n"
    "`playproof COMMAND --help` describes a command; `games` and `algorithms` list\n"
    "what there is. Data goes to stdout, progress and warnings to stderr.\n"
    "\n"
    "Exit status: 0 decided or done; 2 undecided within the limits; 64 usage; 65 bad\n"
    "data; 69 backend not available; 70 internal error; 74 output could not be\n"
    "written; 75 stopped, can be resumed.";

void describe(CLI::App& app, Action& chosen) {
  app.name("playproof");
  app.footer(kFooter);
  app.set_version_flag("--version", [] { return version_text(); });
  for (const auto add_command : kCommands) add_command(app, chosen);
}

// The deepest subcommand that the command line names.
CLI::App* selected(CLI::App* app) {
  for (auto chosen = app->get_subcommands(); !chosen.empty(); chosen = app->get_subcommands()) {
    app = chosen.front();
  }
  return app;
}

std::vector<std::string> subcommand_names(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::App* command : app.get_subcommands(nullptr)) names.push_back(command->get_name());
  return names;
}

std::vector<std::string> option_names(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::Option* option : app.get_options()) {
    for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
  }
  return names;
}

// What to say of an argument that no command or option takes.
std::string unexpected_argument(CLI::App* root) {
  CLI::App* command = selected(root);
  const std::vector<std::string> rest = command->remaining();
  const std::string argument = rest.empty() ? std::string() : rest.front();
  const bool option = argument.size() > 1 && argument.front() == '-';
  const std::vector<std::string> names =
      option ? option_names(*command) : subcommand_names(*command);
  if (names.empty()) {
    return fmt::format("{}: unexpected argument '{}'; see {} --help", command->get_name(), argument,
                       command->get_display_name());
  }
  // "--option=value" is looked up without its value.
  const std::string word = argument.substr(0, argument.find('='));
  return fmt::format("{}: unknown {} '{}'; nearest: '{}'; there are: {}", command->get_name(),
                     option ? "option" : "command", word, nearest_match(word, names),
                     fmt::join(names, ", "));
}

// The status of what CLI11 reports as an exception: help, version, or a wrong command line.
int handle(const CLI::ParseError& error, CLI::App& app) {
  if (error.get_exit_code() == static_cast<int>(CLI::ExitCodes::Success)) {
    const bool version = error.get_name() == "CallForVersion";
    write_stdout(version ? fmt::format("playproof {}\n", error.what()) : app.help());
    return 0;
  }
  const std::string& kind = error.get_name();
  const bool nothing_named = kind == "RequiredError" && !subcommand_names(*selected(&app)).empty();
  std::string text = error.what();
  if (!selected(&app)->remaining().empty()) {
    text = unexpected_argument(&app);
  } else if (nothing_named) {
    CLI::App* command = selected(&app);
    text = fmt::format("{}: a command is needed: {}", command->get_name(),
                       fmt::join(subcommand_names(*command), ", "));
  }
  throw Error(ErrorCode::kUsage, text);
}

// The arguments, last one first as CLI11 takes them. "--position=" is split into name and empty
// value; CLI11 would take the next argument as its value.
std::vector<std::string> arguments(int argc, char** argv) {
  std::vector<std::string> words;
  for (int i = 1; i < argc; ++i) {
    std::string word = argv[i];
    const bool empty_value = word.starts_with("--") && word.find('=') == word.size() - 1;
    if (empty_value) word.pop_back();
    words.push_back(word);
    if (empty_value) words.emplace_back();
  }
  std::reverse(words.begin(), words.end());
  return words;
}

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

int run(int argc, char** argv) {
  CLI::App app(
      "Solves two-player games by search and random playouts: playouts guide, proofs decide.");
  Action chosen;
  describe(app, chosen);
  try {
    app.require_subcommand(1);
    app.parse(arguments(argc, argv));
  } catch (const CLI::ParseError& error) {
    return handle(error, app);
  }
  return chosen();
}

}  // namespace
}  // namespace playproof

int main(int argc, char** argv) {
  using playproof::ErrorCode;
  playproof::prepare_standard_streams();
  std::set_terminate(playproof::end_without_handler);
  try {
    return playproof::run(argc, argv);
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
