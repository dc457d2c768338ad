// The search that `solve` takes where none is named.
#pragma once

#include <string>

namespace playproof {

// The algorithm is, by game, what decided most problems of bench/plans/which.toml and, of these,
// took the least CPU time together, minimax apart, as it was on the hardest of them; of games that
// are not there the first one of the depth-first searches. All of them have a table, which
// positions can share. Nothing is thrown: an unknown game has one too.
std::string default_algorithm(const std::string& game);

}  // namespace playproof
