#include <string>
#include <utility>

#include "games/error.h"
#include "games/game_text.h"

namespace playproof {
namespace {

OptionInfo whole(std::string name, std::string default_text, double min, double max,
                 std::string help) {
  return {std::move(name), OptionType::kInteger, std::move(default_text), min, max, {},
          std::move(help)};
}

CatalogueEntry pgame_entry() {
  return {"pgame",
          "uniform MIN/MAX tree with random edge values; MAX moves first",
          {whole("branching", "2", 2, 64, "children of every inner node"),
           whole("depth", "20", 1, 64, "plies of every game"),
           whole("tree", "1", 0, 4294967295.0, "seed: which tree")}};
}

CatalogueEntry hex_entry() {
  return {"hex",
          "join your two edges; Black top to bottom, White left to right",
          {whole("size", "5", 2, 19, "rows and columns"),
           whole("rows", "", 2, 19, "instead of size, with columns"),
           whole("columns", "", 2, 19, "instead of size, with rows")}};
}

CatalogueEntry othello_entry() {
  OptionInfo size{"size", OptionType::kWord, "8", 0, 0, {"4", "6", "8"}, "rows and columns"};
  return {"othello", "most discs win; a forced pass is a ply", {std::move(size)}};
}

CatalogueEntry connect6_entry() {
  return {"connect6",
          "so many stones in a line; the first turn is one stone, later ones are more",
          {whole("size", "19", 2, 19, "rows and columns"),
           whole("rows", "", 2, 19, "instead of size, with columns"),
           whole("columns", "", 2, 19, "instead of size, with rows"),
           whole("connect", "6", 2, 19, "stones in a line that win; more win too"),
           whole("stones", "2", 1, 8, "stones a turn after the first")}};
}

}  // namespace

const Catalogue& game_catalogue() {
  static const Catalogue catalogue{"game",
                                   {pgame_entry(), hex_entry(), othello_entry(), connect6_entry()}};
  return catalogue;
}

BoardSize board_size(const Options& options) {
  const bool rows = options.given("rows");
  const bool columns = options.given("columns");
  const std::string& game = options.entry().name;
  if (options.given("size") && (rows || columns)) {
    throw Error(ErrorCode::kUsage, game + ": give size, or rows and columns, not both");
  }
  if (rows != columns) {
    throw Error(ErrorCode::kUsage, game + ": rows and columns go together; " +
                                       (rows ? "columns" : "rows") + " is missing");
  }
  const char* down = rows ? "rows" : "size";
  const char* across = rows ? "columns" : "size";
  return {static_cast<int>(options.integer(down)), static_cast<int>(options.integer(across))};
}

}  // namespace playproof
