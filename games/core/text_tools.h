// What the text forms of the games share: tokens with their offsets, error texts that name input,
// cause and place, and the replay of a list of stones.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "games/core/bitboard.h"
#include "games/core/game.h"

namespace playproof {

// "'b2'": at most 24 characters, unprintable ones as \xNN, so that a message stays one line.
std::string quoted(std::string_view text);

// Throws Error(kData): "hex position: WHAT, at offset N".
[[noreturn]] void bad_position(std::string_view game, const std::string& what, std::size_t offset);

// A space, or what ends lines and pages, whatever the locale.
inline bool is_ascii_space(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }

// The text without the spaces, tabs, CRs and LFs at its end.
std::string_view without_trailing_space(std::string_view text);

struct Token {
  std::string_view text;
  std::size_t offset = 0;
};
// The next run of characters that are not spaces or tabs, from *position on; false at the end.
bool next_token(std::string_view text, std::size_t* position, Token* token);

// The number of the letter, 0 for 'a' or 'A'; -1 if it is no letter.
int letter_index(char c);

// "b2" is column 1, row 1; false if the text has another form. The numbers may lie off any board.
bool parse_letter_number(std::string_view text, int* column, int* row);
std::string letter_number(int column, int row);

// A board as one character a cell.
template <int W>
std::vector<char> board_text(const std::uint64_t (&stones)[2][W], int cells, char empty, char first,
                             char second) {
  std::vector<char> text(static_cast<std::size_t>(cells), empty);
  for (int cell = 0; cell < cells; ++cell) {
    if (has_cell(stones[0], cell)) text[static_cast<std::size_t>(cell)] = first;
    if (has_cell(stones[1], cell)) text[static_cast<std::size_t>(cell)] = second;
  }
  return text;
}

inline void append_board(const std::vector<char>& board, std::string* out) {
  out->append(board.begin(), board.end());
}
inline std::string rows_and_columns(int rows, int columns) {
  return "rows=" + std::to_string(rows) + ",columns=" + std::to_string(columns);
}

// Throws if one of the players holds the cell named at `token`.
template <int W>
void expect_free(std::string_view game, const std::uint64_t (&stones)[2][W], int cell,
                 const Token& token) {
  if (has_cell(stones[0], cell) || has_cell(stones[1], cell)) {
    bad_position(game, "cell " + quoted(token.text) + " is occupied already", token.offset);
  }
}

// Plays a stone named at `token`, or throws for a game that is over and for an occupied cell.
template <class G>
void place_stone(std::string_view game, const typename G::Rules& rules, typename G::State* state,
                 int cell, const Token& token) {
  if (G::finished(rules, *state)) {
    bad_position(game,
                 "no stone can follow, the game is over after " + std::to_string(state->count) +
                     " stones, not " + quoted(token.text),
                 token.offset);
  }
  expect_free(game, state->stones, cell, token);
  G::play(rules, *state, static_cast<Move>(cell));
}

// An order of moves that leads to the state: each player's stones in ascending order, but a winning
// stone last, since no stone may follow it. None if no play from the initial position leads there.
template <class G>
std::optional<std::vector<Move>> order_of_play(const typename G::Rules& rules,
                                               const typename G::State& state) {
  std::vector<Move> stones[2];
  for (int cell = 0; cell < rules.cells; ++cell) {
    for (int player = 0; player < 2; ++player) {
      if (has_cell(state.stones[player], cell)) stones[player].push_back(static_cast<Move>(cell));
    }
  }
  std::vector<Move> order;
  const auto leads_there = [&] {
    order.clear();
    std::size_t used[2] = {0, 0};
    typename G::State at = G::initial(rules);
    while (at.count < state.count && !G::finished(rules, at)) {
      const auto player = static_cast<std::size_t>(G::to_move(rules, at));
      if (used[player] == stones[player].size()) return false;
      order.push_back(stones[player][used[player]++]);
      G::play(rules, at, order.back());
    }
    return at == state;
  };
  if (leads_there()) return order;
  if (state.winner != 1 && state.winner != 2) return std::nullopt;
  // The win is too early: put another of the winner's stones last, until it is one the win needs.
  std::vector<Move>& winners = stones[state.winner - 1];
  for (std::size_t tries = 1; tries < winners.size(); ++tries) {
    winners.insert(winners.begin(), winners.back());
    winners.pop_back();
    if (leads_there()) return order;
  }
  return std::nullopt;
}

// Moves with one blank between two.
template <class Rules, class MoveText>
std::string moves_text(const Rules& rules, const std::vector<Move>& moves, MoveText move_text) {
  std::string text;
  for (const Move move : moves) {
    if (!text.empty()) text += ' ';
    text += move_text(rules, move);
  }
  return text;
}

// The words of a text with one blank between two (or another separator).
inline std::string joined_words(std::string_view text, char separator) {
  const std::string_view body = without_trailing_space(text);
  std::string joined;
  std::size_t position = 0;
  for (Token token; next_token(body, &position, &token);) {
    if (!joined.empty()) joined += separator;
    joined += token.text;
  }
  return joined;
}

}  // namespace playproof
