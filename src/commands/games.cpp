// playproof games: what may be named as a game.
#include <memory>
#include <string>

#include "games/catalogue.h"
#include "src/commands/command_options.h"
#include "src/commands/commands.h"
#include "src/commands/listing.h"

namespace playproof {

void add_games_command(CLI::App& app, Action& chosen) {
  auto json = std::make_shared<bool>(false);
  auto name = std::make_shared<std::string>();
  CLI::App& command =
      add_command(app, "games", "Lists the games with their options: range, [default], meaning.");
  add_text(command, "NAME", name.get(), "One of them alone (default: all)", "");
  add_json_flag(command, json.get());
  when_read(command, [json, name, &chosen] {
    chosen = [json, name] { return list_catalogue(game_catalogue(), *name, *json); };
  });
}

}  // namespace playproof
