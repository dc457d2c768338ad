// Random questions for the tests of the search: positions by random play and algorithms with random
// options. The same draws, the same questions, on every machine.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstdio>
#include <string>
#include <string_view>
#include <vector>

#include "games/core/error.h"
#include "games/core/text.h"
#include "games/othello/rules.h"
#include "host/solve/solver.h"

namespace playproof {

class RandomChoices {
 public:
  explicit RandomChoices(std::uint64_t seed) : state_(mix64(seed)) {}
  // 0 .. count - 1; the bias is of no account here.
  std::uint64_t below(std::uint64_t count) { return (state_ = mix64(state_)) % count; }
  bool once_in(std::uint64_t count) { return below(count) == 0; }
  const auto& of(const auto& choices) { return choices[below(std::size(choices))]; }

 private:
  std::uint64_t state_;
};

// One of the values that an option can have: its ends, or near them, so that searches stay short.
inline std::string random_value(RandomChoices& draws, const OptionInfo& option) {
  if (option.type == OptionType::kWord) return draws.of(option.words);
  if (option.name == "turns" && option.type == OptionType::kText) {
    return draws.of(std::vector<std::string>{"stones", "all", "2", "9"});
  }
  if (option.type == OptionType::kText) {
    return draws.of(std::vector<std::string>{"1KiB", "4KiB", "64KiB", "1MiB"});
  }
  if (option.name == "playouts") return std::to_string(1 + draws.below(12));
  const double most = option.name == "gc" || option.name == "theta" ? option.max / 2 : option.max;
  const double more = option.type == OptionType::kInteger
                          ? static_cast<double>(draws.below(13))
                          : 0.125 * static_cast<double>(draws.below(17));
  const double value = std::min(option.min + more, most);
  if (option.type == OptionType::kInteger) return std::to_string(static_cast<int>(value));
  char text[32];
  std::snprintf(text, sizeof text, "%.6g", value);
  return text;
}

// The algorithm with some of its options, as they may be combined. Not a larger table than it
// takes.
inline std::string random_algorithm(RandomChoices& draws, const CatalogueEntry& entry) {
  while (true) {
    std::string text;
    for (const OptionInfo& option : entry.options) {
      const bool needed = option.name == "table" || option.name == "playouts";
      if (!option.presets.empty()) continue;  // says what the others can say
      if (!needed && !draws.once_in(3)) continue;
      text += text.empty() ? ':' : ',';
      text += option.name + "=" + random_value(draws, option);
    }
    SolveRequest request;
    request.game = entry.game.empty() ? "pgame:branching=2,depth=2" : entry.game;
    request.algorithm = entry.name + text;
    try {
      make_solver(request);
      return request.algorithm;
    } catch (const Error&) {  // options that do not go together
    }
  }
}

// Random play from the beginning until `enough(state)`; the moves that it took.
template <Game G>
std::vector<Move> random_moves(const typename G::Rules& rules, RandomChoices& draws,
                               const auto& enough) {
  std::vector<Move> line;
  auto state = G::initial(rules);
  while (!G::finished(rules, state) && !enough(state)) {
    Move moves[G::kMaxMoves];
    const int count = G::moves(rules, state, moves);
    line.push_back(moves[draws.below(static_cast<std::uint64_t>(count))]);
    G::play(rules, state, line.back());
  }
  return line;
}

// So many empty squares or, if that is never seen, a finished game. `passes`: a pass is all that is
// left to the side to move, or to the other one after some move.
inline std::string random_ending(RandomChoices& draws, int size, int empties, bool passes) {
  const auto rules = Othello::make_rules(size);
  const auto empty = [&](const Othello::State& s) {
    return size * size - std::popcount(s.discs[0] | s.discs[1]);
  };
  const auto must_pass = [&](const Othello::State& s) {
    Move move[Othello::kMaxMoves];
    return !Othello::finished(rules, s) && Othello::moves(rules, s, move) == 1 &&
           GameText<Othello>::move_text(rules, move[0]) == "--";
  };
  while (true) {
    auto state = Othello::initial(rules);
    for (const Move move :
         random_moves<Othello>(rules, draws, [&](const auto& s) { return empty(s) <= empties; })) {
      Othello::play(rules, state, move);
    }
    if (Othello::finished(rules, state) && !draws.once_in(50)) continue;
    if (passes && !must_pass(state)) continue;
    return GameText<Othello>::format(rules, state);
  }
}

// The moves of a random beginning, as text.
template <Game G>
std::string random_beginning(const typename G::Rules& rules, RandomChoices& draws,
                             std::uint64_t plies) {
  std::uint64_t left = plies + 1;
  std::string text;
  for (const Move move :
       random_moves<G>(rules, draws, [&](const auto& /*state*/) { return --left == 0; })) {
    if (!text.empty()) text += ' ';
    text += GameText<G>::move_text(rules, move);
  }
  return text;
}

}  // namespace playproof
