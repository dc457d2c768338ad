// Certificates with links from a plain H-search (Anshelevich 2002), for tests: every pair of
// points, every cell between them, sets of cells as bits. Slow, and apart from the solver's.
#pragma once

#include <string>
#include <vector>

#include "games/hex/reference.h"
#include "tests/certificates/mutants.h"

namespace playproof {

struct LinkWish {
  bool fewest = false;   // stones that the links do not need are left out of the patterns
  bool as_card = false;  // the prover's move at the root is a card-one, else a node `one`
  std::size_t more = 0;  // so many links that nothing needs
};

// The proof that the side not to move wins after these moves by a link between its edges, or that
// the side to move does once it has moved; empty if the search finds neither. Boards of at most 30
// cells, positions that are not finished.
Sheet link_sheet(const RefHex::Rules& rules, const std::vector<std::string>& moves,
                 const LinkWish& wish);

}  // namespace playproof
