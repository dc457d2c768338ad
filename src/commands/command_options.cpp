#include "src/commands/command_options.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <limits>

#include "games/core/error.h"
#include "games/core/spec.h"

namespace playproof {
namespace {

CLI::Option* with_type(CLI::Option* option, const char* type) {
  return option->type_name(type)->take_last();
}

}  // namespace

// parse_integer of games/core/spec.h is signed; seeds and node limits use all 64 bits.
std::uint64_t read_integer(const std::string& name, const std::string& text, std::uint64_t min,
                           std::uint64_t max) {
  std::uint64_t number = 0;
  const char* end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, number);
  if (text.empty() || error != std::errc() || stop != end || number < min || number > max ||
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
  return with_type(command.add_option_function<std::string>(name, read, help), "N");
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
  return with_type(command.add_option_function<std::string>(name, read, help), "X");
}

CLI::Option* takes_file(CLI::Option* option) {
  const std::string name = option->get_name();
  const auto check = [name](const std::string& text) -> std::string {
    if (!text.starts_with("--")) return {};
    throw Error(ErrorCode::kUsage,
                fmt::format("{} needs the name of a file, not '{}' (if it is one: './{}')", name,
                            text, text));
  };
  return with_type(option->check(check), "FILE");
}

CLI::Option* add_size(CLI::App& command, const std::string& name, std::uint64_t* bytes,
                      const std::string& help) {
  const auto read = [=](const std::string& text) { *bytes = parse_size(name, text); };
  return with_type(command.add_option_function<std::string>(name, read, help), "SIZE");
}

CLI::Option* add_threads(CLI::App& command, int* threads, const std::string& help) {
  constexpr std::uint64_t kMaxThreads = 1024;
  const auto set = [threads](std::uint64_t number) { *threads = static_cast<int>(number); };
  return add_integer(command, "--threads", set, 1, kMaxThreads, help);
}

CLI::Option* add_json_flag(CLI::App& command, bool* json) {
  return command.add_flag("--json", *json, "Print JSON instead of text for people");
}

}  // namespace playproof
