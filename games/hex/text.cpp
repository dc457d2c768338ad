#include "games/hex/text.h"

#include "games/core/board_size.h"
#include "games/core/text_tools.h"

namespace playproof {

template <int W>
typename Hex<W>::Rules GameText<Hex<W>>::rules(const Options& options) {
  const BoardSize size = board_size(options);
  return Hex<W>::make_rules(size.rows, size.columns);
}

template <int W>
std::string GameText<Hex<W>>::canonical(const Rules& rules) {
  if (rules.rows == rules.columns) return "hex:size=" + std::to_string(rules.rows);
  return "hex:rows=" + std::to_string(rules.rows) + ",columns=" + std::to_string(rules.columns);
}

template <int W>
typename Hex<W>::State GameText<Hex<W>>::parse(const Rules& rules, std::string_view text) {
  const std::string_view body = without_trailing_space(text);
  State state = Hex<W>::initial(rules);
  std::size_t position = 0;
  Token token;
  while (next_token(body, &position, &token)) {
    int column = 0;
    int row = 0;
    if (!parse_letter_number(token.text, &column, &row)) {
      bad_position("hex", "expected a cell such as b2, not " + quoted(token.text), token.offset);
    }
    if (column >= rules.columns || row >= rules.rows) {
      bad_position("hex",
                   "cell " + quoted(token.text) + " is off the board, which ends at " +
                       letter_number(rules.columns - 1, rules.rows - 1),
                   token.offset);
    }
    place_stone<Hex<W>>("hex", rules, &state, row * rules.columns + column, token);
  }
  return state;
}

template <int W>
std::string GameText<Hex<W>>::format(const Rules& rules, const State& state) {
  return stones_text<Hex<W>>(rules, state, move_text);
}

template <int W>
BoardView GameText<Hex<W>>::board(const Rules& rules, const State& state) {
  return {BoardView::Shape::kHexagons, rules.columns,
          board_text(state.stones, rules.cells, ' ', 'X', 'O'), true, false};
}

template <int W>
std::string GameText<Hex<W>>::move_text(const Rules& rules, Move move) {
  return letter_number(move % rules.columns, move / rules.columns);
}

template <int W>
Move GameText<Hex<W>>::parse_move(const Rules& rules, std::string_view text) {
  int column = 0;
  int row = 0;
  if (!parse_letter_number(text, &column, &row)) return kNoMove;
  if (column >= rules.columns || row >= rules.rows) return kNoMove;
  return static_cast<Move>(row * rules.columns + column);
}

template struct GameText<Hex<1>>;
template struct GameText<Hex<2>>;
template struct GameText<Hex<6>>;

}  // namespace playproof
