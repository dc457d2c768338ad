// Listings of catalogues and other tables for people and as JSON.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "games/spec.h"

namespace playproof {

// Keys in the order written: the order of the documentation.
using Json = nlohmann::ordered_json;

// Writes one line of JSON to stdout. Text that is no UTF-8 is replaced, never an error.
void print_json(const Json& value);

// Every entry with its options: name, type, default, range or words, help.
Json catalogue_json(const Catalogue& catalogue);
std::string catalogue_text(const Catalogue& catalogue);

// The name of a game with every option that matters, e.g. "hex:size=5". Throws Error(kUsage).
std::string canonical_game(const std::string& game);

// Prints one or the other; the exit status.
int list_catalogue(const Catalogue& catalogue, bool json);

}  // namespace playproof
