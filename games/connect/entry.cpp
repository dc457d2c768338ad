#include "games/connect/entry.h"

#include <utility>
#include <vector>

namespace playproof {

CatalogueEntry ConnectEntry::info() {
  std::vector<OptionInfo> options = board_size_options("19");
  options.push_back(
      integer_option("connect", "6", 2, 19, "stones in a line that win; more win too"));
  options.push_back(integer_option("stones", "2", 1, 8, "stones a turn after the first"));
  return {"connect6",
          "so many stones in a line; the first turn is one stone, later ones are more",
          std::move(options),
          {},
          {{"tictactoe", "connect6:size=3,connect=3,stones=1"},
           {"noughtsandcrosses", "connect6:size=3,connect=3,stones=1"},
           {"gomoku", "connect6:size=15,connect=5,stones=1"}}};
}

}  // namespace playproof
