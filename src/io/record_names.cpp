#include "src/io/record_names.h"

#include <fmt/format.h>

#include <utility>

#include "games/core/text_tools.h"

namespace playproof {

std::string RecordNames::move(std::string_view searched) const {
  return mirrored ? mirrored_cell(searched) : std::string(searched);
}

std::vector<std::string> RecordNames::moves(const std::vector<std::string>& searched) const {
  std::vector<std::string> named;
  named.reserve(searched.size());
  for (const std::string& each : searched) named.push_back(move(each));
  return named;
}

GameWords RecordNames::words(GameWords of_game) const {
  if (exchanged) std::swap(of_game.first, of_game.second);
  return of_game;
}

std::string mirrored_cell(std::string_view cell) {
  int column = 0;
  int row = 0;
  if (!parse_letter_number(cell, &column, &row) || row >= 26) return std::string(cell);
  return letter_number(row, column);
}

std::string mirrored_hex(int rows, int columns) {
  return rows == columns ? fmt::format("hex:size={}", rows)
                         : fmt::format("hex:rows={},columns={}", columns, rows);
}

}  // namespace playproof
