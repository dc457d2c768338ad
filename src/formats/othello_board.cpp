#include "src/formats/othello_board.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <vector>

#include "games/core/text_tools.h"
#include "host/solve/position.h"

namespace playproof {
namespace {

// 'X', 'O' or '-' of what a program writes for it.
std::optional<char> square_of(char c) {
  switch (c) {
    case 'X':
    case 'x':
    case '*':
    case 'B':
    case 'b':
      return 'X';
    case 'O':
    case 'o':
    case '0':
    case 'W':
    case 'w':
      return 'O';
    case '-':
    case '.':
      return '-';
    default:
      return std::nullopt;
  }
}

// Where something in the text stands: it may have several lines.
Place place_of(std::string_view text, std::size_t at, Place place) {
  for (const char c : text.substr(0, at)) {
    ++place.offset;
    if (c == '\n') place = {place.line + 1, 0};
  }
  return place;
}

}  // namespace

WrittenBoard read_board(std::string_view text, int size, std::string_view what,
                        const Place& place) {
  const auto squares = static_cast<std::size_t>(size * size);
  std::string found;
  std::vector<std::size_t> offsets;
  // A mark of either player or none, blanks before it passed over; nothing at the end of the text.
  std::size_t at = 0;
  const auto next = [&] {
    while (at < text.size() && is_ascii_space(text[at])) ++at;
    return at < text.size() ? square_of(text[at]) : std::nullopt;
  };
  const auto fail = [&](const std::string& wrong) {
    throw RecordError(fmt::format("{}: {}", what, wrong), place_of(text, at, place));
  };
  for (std::optional<char> mark; found.size() <= squares && (mark = next()); ++at) {
    found += *mark;
    offsets.push_back(at);
  }
  const std::size_t count = found.size();
  if (count <= squares && at < text.size() && text[at] != ';') {
    const auto number = static_cast<int>(count);
    fail(count < squares
             ? fmt::format("square {} must be X or * (Black), O (White), - or . (empty), not {}",
                           letter_number(number % size, number / size), quoted(text.substr(at, 1)))
             : fmt::format("the side to move must be X or O, or as the board writes them, not {}",
                           quoted(text.substr(at, 1))));
  }
  if (count <= squares) {
    // A last mark that stands apart is the side to move.
    const bool apart = count > 1 && offsets[count - 1] > offsets[count - 2] + 1;
    const std::size_t of_board = count - (apart ? 1 : 0);
    fail(of_board < squares ? fmt::format("expected {} squares, found {}", squares, of_board)
                            : "expected the side to move, X or O, after the squares");
  }
  if (found.back() == '-') {
    at = offsets.back();
    fail(fmt::format("after {} squares comes the side to move, X or O, not {}", squares,
                     quoted(text.substr(at, 1))));
  }
  WrittenBoard board{found.insert(squares, " "), offsets.back() + 1};
  try {
    make_position(fmt::format("othello:size={}", size), board.position);
  } catch (const Error& error) {
    // Its offset is that of a board without blanks.
    std::string wrong = error.what();
    wrong.resize(std::min(wrong.rfind(", at offset "), wrong.size()));
    wrong.erase(0, wrong.find(": ") + 2);  // as if it had been given so
    at = offsets.front();
    fail(wrong);
  }
  return board;
}

}  // namespace playproof
