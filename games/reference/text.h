// Text that the reference rules read, apart from the readers of games/*_text.cpp: numbers, cells,
// boards, lists of moves. What cannot be read is false or kNoMove.
#pragma once

#include <algorithm>
#include <charconv>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "games/game.h"

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
// The position after these moves from the initial one.
template <class R>
bool ref_replay(const typename R::Rules& rules, const RefWords& words, typename R::State* state) {
  *state = R::initial(rules);
  for (const std::string_view word : words) {
    if (R::finished(rules, *state)) return false;
    const std::vector<Move> legal = R::moves(rules, *state);
    const Move move = R::move_named(rules, word);
    if (std::find(legal.begin(), legal.end(), move) == legal.end()) return false;
    R::play(rules, *state, move);
  }
  return true;
}

}  // namespace playproof
