// playproof algorithms: what may be named as an algorithm.
#include <memory>
#include <string>

#include "host/solve/solver.h"
#include "src/commands/command_options.h"
#include "src/commands/commands.h"
#include "src/commands/listing.h"

namespace playproof {

void add_algorithms_command(CLI::App& app, Action& chosen) {
  auto json = std::make_shared<bool>(false);
  auto name = std::make_shared<std::string>();
  CLI::App& command = add_command(
      app, "algorithms", "Lists the algorithms with their options: range, [default], meaning.");
  add_text(command, "NAME", name.get(), "One of them alone (default: all)", "");
  add_json_flag(command, json.get());
  when_read(command, [json, name, &chosen] {
    chosen = [json, name] { return list_catalogue(algorithm_catalogue(), *name, *json); };
  });
}

}  // namespace playproof
