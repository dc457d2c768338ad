// Listings of catalogues and other tables for people and as JSON.
#pragma once

#include <string>

#include "games/core/spec.h"
#include "src/io/json.h"

namespace playproof {

std::string catalogue_text(const Catalogue& catalogue);

// The name of a game with every option that matters, e.g. "hex:size=5". Throws Error(kUsage).
std::string canonical_game(const std::string& game);

// Prints one or the other, of all entries or of one alone (by its name, with options or without);
// the exit status. Throws Error(kUsage).
int list_catalogue(const Catalogue& catalogue, const std::string& name, bool json);

}  // namespace playproof
