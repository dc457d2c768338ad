#include "games/othello/entry.h"

#include <utility>

namespace playproof {

CatalogueEntry OthelloEntry::info() {
  OptionInfo size{"size", OptionType::kWord, "8", 0, 0, {"4", "6", "8"}, "rows and columns"};
  return {"othello",
          "most discs win; a forced pass is a ply",
          {std::move(size)},
          {},
          {{"reversi", "othello"}}};
}

}  // namespace playproof
