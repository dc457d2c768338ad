// playproof algorithms: what may be named as an algorithm.
#include <CLI/App.hpp>
#include <memory>

#include "host/solver.h"
#include "src/command_options.h"
#include "src/commands.h"
#include "src/listing.h"

namespace playproof {

void add_algorithms_command(CLI::App& app, Action& chosen) {
  auto json = std::make_shared<bool>(false);
  CLI::App* command = app.add_subcommand(
      "algorithms", "Lists the algorithms with their options: range, [default], meaning.");
  add_json_flag(*command, json.get());
  command->callback([json, &chosen] {
    chosen = [json] { return list_catalogue(algorithm_catalogue(), *json); };
  });
}

}  // namespace playproof
