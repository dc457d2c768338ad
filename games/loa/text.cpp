#include "games/loa/text.h"

#include <algorithm>
#include <vector>

#include "games/core/text_tools.h"

namespace playproof {
namespace {

constexpr std::string_view kGame = "loa";

std::string cell_text(int cell) { return letter_number(cell % 8, cell / 8); }

// The cells by rows, without those of the words that are beyond the board.
std::vector<char> cells_of(const Loa::Rules& rules, const Loa::State& s, char empty) {
  std::vector<char> cells;
  for (int row = 0; row < rules.size; ++row) {
    for (int column = 0; column < rules.size; ++column) {
      const int cell = 8 * row + column;
      cells.push_back((s.stones[0] >> cell & 1) != 0   ? 'X'
                      : (s.stones[1] >> cell & 1) != 0 ? 'O'
                                                       : empty);
    }
  }
  return cells;
}

// Reads the stones of both sides.
void read_cells(const Loa::Rules& rules, const Token& board, std::uint64_t (&stones)[2]) {
  const auto cells = static_cast<std::size_t>(rules.size * rules.size);
  for (std::size_t i = 0; i < cells; ++i) {
    if (i == board.text.size()) {
      bad_position(kGame,
                   "expected " + std::to_string(cells) + " cells, found " + std::to_string(i),
                   board.offset + i);
    }
    const int at = static_cast<int>(i);
    const int cell = at / rules.size * 8 + at % rules.size;
    const char c = board.text[i];
    if (c != 'X' && c != 'O' && c != '-') {
      bad_position(
          kGame,
          "cell " + cell_text(cell) + " must be X, O or -, not " + quoted(board.text.substr(i, 1)),
          board.offset + i);
    }
    if (c != '-') stones[c == 'X' ? 0 : 1] |= std::uint64_t{1} << cell;
  }
  if (board.text.size() > cells) {
    bad_position(kGame,
                 "expected a blank after " + std::to_string(cells) + " cells, not " +
                     quoted(board.text.substr(cells)),
                 board.offset + cells);
  }
  for (const int side : {0, 1}) {
    const int count = popcount64(stones[side]);
    if (count >= 1 && count <= Loa::most_stones(rules)) continue;
    bad_position(kGame,
                 "each side has 1 to " + std::to_string(Loa::most_stones(rules)) + " stones, not " +
                     std::to_string(count) + " of " + (side == 0 ? "X" : "O"),
                 board.offset);
  }
}

// A board and the side to move.
Loa::State read_board(const Loa::Rules& rules, std::string_view body, const Token& board,
                      std::size_t position) {
  std::uint64_t stones[2] = {};
  read_cells(rules, board, stones);
  Token side;
  if (!next_token(body, &position, &side)) {
    bad_position(kGame, "expected the side to move, X or O, after the cells", side.offset);
  }
  if (side.text != "X" && side.text != "O") {
    bad_position(kGame, "the side to move must be X or O, not " + quoted(side.text), side.offset);
  }
  Token rest;
  if (next_token(body, &position, &rest)) {
    bad_position(kGame, "nothing may follow the side to move, but there is " + quoted(rest.text),
                 rest.offset);
  }
  return Loa::make_state(rules, stones[0], stones[1], side.text == "X" ? 0 : 1);
}

bool is_legal(const Loa::Rules& rules, const Loa::State& state, Move move) {
  Move moves[Loa::kMaxMoves];
  Move* const end = moves + Loa::moves(rules, state, moves);
  return std::find(moves, end, move) != end;
}

// Moves from the initial position on; `move` is the first of them.
Loa::State read_moves(const Loa::Rules& rules, std::string_view body, Token move,
                      std::size_t position) {
  Loa::State state = Loa::initial(rules);
  do {
    if (Loa::finished(rules, state)) {
      bad_position(kGame, "no move can follow, the game is over, not " + quoted(move.text),
                   move.offset);
    }
    const Move read = GameText<Loa>::parse_move(rules, move.text);
    if (read == kNoMove) {
      bad_position(kGame, "expected a move such as b1-b3, or a board, not " + quoted(move.text),
                   move.offset);
    }
    if (!is_legal(rules, state, read)) {
      bad_position(kGame, "no legal move: " + quoted(move.text), move.offset);
    }
    Loa::play(rules, state, read);
  } while (next_token(body, &position, &move));
  return state;
}

}  // namespace

using Text = GameText<Loa>;

Loa::Rules Text::rules(const Options& options) {
  const std::string& repetition = options.word("repetition");
  return Loa::make_rules(static_cast<int>(options.integer("size")),
                         repetition == "third"    ? PathRule::kThirdDraws
                         : repetition == "second" ? PathRule::kRepetitionDraws
                                                  : PathRule::kInfiniteDraw,
                         options.word("both") == "mover");
}

std::string Text::canonical(const Loa::Rules& rules) {
  const char* repetition = rules.repetition == PathRule::kThirdDraws        ? "third"
                           : rules.repetition == PathRule::kRepetitionDraws ? "second"
                                                                            : "none";
  return "loa:size=" + std::to_string(rules.size) + ",repetition=" + repetition +
         ",both=" + (rules.mover_wins ? "mover" : "draw");
}

Loa::State Text::parse(const Loa::Rules& rules, std::string_view text) {
  const std::string_view body = without_trailing_space(text);
  std::size_t position = 0;
  Token first;
  if (!next_token(body, &position, &first)) return Loa::initial(rules);
  const bool is_board = std::string_view("XO-").find(first.text[0]) != std::string_view::npos;
  return is_board ? read_board(rules, body, first, position)
                  : read_moves(rules, body, first, position);
}

std::string Text::format(const Loa::Rules& rules, const Loa::State& state) {
  std::string text;
  append_board(cells_of(rules, state, '-'), &text);
  return text + (state.to_move == 0 ? " X" : " O");
}

void CertificateText<Loa>::append(const Loa::Rules& rules, const Loa::State& s, std::string* out) {
  append_board(cells_of(rules, s, '-'), out);
  *out += s.to_move == 0 ? ":X" : ":O";
}

BoardView Text::board(const Loa::Rules& rules, const Loa::State& state) {
  return {BoardView::Shape::kSquares, rules.size, cells_of(rules, state, ' '), true, false};
}

Move Text::cell_to(const Loa::Rules& rules, Move move) {
  return static_cast<Move>(move % 64 / 8 * rules.size + move % 8);
}

std::string Text::move_text(const Loa::Rules& /*rules*/, Move move) {
  return cell_text(move / 64) + '-' + cell_text(move % 64);
}

Move Text::parse_move(const Loa::Rules& rules, std::string_view text) {
  if (text.size() != 5 || (text[2] != '-' && text[2] != 'x')) return kNoMove;
  int cells[2] = {};
  for (const std::size_t i : {0, 1}) {
    int column = 0;
    int row = 0;
    if (!parse_letter_number(text.substr(3 * i, 2), &column, &row)) return kNoMove;
    if (column >= rules.size || row >= rules.size) return kNoMove;
    cells[i] = 8 * row + column;
  }
  return static_cast<Move>(64 * cells[0] + cells[1]);
}

}  // namespace playproof
