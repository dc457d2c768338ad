#include "src/view/board_json.h"

#include <nlohmann/json.hpp>

#include "games/core/board_picture.h"

namespace playproof {
namespace {

const char* shape_name(BoardView::Shape shape) {
  switch (shape) {
    case BoardView::Shape::kSquares:
      return "squares";
    case BoardView::Shape::kLines:
      return "lines";
    case BoardView::Shape::kHexagons:
      return "hexagons";
  }
  return "";
}

std::vector<std::string> letters(int count, bool capitals) {
  std::vector<std::string> names;
  names.reserve(static_cast<std::size_t>(count));
  for (int i = 0; i < count; ++i)
    names.emplace_back(1, static_cast<char>((capitals ? 'A' : 'a') + i));
  return names;
}

std::vector<std::string> row_names(const BoardView& board) {
  if (!board.numbered_rows) return letters(board.rows(), board.capitals);
  std::vector<std::string> names;
  for (int row = 1; row <= board.rows(); ++row) names.push_back(std::to_string(row));
  return names;
}

}  // namespace

Json board_json(const AnyPosition& position) {
  const auto board = position.board();
  if (!board) return nullptr;
  return {{"shape", shape_name(board->shape)},
          {"columns", letters(board->columns, board->capitals)},
          {"rows", row_names(*board)}};
}

std::string cells_of(const AnyPosition& position) {
  const auto board = position.board();
  if (!board) return {};
  std::string cells;
  for (const char cell : board->cells) cells += cell == 'X' || cell == 'O' ? cell : '.';
  return cells;
}

std::vector<std::string> cell_names(const AnyPosition& position) {
  const auto board = position.board();
  if (!board) return {};
  std::vector<std::string> names;
  for (const std::string& row : row_names(*board)) {
    for (const std::string& column : letters(board->columns, board->capitals)) {
      names.push_back(column + row);
    }
  }
  return names;
}

Json players_json(const AnyPosition& position) {
  if (position.board()) return {"Black", "White"};
  return {"the first player", "the second player"};
}

}  // namespace playproof
