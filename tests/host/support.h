// What the tests of the search share: questions by name, the truth by plain minimax over the
// reference rules (independent of the fast rules and of every search), and one check that holds an
// answer against it.
#pragma once

#include <gtest/gtest.h>

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "games/core/game.h"
#include "games/list.h"
#include "host/solve/solver.h"
#include "tests/nightly.h"

namespace playproof {

// Exact values for the side to move of the position: its own and that of each move.
struct Truth {
  int value = 0;
  std::vector<std::pair<Move, int>> moves;  // empty if the position is finished
};
// By exhaustive search with the reference rules: small positions only.
Truth truth(const std::string& game, const std::string& position);

SolveRequest ask(const std::string& game, const std::string& algorithm,
                 const std::string& position = "", const std::string& goal = "win");
// Can positions of the game come again? Then plain minimax over its rules would never end.
bool repeats(const std::string& game);
// Steps until the search stops by itself.
SolveResult finish(Solver& solver);
// Solves; what is decided must have a good certificate (tests/host/certified.h).
SolveResult solve(const SolveRequest& request);

// Solves and holds verdict, bounds, best move and principal variation against the truth.
SolveResult expect_right(const SolveRequest& request, const Truth& truth);
// What the principal variation leads to for the side to move of the position: it must be legal by
// the reference rules and end in a finished position.
int end_of_line(const SolveRequest& request, const SolveResult& result);
// The best move is there exactly when something is proved, it reaches the goal, and the principal
// variation is legal by the reference rules and ends in a finished position that the verdict
// promises. For goals of one claim.
void expect_good_line(const SolveRequest& request, const SolveResult& result, int threshold);

// The threshold of a goal of one claim.
int threshold_of(const std::string& goal);

// Lines of a file under tests/data, without comments and empty lines.
std::vector<std::string> data_lines(const std::string& file);
std::vector<std::string> words_of(const std::string& line);

// A position with exactly `empties` empty squares, not finished, by uniformly random play.
std::string random_othello(int size, int empties, std::uint64_t seed);

// Every combination of option values of one algorithm: {"ties=left", "ties=path"}, {...} ...
std::vector<std::string> combinations(const std::string& name,
                                      const std::vector<std::vector<std::string>>& options);
// All variants of every algorithm, for small problems: all with zones=off, some with zones.
std::vector<std::string> all_variants();
// The search without proof zones, if it has the option.
std::string without_zones(const std::string& algorithm);
// One of each algorithm, each with its defaults.
std::vector<std::string> plain_algorithms();
// Of these, those with a table.
std::vector<std::string> table_algorithms();
bool has_table(const std::string& algorithm);

// Everything that must not depend on how a search is driven.
void expect_same_search(const SolveResult& a, const SolveResult& b);
void expect_same_counters(const Counters& a, const Counters& b);

}  // namespace playproof
