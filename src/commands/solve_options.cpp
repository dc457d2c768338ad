#include "src/commands/solve_options.h"

#include <string>

#include "games/core/spec.h"
#include "host/playouts/evaluator.h"
#include "src/commands/command_options.h"
#include "src/io/machine.h"

namespace playproof {

CLI::Option* add_game_option(CLI::App& command, std::string* game) {
  return required(
      add_text(command, "GAME", game, "Name and options, e.g. hex:size=5 (see `games`)", ""));
}

CLI::Option* add_position_option(CLI::App& command, std::string* position) {
  return add_text(command, "--position", position, "The position (default: the initial one)",
                  "TEXT");
}

void add_position_options(CLI::App& command, std::string* position,
                          std::optional<std::string>* file) {
  CLI::Option* one = add_position_option(command, position);
  const auto set_file = [position, file](const std::string& name) {
    if (name == "-") {
      *position = name;
    } else {
      *file = name;
    }
  };
  exclude(add_file(command, "--position-file", set_file,
                   "Read positions from FILE, one a line; -: from stdin, as `--position -` does"),
          one);
}

void add_search_options(CLI::App& command, SolveRequest* request) {
  add_game_option(command, &request->game);
  required(add_text(command, "--algorithm", &request->algorithm,
                    "Name and options, e.g. ppn:playouts=32 (see `algorithms`)", "ALGO"));
  add_text(command, "--goal", &request->goal,
           "win (a draw does not count), draw (a draw counts), score>=N, value or score "
           "(default: win)",
           "GOAL");
  const auto set_backend = [request](const std::string& text) {
    // An unknown name is an error also where the algorithm plays nothing out.
    const Spec spec = parse_spec(text);
    request->backend = Options(backend_catalogue().find(spec.name), spec).canonical();
  };
  add_text(command, "--backend", set_backend,
           "What plays the playouts (see `version`; default: auto)", "BACKEND");
  add_integer(command, "--seed", &request->seed, 0, kNoBound,
              "Of playouts and of choices among equals (default: 1)");
  request->threads = all_cores();
  add_threads(command, &request->threads,
              "Threads of the playouts; changes no count (default: all cores)");
  add_integer(command, "--max-nodes", &request->limits.max_nodes, 1, kNoBound,
              "Stop when this many nodes were created; also 2e6");
  add_positive_real(command, "--max-seconds", &request->limits.max_seconds,
                    "Stop after X seconds of search");
  add_size(command, "--max-memory", &request->limits.max_memory,
           "Stop when the search needs more, e.g. 500MiB, 2GiB (default: 4/5 of what there is)");
}

}  // namespace playproof
