#include "games/core/board_picture.h"

#include <algorithm>
#include <initializer_list>
#include <string>
#include <utility>

#include "games/core/board_drawing.h"

namespace playproof {
namespace {

// Lengths are in whole units; the picture is scaled to the width that is asked for.
constexpr int kCell = 60;
constexpr int kMargin = 50;
constexpr int kStone = 24;   // radius
constexpr int kHexRow = 52;  // between the middles of two rows of hexagons
constexpr int kHalf = kCell / 2;
constexpr int kTip = 35;   // from the middle of a hexagon to its upper corner,
constexpr int kSide = 17;  // and how far its other corners are above or below

struct Point {
  int x = 0;
  int y = 0;
};

std::string number(int n) { return std::to_string(n); }

class Drawing {
 public:
  Drawing(Point size, std::string_view title, int width) {
    const auto height = static_cast<int>(static_cast<std::int64_t>(width) * size.y / size.x);
    add({R"(<svg xmlns="http://www.w3.org/2000/svg" role="img" width=")", number(width),
         R"(" height=")", number(height), R"(" viewBox="0 0 )", number(size.x), " ", number(size.y),
         R"("><title>)", escaped_xml(title), "</title>"});
    rectangle({0, 0}, size, "#ffffff", "none");
  }
  void rectangle(Point from, Point size, const char* fill, const char* stroke) {
    add({R"(<rect x=")", number(from.x), R"(" y=")", number(from.y), R"(" width=")", number(size.x),
         R"(" height=")", number(size.y), R"(" fill=")", fill, R"(" stroke=")", stroke, R"("/>)"});
  }
  void circle(Point middle, int radius, const char* fill, const char* stroke, int wide) {
    add({R"(<circle cx=")", number(middle.x), R"(" cy=")", number(middle.y), R"(" r=")",
         number(radius), R"(" fill=")", fill, R"(" stroke=")", stroke, R"(" stroke-width=")",
         number(wide), R"("/>)"});
  }
  void line(const std::vector<Point>& points, const char* fill, const char* stroke, int wide) {
    add({R"(<polyline points=")"});
    for (const Point& p : points) add({number(p.x), ",", number(p.y), " "});
    add({R"(" fill=")", fill, R"(" stroke=")", stroke, R"(" stroke-width=")", number(wide),
         R"(" stroke-linecap="round"/>)"});
  }
  void words(Point middle, std::string_view text, const char* anchor = "middle") {
    add({R"(<text x=")", number(middle.x), R"(" y=")", number(middle.y + 7),
         R"(" font-family="sans-serif" font-size="20" fill="#333333" text-anchor=")", anchor,
         R"(">)", escaped_xml(text), "</text>"});
  }
  std::string take() && {
    add({"</svg>"});
    return std::move(text_);
  }

 private:
  void add(std::initializer_list<std::string_view> parts) {
    for (const std::string_view part : parts) text_ += part;
  }

  std::string text_;
};

std::string letter(int n, bool capital) { return {static_cast<char>((capital ? 'A' : 'a') + n)}; }

bool is_hexes(const BoardView& board) { return board.shape == BoardView::Shape::kHexagons; }

Point middle_of(const BoardView& board, int row, int column) {
  if (is_hexes(board)) {
    return {kMargin + kHalf + column * kCell + row * kHalf, kMargin + kTip + row * kHexRow};
  }
  return {kMargin + kHalf + column * kCell, kMargin + kHalf + row * kCell};
}

Point size_of(const BoardView& board) {
  const Point last = middle_of(board, board.rows() - 1, board.columns - 1);
  return {last.x + kHalf + kMargin, last.y + kTip + kMargin};
}

void draw_hexagon(Point at, bool shaded, Drawing& out) {
  out.line({{at.x, at.y - kTip},
            {at.x + kHalf, at.y - kSide},
            {at.x + kHalf, at.y + kSide},
            {at.x, at.y + kTip},
            {at.x - kHalf, at.y + kSide},
            {at.x - kHalf, at.y - kSide},
            {at.x, at.y - kTip}},
           shaded ? "#bcd7a4" : "#f2e3c6", "#8a7a5c", 2);
}

bool in_carrier(const BoardView& board, int cell) {
  return std::find(board.carrier.begin(), board.carrier.end(), static_cast<Move>(cell)) !=
         board.carrier.end();
}

// The four edges, in the colours of whom they belong to.
void draw_edges(const BoardView& board, Drawing& out) {
  constexpr int kWide = 7;
  for (const bool last : {false, true}) {
    std::vector<Point> across;
    std::vector<Point> down;
    const int end = last ? 1 : -1;
    for (int column = 0; column < board.columns; ++column) {
      const Point at = middle_of(board, last ? board.rows() - 1 : 0, column);
      across.push_back({at.x - kHalf, at.y + end * kSide});
      across.push_back({at.x, at.y + end * kTip});
      if (column == board.columns - 1) across.push_back({at.x + kHalf, at.y + end * kSide});
    }
    for (int row = 0; row < board.rows(); ++row) {
      const Point at = middle_of(board, row, last ? board.columns - 1 : 0);
      down.push_back({at.x + end * kHalf, at.y - kSide});
      down.push_back({at.x + end * kHalf, at.y + kSide});
    }
    out.line(across, "none", "#111111", kWide);
    out.line(down, "none", "#b8b8b8", kWide);
  }
}

void draw_cells(const BoardView& board, Drawing& out) {
  for (int row = 0; row < board.rows(); ++row) {
    for (int column = 0; column < board.columns; ++column) {
      const Point at = middle_of(board, row, column);
      if (is_hexes(board)) {
        draw_hexagon(at, in_carrier(board, row * board.columns + column), out);
      } else if (board.shape == BoardView::Shape::kSquares) {
        out.rectangle({at.x - kHalf, at.y - kHalf}, {kCell, kCell}, "#2e8b57", "#14442b");
      }
    }
  }
  if (board.shape != BoardView::Shape::kLines) return;
  const Point first = middle_of(board, 0, 0);
  const Point last = middle_of(board, board.rows() - 1, board.columns - 1);
  out.rectangle({first.x - kHalf, first.y - kHalf},
                {last.x - first.x + kCell, last.y - first.y + kCell}, "#e8c98f", "#8a7a5c");
  for (const Move cell : board.carrier) {
    const Point at = middle_of(board, cell / board.columns, cell % board.columns);
    out.rectangle({at.x - kHalf, at.y - kHalf}, {kCell, kCell}, "#bcd7a4", "none");
  }
  for (int row = 0; row < board.rows(); ++row) {
    const int y = middle_of(board, row, 0).y;
    out.line({{first.x, y}, {last.x, y}}, "none", "#5c4a2a", 1);
  }
  for (int column = 0; column < board.columns; ++column) {
    const int x = middle_of(board, 0, column).x;
    out.line({{x, first.y}, {x, last.y}}, "none", "#5c4a2a", 1);
  }
}

void draw_names(const BoardView& board, Drawing& out) {
  for (int column = 0; column < board.columns; ++column) {
    out.words({middle_of(board, 0, column).x, kMargin / 2}, letter(column, board.capitals));
  }
  for (int row = 0; row < board.rows(); ++row) {
    const Point at = middle_of(board, row, 0);
    out.words({at.x - kHalf - 15, at.y},
              board.numbered_rows ? number(row + 1) : letter(row, board.capitals), "end");
  }
}

}  // namespace

std::string board_svg(const BoardView& board, Move last, Move best, std::string_view title,
                      int width) {
  Drawing out(size_of(board), title, width);
  draw_cells(board, out);
  if (is_hexes(board)) draw_edges(board, out);
  draw_names(board, out);
  for (const auto& [from, to] : board.threats) {
    out.line({middle_of(board, from / board.columns, from % board.columns),
              middle_of(board, to / board.columns, to % board.columns)},
             "none", "#d4351c", 3);
  }
  for (std::size_t cell = 0; cell < board.cells.size(); ++cell) {
    const auto place = static_cast<int>(cell);
    const Point at = middle_of(board, place / board.columns, place % board.columns);
    const char stone = board.cells[cell];
    if (stone == 'X') out.circle(at, kStone, "#111111", "#000000", 1);
    if (stone == 'O') out.circle(at, kStone, "#ffffff", "#333333", 2);
    if (cell == last) out.circle(at, kStone - 8, "none", "#d4351c", 4);
    const bool in_turn = std::find(board.turn.begin(), board.turn.end(), static_cast<Move>(cell)) !=
                         board.turn.end();
    if (cell == best || in_turn) out.circle(at, kStone / 2, "#1d70b8", "#ffffff", 2);
  }
  return std::move(out).take();
}

std::string text_svg(std::string_view title, int width) {
  constexpr int kCharacter = 12;
  const int wide = 2 * kMargin + kCharacter * static_cast<int>(title.size());
  Drawing out({wide, 2 * kMargin}, title, width);
  out.words({wide / 2, kMargin}, title);
  return std::move(out).take();
}

}  // namespace playproof
