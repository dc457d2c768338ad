// playproof games: what may be named as a game.
#include <memory>

#include "games/catalogue.h"
#include "src/commands/command_options.h"
#include "src/commands/commands.h"
#include "src/commands/listing.h"

namespace playproof {

void add_games_command(CLI::App& app, Action& chosen) {
  auto json = std::make_shared<bool>(false);
  CLI::App& command =
      add_command(app, "games", "Lists the games with their options: range, [default], meaning.");
  add_json_flag(command, json.get());
  when_read(command, [json, &chosen] {
    chosen = [json] { return list_catalogue(game_catalogue(), *json); };
  });
}

}  // namespace playproof
