// One answer of `solve`, as JSON with the keys that others script against and as text for people.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "host/solve/solver.h"
#include "src/io/json.h"
#include "src/io/record_names.h"

namespace playproof {

struct SolveAnswer {
  std::string game;  // this and the next names: canonical, with every parameter
  std::string algorithm;
  std::string backend;
  std::string device;
  Goal goal;
  std::string position;  // as given
  std::uint64_t seed = 1;
  std::uint32_t batch = 1;
  std::uint32_t pipeline = 1;
  int workers = 1;
  StopReason reason = StopReason::kRunning;
  std::string certificate;        // the file that was written; empty if none
  std::uint64_t proof_nodes = 0;  // that it lists; 0: none was written
  SolveResult result;             // in the cells of the search, as game and position are
  // What the file calls them that was asked about; what is printed of the answer has these names.
  std::optional<RecordNames> names;
};

// What `solver` found, after it stopped for `reason`.
SolveAnswer make_answer(const Solver& solver, const SolveRequest& request, StopReason reason);

// Everything asked is decided: the claim, or for "value" and "score" the number itself.
bool decided(const SolveAnswer& answer);

// "proved", "disproved", "unknown"; of a decided `value` or `score` the answer itself.
std::string verdict_text(const SolveAnswer& answer);

// "win", "draw" or "loss" for the attacker; empty while unknown. Only for the goal "value".
std::string value_word(const SolveAnswer& answer);

// What the game guesses of the position, where nothing is decided; for the attacker.
std::optional<Estimate> estimate_shown(const SolveAnswer& answer);

// The empty cells of an answer's zone, which the proof rests on beside stones of who wins.
std::vector<std::string> carrier_of(const SolveAnswer& answer);
// What people are shown of it: nothing if it is all empty cells.
std::vector<std::string> carrier_shown(const SolveAnswer& answer);

// If there are names, `mirrored`, who is to move (`to_move`: "Black", "White") and what was
// searched (`searched_game`, `searched_position`: what certificates and checkpoints hold) stand in
// it too.
Json answer_json(const SolveAnswer& answer);
// A sentence (src/io/answer_words.h), the board if there is one (lines of text), the fields.
std::string answer_text(const SolveAnswer& answer, const std::string& board = "");
std::string answer_line(const SolveAnswer& answer);  // one line, no line end

}  // namespace playproof
