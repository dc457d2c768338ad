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
  std::string first, second, last_first, last_second;
  std::string_view best, carrier, empty, dash;
};

// "Ⓑ" of 'B': U+24B6 and so on, three bytes of UTF-8.
std::string circled(char capital) {
  const int code = 0x24b6 + (capital - 'A');
  return {'\xe2', static_cast<char>(0x80 | ((code >> 6) & 0x3f)),
          static_cast<char>(0x80 | (code & 0x3f))};
}

// Discs are filled with the colour of the text, whatever that is: only where the board has colours
// of its own do they look like the players' stones. Elsewhere stones are the letters of the names.
Characters characters_of(const BoardStyle& style) {
  if (!style.unicode) return {"X", "O", "#", "@", "*", "+", ".", "-"};
  const auto initial = [](std::string_view name) { return name.empty() ? ' ' : name.front(); };
  const char first = initial(style.first);
  const char second = initial(style.second);
  const auto is_capital = [](char c) { return c >= 'A' && c <= 'Z'; };
  if (style.colours || first == second || !is_capital(first) || !is_capital(second)) {
    return {"●", "○", "◉", "◎", "◆", "+", "·", "─"};
  }
  return {{first}, {second}, circled(first), circled(second), "◆", "+", "·", "─"};
}

// These are those of the 256 colours that no theme changes. Every cell has both: what it is drawn
// with and what is behind it, so that a dark terminal shows what a bright one does.
constexpr std::string_view kBlack = "38;5;16";
constexpr std::string_view kWhite = "38;5;231";
constexpr std::string_view kWood = "48;5;137";
constexpr std::string_view kRed = "48;5;160";
constexpr std::string_view kGreen = "48;5;34";

std::string spaces(int n) {
  std::string text;
  text.append(static_cast<std::size_t>(std::max(n, 0)), ' ');
  return text;
}

class TextBoard {
 public:
  TextBoard(const BoardView& board, Move last, Move best, const BoardStyle& style)
      : board_(board), last_(last), best_(best), style_(style), characters_(characters_of(style)) {}

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
        const bool lines = board_.shape == Shape::kLines;
        text += coloured(lines ? characters_.dash : " ", kBlack, kWood);
      }
      text += cell_text(row, column);
    }
    if (middle) text += "  " + std::string(style_.second);
    return text;
  }

  std::string cell_text(int row, int column) const {
    const auto cell = static_cast<std::size_t>(row * board_.columns + column);
    const char stone = board_.cells[cell];
    if (stone == 'X' || stone == 'O') return stone_text(stone == 'X', cell == last_);
    if (cell == best_) return best_text();
    if (in_carrier(cell)) return coloured(characters_.carrier, kBlack, kWood);
    const bool lines = board_.shape == Shape::kLines;
    return coloured(lines ? crossing(row, column) : characters_.empty, kBlack, kWood);
  }
  std::string stone_text(bool first, bool last) const {
    const Characters& c = characters_;
    const std::string& text = first  ? (last ? c.last_first : c.first)
                              : last ? c.last_second
                                     : c.second;
    return coloured(text, first ? kBlack : kWhite, last ? kRed : kWood);
  }
  std::string best_text() const { return coloured(characters_.best, kBlack, kGreen); }
  // Where two lines cross, or end.
  std::string_view crossing(int row, int column) const {
    if (!style_.unicode) return "+";
    static constexpr std::string_view kCrossings[3][3] = {
        {"┌", "┬", "┐"}, {"├", "┼", "┤"}, {"└", "┴", "┘"}};
    const auto place = [](int i, int count) { return i == 0 ? 0 : i == count - 1 ? 2 : 1; };
    return kCrossings[place(row, board_.rows())][place(column, board_.columns)];
  }
  std::string coloured(std::string_view text, std::string_view colour,
                       std::string_view behind) const {
    if (!style_.colours) return std::string(text);
    std::string code = "\x1b[";
    code.append(colour).append(";").append(behind).append("m");
    return code.append(text).append("\x1b[0m");
  }

  // What the characters mean that stand on the board.
  std::string legend() const {
    std::string text = stone_text(true, false) + ' ' + std::string(style_.first) + "  " +
                       stone_text(false, false) + ' ' + std::string(style_.second);
    const char last = at(last_);
    if (last == 'X' || last == 'O') text += "  " + stone_text(last == 'X', true) + " last move";
    if (at(best_) == ' ') text += "  " + best_text() + ' ' + std::string(style_.best);
    const bool shown = std::any_of(board_.carrier.begin(), board_.carrier.end(),
                                   [&](Move cell) { return at(cell) == ' ' && cell != best_; });
    if (shown) {
      text +=
          "  " + coloured(characters_.carrier, kBlack, kWood) + ' ' + std::string(style_.carrier);
    }
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
  Characters characters_;
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
