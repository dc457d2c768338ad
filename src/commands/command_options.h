// Subcommands and their options, read with the project's own strict number readers, so that a wrong
// value says what would be right: "playproof: --seed must be 0..18446744073709551615, not 'x'".
// Subcommands see CLI11 only through this: its headers hold all its code, which every unit that
// includes them compiles again.
#pragma once

#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "src/commands/commands.h"

namespace CLI {
class App;
class Option;
}  // namespace CLI

namespace playproof {

inline constexpr std::uint64_t kNoBound = std::numeric_limits<std::uint64_t>::max();

struct Program {
  const char* name;
  const char* help;
  const char* footer;
  std::string (*version)();
  std::span<void (*const)(CLI::App&, Action&)> commands;  // each adds one (src/commands/commands.h)
};
// Runs the subcommand that the command line names; its exit status, or that of help and version.
// Throws Error(kUsage).
int run_command_line(const Program& program, int argc, char** argv);

// A subcommand; `footer` stands below its help (default: that of `app`).
CLI::App& add_command(CLI::App& app, const std::string& name, const std::string& help,
                      const std::string& footer = "");
// One of its own subcommands must follow.
void needs_command(CLI::App& command);
// Calls `then` when the command line names this command, after its options were read.
void when_read(CLI::App& command, const std::function<void()>& then);

// Text; its type, e.g. "MODE", stands in the help. An argument if the name has no dashes.
CLI::Option* add_text(CLI::App& command, const std::string& name, std::string* value,
                      const std::string& help, const std::string& type);
CLI::Option* add_text(CLI::App& command, const std::string& name,
                      const std::function<void(const std::string&)>& set, const std::string& help,
                      const std::string& type);
// Any number of arguments.
CLI::Option* add_texts(CLI::App& command, const std::string& name, std::vector<std::string>* values,
                       const std::string& help);
CLI::Option* add_flag(CLI::App& command, const std::string& name, bool* value,
                      const std::string& help);
// An unsigned integer in min..max. Throws Error(kUsage) while the command line is read.
CLI::Option* add_integer(CLI::App& command, const std::string& name, std::uint64_t* value,
                         std::uint64_t min, std::uint64_t max, const std::string& help);
CLI::Option* add_integer(CLI::App& command, const std::string& name,
                         const std::function<void(std::uint64_t)>& set, std::uint64_t min,
                         std::uint64_t max, const std::string& help);
// The same check for text that is part of a value. Also "2e6".
std::uint64_t read_integer(const std::string& name, const std::string& text, std::uint64_t min,
                           std::uint64_t max);
// A real number, greater than 0.
CLI::Option* add_positive_real(CLI::App& command, const std::string& name, double* value,
                               const std::string& help);
// A number of bytes: "64MiB", "2GiB", "1000000".
CLI::Option* add_size(CLI::App& command, const std::string& name, std::uint64_t* bytes,
                      const std::string& help);
// The name of a file. What looks like another option is refused: `--certificate --json` lacks a
// name, and must not write a file '--json'.
CLI::Option* add_file(CLI::App& command, const std::string& name, std::string* path,
                      const std::string& help);
CLI::Option* add_file(CLI::App& command, const std::string& name, std::optional<std::string>* path,
                      const std::string& help);
CLI::Option* add_file(CLI::App& command, const std::string& name,
                      const std::function<void(const std::string&)>& set, const std::string& help);
// --threads. Without it *threads stays as it is.
CLI::Option* add_threads(CLI::App& command, int* threads, const std::string& help);
// --workers, of algorithms that may have several. Without it *workers stays as it is.
CLI::Option* add_workers(CLI::App& command, int* workers);
// --json
CLI::Option* add_json_flag(CLI::App& command, bool* json);

// The command line must have it, or need not.
CLI::Option* required(CLI::Option* option, bool is = true);
// It may stand without its value, which is empty then.
CLI::Option* optional_value(CLI::Option* option);
// Its help is another one than it was added with.
CLI::Option* described(CLI::Option* option, const std::string& help);
// Refuses a command line that has both.
void exclude(CLI::Option* option, CLI::Option* other);
// An option of the command by its name, and whether the command line has it.
CLI::Option* option_of(CLI::App& command, const std::string& name);
bool is_given(const CLI::App& command, const std::string& name);

}  // namespace playproof
