// Text that the reference rules read, apart from the readers of games/*_text.cpp: numbers, cells,
// boards, lists of moves, games with options. What cannot be read is false or kNoMove.
#pragma once

#include <algorithm>
#include <charconv>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "games/core/game.h"

namespace playproof {

using RefWords = std::vector<std::string_view>;

// The parts between the characters of `separators`; empty parts are left out.
inline RefWords ref_split(std::string_view text, std::string_view separators) {
  RefWords parts;
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find_first_of(separators, begin), text.size());
    if (end > begin) parts.push_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  return parts;
}
// The parts between all separators, empty ones too.
inline RefWords ref_parts(std::string_view text, char separator) {
  RefWords parts;
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find(separator, begin), text.size());
    parts.push_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  return parts;
}
// A decimal number up to `max`, without leading zeros.
inline bool ref_number(std::string_view text, std::uint64_t max, std::uint64_t* value) {
  if (text.empty() || (text.size() > 1 && text[0] == '0')) return false;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), *value);
  return error == std::errc() && end == text.data() + text.size() && *value <= max;
}
inline int ref_letter(char c) {
  if (c >= 'a' && c <= 'z') return c - 'a';
  return c >= 'A' && c <= 'Z' ? c - 'A' : -1;
}
inline Move ref_cell(int column, int row, int rows, int columns) {
  const bool inside = column >= 0 && column < columns && row >= 0 && row < rows;
  return inside ? static_cast<Move>(row * columns + column) : kNoMove;
}
// "b2": column 1, row 1.
inline Move ref_letter_number(std::string_view text, int rows, int columns) {
  std::uint64_t row = 0;
  if (text.size() < 2 || !ref_number(text.substr(1), 99, &row)) return kNoMove;
  return ref_cell(ref_letter(text[0]), static_cast<int>(row) - 1, rows, columns);
}
// One character of `alphabet` a cell.
inline bool ref_cells(std::string_view text, int count, std::string_view alphabet,
                      std::vector<char>* cells) {
  cells->assign(text.begin(), text.end());
  return text.size() == static_cast<std::size_t>(count) &&
         text.find_first_not_of(alphabet) == std::string_view::npos;
}
// A short text for a board, one for each: two bits a cell, 0 for `empty`, 1 for `first`, else 2.
inline std::string ref_packed(const std::vector<char>& cells, char empty, char first) {
  std::string bits((cells.size() + 3) / 4, '\0');
  for (std::size_t i = 0; i < cells.size(); ++i) {
    const int cell = cells[i] == empty ? 0 : cells[i] == first ? 1 : 2;
    bits[i / 4] = static_cast<char>(bits[i / 4] | cell << i % 4 * 2);
  }
  return bits;
}
// An option of a game: what it is if it is not given, its range, and the distance of its values.
struct RefOption {
  const char* name;
  std::uint64_t otherwise, min, max, step = 1;
};
// "hex:rows=3,columns=5" or, for both sides of a board, "hex:size=3": the values of R::kOptions.
template <class R>
bool ref_read_numbers(std::string_view text, std::vector<std::uint64_t>* values) {
  const RefWords parts = ref_split(text, ":,");
  if (parts.empty() || parts[0] != R::kName) return false;
  values->clear();
  for (const RefOption& option : R::kOptions) values->push_back(option.otherwise);
  for (std::size_t i = 1; i < parts.size(); ++i) {
    const RefWords words = ref_split(parts[i], "=");
    bool known = false;
    for (std::size_t k = 0; k < values->size() && words.size() == 2; ++k) {
      const std::string_view name = R::kOptions[k].name;
      const bool side = words[0] == "size" && (name == "rows" || name == "columns");
      if (words[0] != name && !side) continue;
      std::uint64_t& value = (*values)[k];
      known = true;
      if (!ref_number(words[1], R::kOptions[k].max, &value)) return false;
      const RefOption& option = R::kOptions[k];
      if (value < option.min || (value - option.min) % option.step != 0) return false;
    }
    if (!known) return false;
  }
  return true;
}
template <class R>
bool ref_read_game(std::string_view text, std::vector<std::uint64_t>* values) {
  if constexpr (requires { R::read_game(text, values); }) {
    return R::read_game(text, values);  // options that are no numbers
  } else {
    return ref_read_numbers<R>(text, values);
  }
}
template <class R>
std::string ref_game_text(const std::vector<std::uint64_t>& values) {
  if constexpr (requires { R::game_text(values); }) {
    return R::game_text(values);
  } else {
    std::string text = R::kName;
    for (std::size_t i = 0; i < values.size(); ++i) {
      text += i == 0 ? ':' : ',';
      text += R::kOptions[i].name;
      text += '=';
      text += std::to_string(values[i]);
    }
    return text;
  }
}
// Plays the move that a word names, if it is legal.
template <class R>
bool ref_play_named(const typename R::Rules& rules, std::string_view word,
                    typename R::State* state) {
  if (R::finished(rules, *state)) return false;
  const std::vector<Move> legal = R::moves(rules, *state);
  const Move move = R::move_named(rules, word);
  if (std::find(legal.begin(), legal.end(), move) == legal.end()) return false;
  R::play(rules, *state, move);
  return true;
}
// The position after these moves from the initial one.
template <class R>
bool ref_replay(const typename R::Rules& rules, const RefWords& words, typename R::State* state) {
  *state = R::initial(rules);
  return std::all_of(words.begin(), words.end(),
                     [&](std::string_view word) { return ref_play_named<R>(rules, word, state); });
}

}  // namespace playproof
