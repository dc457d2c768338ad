#include "games/hex/entry.h"

namespace playproof {

CatalogueEntry HexEntry::info() {
  return {"hex", "join your two edges; Black top to bottom, White left to right",
          board_size_options("5")};
}

}  // namespace playproof
