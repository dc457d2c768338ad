#include "games/core/board_drawing.h"

#include <algorithm>
#include <cstddef>
#include <string>
#include <utility>

#include "games/core/error.h"

namespace playproof {
namespace {

using Shape = BoardView::Shape;

// The characters of one style. A stone that was the last move has one of its own.
struct Characters {
  std::string_view first, second, last_first, last_second, best, carrier, empty, dash;
};
constexpr Characters kUnicode = {"●", "○", "◉", "◎", "◆", "+", "·", "─"};
constexpr Characters kAscii = {"X", "O", "#", "@", "*", "+", ".", "-"};

constexpr std::string_view kRed = "\x1b[1;31m";
constexpr std::string_view kGreen = "\x1b[1;32m";
constexpr std::string_view kPlain = "\x1b[0m";

std::string spaces(int n) {
  std::string text;
  text.append(static_cast<std::size_t>(std::max(n, 0)), ' ');
  return text;
}

class TextBoard {
 public:
  TextBoard(const BoardView& board, Move last, Move best, const BoardStyle& style)
      : board_(board),
        last_(last),
        best_(best),
        style_(style),
        characters_(style.unicode ? kUnicode : kAscii) {}

  std::string text() {
    const bool hexagons = board_.shape == Shape::kHexagons;
    // Left of a board of hexagons stands who owns that edge.
    margin_ = hexagons ? static_cast<int>(style_.second.size()) + 1 : 0;
    if (hexagons) edge(0);
    line(spaces(first_cell()) + columns());
    for (int row = 0; row < board_.rows(); ++row) line(row_text(row));
    if (hexagons) edge(board_.rows() - 1);
    line(legend());
    return std::move(text_);
  }

 private:
  void line(const std::string& text) { text_ += text + '\n'; }
  // Where the first cell of row 0 stands: right of the longest name of a row and a blank.
  int first_cell() const { return margin_ + 3; }

  // The first player's edge, above or below the row.
  void edge(int row) {
    const int wide = 2 * board_.columns - 1;
    const int left = (wide - static_cast<int>(style_.first.size())) / 2;
    line(spaces(first_cell() + row + left) + std::string(style_.first));
  }
  std::string columns() const {
    std::string text;
    for (int column = 0; column < board_.columns; ++column) {
      if (column > 0) text += ' ';
      text += static_cast<char>((board_.capitals ? 'A' : 'a') + column);
    }
    return text;
  }
  std::string name_of(int row) const {
    std::string name = board_.numbered_rows
                           ? std::to_string(row + 1)
                           : std::string(1, static_cast<char>((board_.capitals ? 'A' : 'a') + row));
    return spaces(2 - static_cast<int>(name.size())) + name;
  }
  std::string row_text(int row) const {
    const bool middle = board_.shape == Shape::kHexagons && row == board_.rows() / 2;
    std::string text = middle ? std::string(style_.second) + ' ' : spaces(margin_);
    if (board_.shape == Shape::kHexagons) text += spaces(row);
    text += name_of(row) + ' ';
    for (int column = 0; column < board_.columns; ++column) {
      if (column > 0) {
        text += board_.shape == Shape::kLines ? characters_.dash : std::string_view(" ");
      }
      text += cell_text(row, column);
    }
    if (middle) text += "  " + std::string(style_.second);
    return text;
  }

  std::string cell_text(int row, int column) const {
    const auto cell = static_cast<std::size_t>(row * board_.columns + column);
    const char stone = board_.cells[cell];
    if (stone == 'X' || stone == 'O') {
      const bool first = stone == 'X';
      if (cell == last_) return marked(first ? characters_.last_first : characters_.last_second);
      return std::string(first ? characters_.first : characters_.second);
    }
    if (cell == best_) return coloured(characters_.best, kGreen);
    if (in_carrier(cell)) return std::string(characters_.carrier);
    return std::string(board_.shape == Shape::kLines ? crossing(row, column) : characters_.empty);
  }
  // Where two lines cross, or end.
  std::string_view crossing(int row, int column) const {
    if (!style_.unicode) return "+";
    static constexpr std::string_view kCrossings[3][3] = {
        {"┌", "┬", "┐"}, {"├", "┼", "┤"}, {"└", "┴", "┘"}};
    const auto place = [](int i, int count) { return i == 0 ? 0 : i == count - 1 ? 2 : 1; };
    return kCrossings[place(row, board_.rows())][place(column, board_.columns)];
  }
  std::string coloured(std::string_view text, std::string_view colour) const {
    if (!style_.colours) return std::string(text);
    return std::string(colour) + std::string(text) + std::string(kPlain);
  }
  std::string marked(std::string_view text) const { return coloured(text, kRed); }

  // What the characters mean that stand on the board.
  std::string legend() const {
    std::string text = std::string(characters_.first) + ' ' + std::string(style_.first) + "  " +
                       std::string(characters_.second) + ' ' + std::string(style_.second);
    const char last = at(last_);
    if (last == 'X') text += "  " + marked(characters_.last_first) + " last move";
    if (last == 'O') text += "  " + marked(characters_.last_second) + " last move";
    if (at(best_) == ' ') {
      text += "  " + coloured(characters_.best, kGreen) + ' ' + std::string(style_.best);
    }
    const bool shown = std::any_of(board_.carrier.begin(), board_.carrier.end(),
                                   [&](Move cell) { return at(cell) == ' ' && cell != best_; });
    if (shown) text += "  " + std::string(characters_.carrier) + ' ' + std::string(style_.carrier);
    return text;
  }
  bool in_carrier(std::size_t cell) const {
    return std::find(board_.carrier.begin(), board_.carrier.end(), static_cast<Move>(cell)) !=
           board_.carrier.end();
  }
  // 'X', 'O' or ' '; 0 if the move is no cell.
  char at(Move move) const {
    if (move >= board_.cells.size()) return 0;
    const char stone = board_.cells[move];
    return stone == 'X' || stone == 'O' ? stone : ' ';
  }

  const BoardView& board_;
  Move last_;
  Move best_;
  const BoardStyle& style_;
  const Characters& characters_;
  int margin_ = 0;
  std::string text_;
};

}  // namespace

std::string drawn_board(const BoardView& board, Move last, Move best, const BoardStyle& style) {
  return TextBoard(board, last, best, style).text();
}

std::string escaped_xml(std::string_view text) {
  std::string out;
  for (const char c : text) {
    switch (c) {
      case '&':
        out += "&amp;";
        break;
      case '<':
        out += "&lt;";
        break;
      case '>':
        out += "&gt;";
        break;
      case '"':
        out += "&quot;";
        break;
      default:
        out += c;
    }
  }
  return out;
}

std::string with_description(std::string svg, std::string_view description) {
  constexpr std::string_view kEnd = "</title>";
  const std::size_t end = svg.find(kEnd);  // what stands in the title is escaped
  if (end == std::string::npos) {
    throw Error(ErrorCode::kInternal, "a picture without a title cannot be described");
  }
  return svg.insert(end + kEnd.size(), "<desc>" + escaped_xml(description) + "</desc>");
}

}  // namespace playproof
