#include "games/pgame/entry.h"

namespace playproof {

CatalogueEntry PGameEntry::info() {
  return {"pgame",
          "uniform MIN/MAX tree with random edge values; MAX moves first",
          {integer_option("branching", "2", 2, 64, "children of every inner node"),
           integer_option("depth", "20", 1, 64, "plies of every game"),
           integer_option("tree", "1", 0, 4294967295.0, "seed: which tree")}};
}

}  // namespace playproof
