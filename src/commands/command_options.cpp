#include "src/commands/command_options.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/App.hpp>
#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>
#include <algorithm>
#include <charconv>
#include <limits>

#include "games/core/error.h"
#include "games/core/spec.h"
#include "host/solve/solver.h"
#include "src/io/output.h"

namespace playproof {
namespace {

CLI::Option* takes_file(CLI::Option* option) {
  const std::string name = option->get_name();
  const auto check = [name](const std::string& text) -> std::string {
    if (!text.starts_with("--")) return {};
    throw Error(ErrorCode::kUsage,
                fmt::format("{} needs the name of a file, not '{}' (if it is one: './{}')", name,
                            text, text));
  };
  return option->check(check)->type_name("FILE");
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

// "bench: ", nothing of the program itself: every error begins with its name.
std::string prefix_of(const CLI::App& command) {
  return command.get_parent() == nullptr ? "" : command.get_name() + ": ";
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
    return fmt::format("{}unexpected argument '{}'; see {} --help", prefix_of(*command), argument,
                       command->get_display_name());
  }
  // "--option=value" is looked up without its value.
  const std::string word = argument.substr(0, argument.find('='));
  return fmt::format("{}unknown {} '{}'; nearest: '{}'; there are: {}", prefix_of(*command),
                     option ? "option" : "command", word, nearest_match(word, names),
                     fmt::join(names, ", "));
}

// The status of what CLI11 reports as an exception: help, version, or a wrong command line.
int handle(const CLI::ParseError& error, const Program& program, CLI::App& app) {
  if (error.get_exit_code() == static_cast<int>(CLI::ExitCodes::Success)) {
    const bool version = error.get_name() == "CallForVersion";
    write_stdout(version ? fmt::format("{} {}\n", program.name, error.what()) : app.help());
    return 0;
  }
  const std::string& kind = error.get_name();
  const bool nothing_named = kind == "RequiredError" && !subcommand_names(*selected(&app)).empty();
  std::string text = error.what();
  if (const std::size_t end = text.find(": At Most 1 required"); end != std::string::npos) {
    text = fmt::format("{} is given more than once", text.substr(0, end));
  }
  if (!selected(&app)->remaining().empty()) {
    text = unexpected_argument(&app);
  } else if (nothing_named) {
    CLI::App* command = selected(&app);
    text = fmt::format("{}a command is needed: {}", prefix_of(*command),
                       fmt::join(subcommand_names(*command), ", "));
  }
  throw Error(ErrorCode::kUsage, text);
}

// "help bench search" is "bench search --help", whatever follows: help runs nothing. What is no
// command stays, as the last word, and is told.
void take_help(const CLI::App& app, std::vector<std::string>* words) {
  if (words->empty() || words->front() != "help") return;
  while (!words->empty() && words->front() == "help") words->erase(words->begin());
  const CLI::App* command = &app;
  std::size_t taken = 0;
  for (; taken < words->size(); ++taken) {
    const std::vector<const CLI::App*> below = command->get_subcommands(nullptr);
    if (below.empty()) break;
    const auto found = std::find_if(below.begin(), below.end(), [&](const CLI::App* one) {
      return one->get_name() == (*words)[taken];
    });
    if (found == below.end()) {
      words->resize(taken + 1);
      return;
    }
    command = *found;
  }
  words->resize(taken);
  words->emplace_back("--help");
}

// The arguments, last one first as CLI11 takes them. "--position=" is split into name and empty
// value; CLI11 would take the next argument as its value.
std::vector<std::string> arguments(const CLI::App& app, int argc, char** argv) {
  std::vector<std::string> words;
  for (int i = 1; i < argc; ++i) {
    std::string word = argv[i];
    const bool empty_value = word.starts_with("--") && word.find('=') == word.size() - 1;
    if (empty_value) word.pop_back();
    words.push_back(word);
    if (empty_value) words.emplace_back();
  }
  take_help(app, &words);
  std::reverse(words.begin(), words.end());
  return words;
}

// The digits of "2e6", "2.5e6", without rounding; empty unless it is a whole number.
std::string digits_of_power(const std::string& text) {
  const std::size_t e = text.find_first_of("eE");
  if (e == std::string::npos || has_leading_zero(text)) return {};
  std::string digits = text.substr(0, e);
  std::string power = text.substr(e + 1);
  if (power.starts_with('+')) power.erase(0, 1);
  std::size_t fraction = 0;  // digits behind the point
  if (const std::size_t point = digits.find('.'); point != std::string::npos) {
    fraction = digits.size() - point - 1;
    if (point == 0 || fraction == 0) return {};
    digits.erase(point, 1);
  }
  const auto is_number = [](const std::string& word) {
    return !word.empty() && word.find_first_not_of("0123456789") == std::string::npos;
  };
  if (!is_number(digits) || !is_number(power) || power.size() > 2) return {};
  for (; fraction > 0 && digits.back() == '0'; --fraction) digits.pop_back();
  const auto zeros = static_cast<std::size_t>(std::stoul(power));
  return zeros < fraction ? "" : digits + std::string(zeros - fraction, '0');
}

}  // namespace

int run_command_line(const Program& program, int argc, char** argv) {
  CLI::App app(program.help);
  app.name(program.name);
  app.footer(program.footer);
  app.set_version_flag("--version", [&program] { return program.version(); });
  Action chosen;
  for (const auto add : program.commands) add(app, chosen);
  try {
    app.require_subcommand(1);
    app.parse(arguments(app, argc, argv));
  } catch (const CLI::ParseError& error) {
    return handle(error, program, app);
  }
  return chosen();
}

CLI::App& add_command(CLI::App& app, const std::string& name, const std::string& help,
                      const std::string& footer) {
  CLI::App* command = app.add_subcommand(name, help);
  if (!footer.empty()) command->footer(footer);  // else that of `app`
  return *command;
}

void needs_command(CLI::App& command) { command.require_subcommand(1); }

void when_read(CLI::App& command, const std::function<void()>& then) { command.callback(then); }

CLI::Option* add_text(CLI::App& command, const std::string& name, std::string* value,
                      const std::string& help, const std::string& type) {
  return command.add_option(name, *value, help)->type_name(type);
}

CLI::Option* add_text(CLI::App& command, const std::string& name,
                      const std::function<void(const std::string&)>& set, const std::string& help,
                      const std::string& type) {
  return command.add_option_function<std::string>(name, set, help)->type_name(type);
}

CLI::Option* add_texts(CLI::App& command, const std::string& name, std::vector<std::string>* values,
                       const std::string& help) {
  return command.add_option(name, *values, help)->type_name("");
}

CLI::Option* add_flag(CLI::App& command, const std::string& name, bool* value,
                      const std::string& help) {
  return command.add_flag(name, *value, help);
}

// parse_integer of games/core/spec.h is signed; seeds and node limits use all 64 bits.
std::uint64_t read_integer(const std::string& name, const std::string& text, std::uint64_t min,
                           std::uint64_t max) {
  const std::string power = digits_of_power(text);
  const std::string& digits = power.empty() ? text : power;
  std::uint64_t number = 0;
  const char* end = digits.data() + digits.size();
  const auto [stop, error] = std::from_chars(digits.data(), end, number);
  if (digits.empty() || error != std::errc() || stop != end || number < min || number > max ||
      has_leading_zero(text)) {
    throw Error(ErrorCode::kUsage,
                fmt::format("{} must be an integer {}..{}{}", name, min, max, not_a_number(text)));
  }
  return number;
}

CLI::Option* add_integer(CLI::App& command, const std::string& name,
                         const std::function<void(std::uint64_t)>& set, std::uint64_t min,
                         std::uint64_t max, const std::string& help) {
  const auto read = [=](const std::string& text) { set(read_integer(name, text, min, max)); };
  return command.add_option_function<std::string>(name, read, help)->type_name("N");
}

CLI::Option* add_integer(CLI::App& command, const std::string& name, std::uint64_t* value,
                         std::uint64_t min, std::uint64_t max, const std::string& help) {
  return add_integer(
      command, name, [value](std::uint64_t number) { *value = number; }, min, max, help);
}

CLI::Option* add_positive_real(CLI::App& command, const std::string& name, double* value,
                               const std::string& help) {
  const auto read = [=](const std::string& text) {
    double number = 0;
    if (!parse_real(text, &number) || !(number > 0) ||
        number > std::numeric_limits<double>::max()) {
      throw Error(ErrorCode::kUsage,
                  fmt::format("{} must be a number greater than 0{}", name, not_a_number(text)));
    }
    *value = number;
  };
  return command.add_option_function<std::string>(name, read, help)->type_name("X");
}

CLI::Option* add_file(CLI::App& command, const std::string& name, std::string* path,
                      const std::string& help) {
  return takes_file(command.add_option(name, *path, help));
}

CLI::Option* add_file(CLI::App& command, const std::string& name, std::optional<std::string>* path,
                      const std::string& help) {
  return takes_file(command.add_option(name, *path, help));
}

CLI::Option* add_file(CLI::App& command, const std::string& name,
                      const std::function<void(const std::string&)>& set, const std::string& help) {
  return takes_file(command.add_option_function<std::string>(name, set, help));
}

CLI::Option* add_size(CLI::App& command, const std::string& name, std::uint64_t* bytes,
                      const std::string& help) {
  const auto read = [=](const std::string& text) { *bytes = parse_size(name, text); };
  return command.add_option_function<std::string>(name, read, help)->type_name("SIZE");
}

CLI::Option* add_threads(CLI::App& command, int* threads, const std::string& help) {
  constexpr std::uint64_t kMaxThreads = 1024;
  const auto set = [threads](std::uint64_t number) { *threads = static_cast<int>(number); };
  return add_integer(command, "--threads", set, 1, kMaxThreads, help);
}

CLI::Option* add_workers(CLI::App& command, int* workers) {
  const auto set = [workers](std::uint64_t number) { *workers = static_cast<int>(number); };
  return add_integer(command, "--workers", set, 1, kMostWorkers,
                     "Threads of the search (dfpn, pds, pnstar, alphabeta); above 1 counts vary "
                     "(default: 1)");
}

CLI::Option* add_json_flag(CLI::App& command, bool* json) {
  return add_flag(command, "--json", json, "Print JSON instead of text for people");
}

CLI::Option* required(CLI::Option* option, bool is) { return option->required(is); }

CLI::Option* optional_value(CLI::Option* option) { return option->expected(0, 1); }

CLI::Option* described(CLI::Option* option, const std::string& help) {
  return option->description(help);
}

void exclude(CLI::Option* option, CLI::Option* other) { option->excludes(other); }

CLI::Option* option_of(CLI::App& command, const std::string& name) {
  return command.get_option(name);
}

bool is_given(const CLI::App& command, const std::string& name) {
  return command.get_option(name)->count() > 0;
}

}  // namespace playproof
