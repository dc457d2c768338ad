#include "games/othello/text.h"

#include "games/core/error.h"
#include "games/core/text_tools.h"

namespace playproof {
namespace {

constexpr std::string_view kGame = "othello";

std::string square_text(const Othello::Rules& rules, int square) {
  return letter_number(square % rules.size, square / rules.size);
}

// Reads the squares into two sets; `begin` is the offset of a1.
void read_squares(const Othello::Rules& rules, std::string_view body, std::size_t begin,
                  std::uint64_t* black, std::uint64_t* white) {
  const int squares = rules.size * rules.size;
  for (int square = 0; square < squares; ++square) {
    const std::size_t offset = begin + static_cast<std::size_t>(square);
    const bool ended = offset >= body.size() || body[offset] == ' ' || body[offset] == '\t';
    if (ended) {
      bad_position(
          kGame,
          "expected " + std::to_string(squares) + " squares, found " + std::to_string(square),
          offset);
    }
    const char c = body[offset];
    if (c != 'X' && c != 'O' && c != '-') {
      bad_position(kGame,
                   "square " + square_text(rules, square) + " must be X, O or -, not " +
                       quoted(body.substr(offset, 1)),
                   offset);
    }
    if (c == 'X') *black |= std::uint64_t{1} << square;
    if (c == 'O') *white |= std::uint64_t{1} << square;
  }
}

// Reads the side to move, 0 or 1, and that nothing follows; `begin` is the offset after the
// squares.
int read_side(const Othello::Rules& rules, std::string_view body, std::size_t begin) {
  if (begin < body.size() && body[begin] != ' ' && body[begin] != '\t') {
    bad_position(kGame,
                 "expected a blank after " + std::to_string(rules.size * rules.size) +
                     " squares, not " + quoted(body.substr(begin)),
                 begin);
  }
  std::size_t position = begin;
  Token side;
  if (!next_token(body, &position, &side)) {
    bad_position(kGame, "expected the side to move, X or O, after the squares", side.offset);
  }
  if (side.text != "X" && side.text != "O") {
    bad_position(kGame, "the side to move must be X or O, not " + quoted(side.text), side.offset);
  }
  Token rest;
  if (next_token(body, &position, &rest)) {
    bad_position(
        kGame,
        "nothing may follow the side to move, but there is " + quoted(body.substr(rest.offset)),
        rest.offset);
  }
  return side.text == "X" ? 0 : 1;
}

// The discs that touch `group`, in any of the eight directions, and the group itself.
std::uint64_t spread(const Othello::Rules& rules, std::uint64_t group) {
  const int n = rules.size;
  const std::uint64_t row = board_word(n, 0);
  std::uint64_t wide = 0;
  for (int i = 0; i < n; ++i) {
    const std::uint64_t line = (group >> (i * n)) & row;
    wide |= ((line | (line << 1) | (line >> 1)) & row) << (i * n);
  }
  return (wide | (wide << n) | (wide >> n)) & rules.board;
}

// What every position of a game satisfies; `begin` is the offset of a1.
void check_reachable(const Othello::Rules& rules, std::uint64_t black, std::uint64_t white,
                     int to_move, std::size_t begin) {
  const std::uint64_t discs = black | white;
  const std::uint64_t centre = rules.centre[0] | rules.centre[1];
  const auto offset_of = [&](std::uint64_t set) {
    return begin + static_cast<std::size_t>(lowest_bit64(set));
  };
  if ((discs & centre) != centre) {
    const std::uint64_t hole = centre & ~discs;
    bad_position(kGame,
                 "the four centre squares are never empty, but " +
                     square_text(rules, lowest_bit64(hole)) + " is",
                 offset_of(hole));
  }
  std::uint64_t group = centre;
  for (std::uint64_t before = 0; group != before;) {
    before = group;
    group |= spread(rules, group) & discs;
  }
  if (group != discs) {
    const std::uint64_t apart = discs & ~group;
    bad_position(kGame,
                 "all discs hang together, but " + square_text(rules, lowest_bit64(apart)) +
                     " touches no disc that does",
                 offset_of(apart));
  }
  if (discs == centre && (popcount64(black) != 2 || to_move != 0)) {
    bad_position(kGame,
                 "impossible disc counts: with four discs each side has two and X is to move, not "
                 "X " +
                     std::to_string(popcount64(black)) + ", O " +
                     std::to_string(popcount64(white)) + " and " + (to_move == 0 ? "X" : "O"),
                 begin);
  }
}

}  // namespace

using Text = GameText<Othello>;

Othello::Rules Text::rules(const Options& options) {
  return Othello::make_rules(static_cast<int>(options.integer("size")));
}

std::string Text::canonical(const Othello::Rules& rules) {
  return "othello:size=" + std::to_string(rules.size);
}

Othello::State Text::parse(const Othello::Rules& rules, std::string_view text) {
  const std::string_view body = without_trailing_space(text);
  if (body.empty()) return Othello::initial(rules);
  const std::size_t begin = body.find_first_not_of(" \t");
  const std::size_t end = begin + static_cast<std::size_t>(rules.size * rules.size);
  std::uint64_t black = 0;
  std::uint64_t white = 0;
  read_squares(rules, body, begin, &black, &white);
  const int to_move = read_side(rules, body, end);
  check_reachable(rules, black, white, to_move, begin);
  return Othello::make_state(rules, black, white, to_move);
}

std::string Text::format(const Othello::Rules& rules, const Othello::State& state) {
  std::string text(static_cast<std::size_t>(rules.size * rules.size), '-');
  for (std::size_t square = 0; square < text.size(); ++square) {
    if (((state.discs[0] >> square) & 1) != 0) text[square] = 'X';
    if (((state.discs[1] >> square) & 1) != 0) text[square] = 'O';
  }
  return text + (state.to_move == 0 ? " X" : " O");
}

BoardView Text::board(const Othello::Rules& rules, const Othello::State& state) {
  const std::uint64_t discs[2][1] = {{state.discs[0]}, {state.discs[1]}};
  return {BoardView::Shape::kSquares, rules.size,
          board_text(discs, rules.size * rules.size, ' ', 'X', 'O'), true, false};
}

std::string Text::move_text(const Othello::Rules& rules, Move move) {
  return move == Othello::kPass ? "--" : square_text(rules, move);
}

Move Text::parse_move(const Othello::Rules& rules, std::string_view text) {
  if (text == "--") return Othello::kPass;
  int column = 0;
  int row = 0;
  if (!parse_letter_number(text, &column, &row)) return kNoMove;
  if (column >= rules.size || row >= rules.size) return kNoMove;
  return static_cast<Move>(row * rules.size + column);
}

}  // namespace playproof
