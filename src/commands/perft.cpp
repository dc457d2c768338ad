// playproof perft: leaves of the game tree, the oldest check of move generation.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>

#include "host/solve/solver.h"
#include "src/commands/command_options.h"
#include "src/commands/commands.h"
#include "src/commands/listing.h"
#include "src/commands/position_lines.h"
#include "src/commands/solve_options.h"
#include "src/io/exit_status.h"
#include "src/io/files_apart.h"
#include "src/io/interrupt.h"
#include "src/io/json.h"
#include "src/io/line_reader.h"
#include "src/io/output.h"

namespace playproof {
namespace {

constexpr const char* kPerftFooter =
    "A leaf is a position DEPTH plies away, or a game that is finished before; a pass\n"
    "is a ply. With `--position -`, each line of stdin is one position and gives one\n"
    "line: the leaves, then the position; or one object (with --json). Bad lines are\n"
    "passed over as `solve` does.\n"
    "\n"
    "Example: playproof perft othello:size=8 --depth 8";

constexpr std::uint64_t kMaxDepth = 100;

struct PerftOptions {
  std::string game;
  std::string position;
  int depth = 1;
  bool reference = false;
  bool json = false;
};

struct Row {
  int depth = 0;
  std::uint64_t leaves = 0;
  double seconds = 0;
};

Row count(const PerftOptions& options, const std::string& position, int depth) {
  const auto begin = std::chrono::steady_clock::now();
  Row row;
  row.depth = depth;
  row.leaves = perft(options.game, position, depth, options.reference);
  row.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  return row;
}

double rate(const Row& row) {
  return row.seconds > 0 ? static_cast<double>(row.leaves) / row.seconds : 0;
}

Json row_json(const Row& row) {
  return {{"depth", row.depth},
          {"leaves", row.leaves},
          {"seconds", row.seconds},
          {"leaves_per_second", rate(row)}};
}

constexpr const char* kHeader = "{:>5} {:>20} {:>10} {:>12}\n";

int perft_one(const PerftOptions& options) {
  for (int depth = std::min(1, options.depth); depth <= options.depth; ++depth) {
    const Row row = count(options, options.position, depth);
    if (depth <= 1) write_stdout(fmt::format(kHeader, "depth", "leaves", "seconds", "leaves/s"));
    write_stdout(fmt::format("{:>5} {:>20} {:>10.3f} {:>12.3g}\n", row.depth, row.leaves,
                             row.seconds, rate(row)));
  }
  return kExitDecided;
}

int perft_json(const PerftOptions& options, const std::string& position) {
  Json rows = Json::array();
  Row row;
  for (int depth = std::min(1, options.depth); depth <= options.depth; ++depth) {
    row = count(options, position, depth);
    rows.push_back(row_json(row));
  }
  Json json = {{"game", canonical_game(options.game)}, {"position", position}};
  json.update(row_json(row));
  json["rules"] = options.reference ? "reference" : "fast";
  json["depths"] = rows;
  print_json(json);
  return kExitDecided;
}

int perft_line(const PerftOptions& options, const std::string& position) {
  write_stdout(fmt::format("{}  {}\n", count(options, position, options.depth).leaves, position));
  return kExitDecided;
}

int perft_main(const PerftOptions& options) {
  if (options.position != "-") {
    return options.json ? perft_json(options, options.position) : perft_one(options);
  }
  canonical_game(options.game);  // a wrong name is wrong for every line
  keep_apart_from_stdin();
  catch_interrupts();
  LineReader reader(std::nullopt);
  return for_each_position(reader, options.json, [&](const std::string& position) {
    return options.json ? perft_json(options, position) : perft_line(options, position);
  });
}

}  // namespace

void add_perft_command(CLI::App& app, Action& chosen) {
  auto options = std::make_shared<PerftOptions>();
  CLI::App& command =
      add_command(app, "perft", "Counts the leaves of the game tree by depth.", kPerftFooter);
  add_game_option(command, &options->game);
  add_position_option(command, &options->position);
  PerftOptions* values = options.get();
  const auto set_depth = [values](std::uint64_t n) { values->depth = static_cast<int>(n); };
  required(add_integer(command, "--depth", set_depth, 0, kMaxDepth, "Count depths 1 to N"));
  add_flag(command, "--reference", &options->reference,
           "Use the slow, independent second rules of the game");
  add_json_flag(command, &options->json);
  when_read(command, [options, &chosen] { chosen = [options] { return perft_main(*options); }; });
}

}  // namespace playproof
