// Options of subcommands, read with the project's own strict number readers, so that a wrong value
// says what would be right: "playproof: --seed must be 0..18446744073709551615, not 'x'".
#pragma once

#include <CLI/App.hpp>
#include <cstdint>
#include <functional>
#include <limits>
#include <string>

namespace playproof {

inline constexpr std::uint64_t kNoBound = std::numeric_limits<std::uint64_t>::max();

// An unsigned integer in min..max. Throws Error(kUsage) while the command line is read.
CLI::Option* add_integer(CLI::App& command, const std::string& name, std::uint64_t* value,
                         std::uint64_t min, std::uint64_t max, const std::string& help);
CLI::Option* add_integer(CLI::App& command, const std::string& name,
                         const std::function<void(std::uint64_t)>& set, std::uint64_t min,
                         std::uint64_t max, const std::string& help);
// The same check for text that is part of a value.
std::uint64_t read_integer(const std::string& name, const std::string& text, std::uint64_t min,
                           std::uint64_t max);
// A real number, greater than 0.
CLI::Option* add_positive_real(CLI::App& command, const std::string& name, double* value,
                               const std::string& help);
// A number of bytes: "64MiB", "2GiB", "1000000".
CLI::Option* add_size(CLI::App& command, const std::string& name, std::uint64_t* bytes,
                      const std::string& help);
// Makes it an option whose value is the name of a file. What looks like another option is refused:
// `--certificate --json` lacks a name, and must not write a file '--json'.
CLI::Option* takes_file(CLI::Option* option);
// --threads. Without it *threads stays as it is.
CLI::Option* add_threads(CLI::App& command, int* threads, const std::string& help);
// --json
CLI::Option* add_json_flag(CLI::App& command, bool* json);

}  // namespace playproof
