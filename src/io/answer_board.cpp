#include "src/io/answer_board.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "games/core/text_tools.h"
#include "host/solve/position.h"
#include "src/io/answer_words.h"

namespace playproof {
namespace {

// The board with columns and rows exchanged, and with them the players, whose edges those are.
BoardView mirrored(const BoardView& board) {
  BoardView turned = board;
  turned.columns = board.rows();
  for (int row = 0; row < board.rows(); ++row) {
    for (int column = 0; column < board.columns; ++column) {
      const char stone = board.cells[static_cast<std::size_t>(row * board.columns + column)];
      turned.cells[static_cast<std::size_t>(column * turned.columns + row)] = stone == 'X' ? 'O'
                                                                              : stone == 'O'
                                                                                  ? 'X'
                                                                                  : stone;
    }
  }
  for (Move& cell : turned.carrier) {
    cell = static_cast<Move>(cell % board.columns * turned.columns + cell / board.columns);
  }
  return turned;
}

// What the record of a mirrored board calls it, where it is one.
struct Picture {
  BoardView board;
  Move last = kNoMove;
  Move best = kNoMove;
};

Picture picture_of(const SolveAnswer& answer, const AnyPosition& position) {
  Picture picture{mirrored(*position.board())};
  const auto cell = [&](const std::string& move) {
    int column = 0;
    int row = 0;
    if (!parse_letter_number(mirrored_cell(move), &column, &row)) return kNoMove;
    return static_cast<Move>(row * picture.board.columns + column);
  };
  picture.last = cell(position.last_move());
  picture.best = cell(answer.result.best_move.value_or(""));
  return picture;
}

// What a null move of the other side would leave to be tried (Z2) in a win by threats.
std::vector<std::string> zone_of_null_move(const SolveAnswer& answer) {
  std::vector<std::string> cells;
  if (!answer.result.threats) return cells;
  const auto& places = answer.result.threats->zone;
  for (std::size_t i = 0; i < std::min<std::size_t>(places.size(), 3); ++i) {
    cells.insert(cells.end(), places[i].begin(), places[i].end());
  }
  return cells;
}

bool is_mirrored(const SolveAnswer& answer) { return answer.names && answer.names->mirrored; }

}  // namespace

std::string drawn_answer(const SolveAnswer& answer, BoardStyle style) {
  const auto position = make_position(answer.game, answer.position);
  position->set_carrier(carrier_shown(answer));
  GameWords words = game_words(answer.game);
  if (answer.names) words = answer.names->words(words);
  // Who joins top and bottom is first in a drawing.
  if (is_mirrored(answer)) std::swap(words.first, words.second);
  style.first = words.first;
  style.second = words.second;
  if (!is_mirrored(answer)) return position->drawn(answer.result.best_move.value_or(""), style);
  const Picture picture = picture_of(answer, *position);
  return drawn_board(picture.board, picture.last, picture.best, style);
}

std::string answer_svg(const SolveAnswer& answer, int width) {
  const auto position = make_position(answer.game, answer.position);
  const std::vector<std::string> carrier = carrier_shown(answer);
  const std::vector<std::string> null_move = zone_of_null_move(answer);
  position->set_carrier(null_move.empty() ? carrier : null_move);
  if (answer.result.threats) {
    position->set_threats(answer.result.threats->turn, answer.result.threats->lines);
  }
  const auto named = [&](const std::string& move) {
    return answer.names ? answer.names->move(move) : move;
  };
  std::string description = answer_words(answer);
  if (!position->last_move().empty()) {
    description += " Last move: " + named(position->last_move()) + '.';
  }
  const std::string best = answer.result.best_move.value_or("");
  if (!best.empty()) {
    description +=
        (decided(answer) ? " Best move: " : " The move that looks best: ") + named(best) + '.';
  }
  if (!null_move.empty()) {
    description += fmt::format(
        " The winning turn: {}. Shaded: cells where one or two stones more of the other side may "
        "matter.",
        fmt::join(answer.result.threats->turn, " "));
  }
  if (!carrier.empty()) {
    description += fmt::format(
        " Carrier: {}.", fmt::join(answer.names ? answer.names->moves(carrier) : carrier, " "));
  }
  if (!is_mirrored(answer)) return with_description(position->svg(best, width), description);
  const Picture picture = picture_of(answer, *position);
  const std::string title = answer.names->game + ": " + answer.names->position;
  return with_description(board_svg(picture.board, picture.last, picture.best, title, width),
                          description);
}

}  // namespace playproof
