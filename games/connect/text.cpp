#include "games/connect/text.h"

#include "games/core/board_size.h"
#include "games/core/error.h"
#include "games/core/text_tools.h"

namespace playproof {
namespace {

constexpr std::string_view kGame = "connect6";

// "KI" is column K, row I.
bool parse_letter_pair(std::string_view text, int* column, int* row) {
  if (text.size() != 2) return false;
  *column = letter_index(text[0]);
  *row = letter_index(text[1]);
  return *column >= 0 && *row >= 0;
}

std::string letter_pair(int column, int row) {
  return {static_cast<char>('A' + column), static_cast<char>('A' + row)};
}

template <int W>
void place_pair(const typename Connect<W>::Rules& rules, typename Connect<W>::State* state,
                const Token& token) {
  int column = 0;
  int row = 0;
  if (!parse_letter_pair(token.text, &column, &row)) {
    bad_position(kGame, "expected a cell such as JJ, column then row, not " + quoted(token.text),
                 token.offset);
  }
  if (column >= rules.columns || row >= rules.rows) {
    bad_position(kGame,
                 "cell " + quoted(token.text) + " is off the board, which ends at " +
                     letter_pair(rules.columns - 1, rules.rows - 1),
                 token.offset);
  }
  place_stone<Connect<W>>(kGame, rules, state, row * rules.columns + column, token);
}

// ";B[JJ];W[KI];W[JH]", blanks between the nodes allowed.
template <int W>
void replay_nodes(const typename Connect<W>::Rules& rules, typename Connect<W>::State* state,
                  std::string_view body) {
  std::size_t position = 0;
  while ((position = body.find_first_not_of(" \t", position)) != std::string_view::npos) {
    const std::string_view node = body.substr(position, 6);
    const int colour = node.size() < 2 ? -1 : letter_index(node[1]);
    const bool black = colour == letter_index('B');
    if (node.size() != 6 || node[0] != ';' || (!black && colour != letter_index('W')) ||
        node[2] != '[' || node[5] != ']') {
      bad_position(kGame, "expected one stone such as ;B[JJ], not " + quoted(node), position);
    }
    const Token cell{node.substr(3, 2), position + 3};
    if (!Connect<W>::finished(rules, *state) &&
        black != (Connect<W>::to_move(rules, *state) == Player::kFirst)) {
      bad_position(kGame,
                   "stone " + std::to_string(state->count + 1) + " is " +
                       (black ? "White's (W)" : "Black's (B)") + ", not " + quoted(node),
                   position + 1);
    }
    place_pair<W>(rules, state, cell);
    position += node.size();
  }
}

}  // namespace

template <int W>
typename Connect<W>::Rules GameText<Connect<W>>::rules(const Options& options) {
  const BoardSize size = board_size(options);
  const auto connect = static_cast<int>(options.integer("connect"));
  const auto stones = static_cast<int>(options.integer("stones"));
  const int longest = size.rows > size.columns ? size.rows : size.columns;
  if (connect > longest) {
    throw Error(ErrorCode::kUsage, "connect6: connect must be 2.." + std::to_string(longest) +
                                       " on a board of " + std::to_string(size.rows) +
                                       " rows and " + std::to_string(size.columns) +
                                       " columns, not " + std::to_string(connect));
  }
  return Connect<W>::make_rules(size.rows, size.columns, connect, stones);
}

template <int W>
std::string GameText<Connect<W>>::canonical(const Rules& rules) {
  if (rules.rows == rules.columns && rules.connect == 6 && rules.stones == 2) {
    return "connect6:size=" + std::to_string(rules.rows);
  }
  return "connect6:rows=" + std::to_string(rules.rows) +
         ",columns=" + std::to_string(rules.columns) + ",connect=" + std::to_string(rules.connect) +
         ",stones=" + std::to_string(rules.stones);
}

template <int W>
typename Connect<W>::State GameText<Connect<W>>::parse(const Rules& rules, std::string_view text) {
  const std::string_view body = without_trailing_space(text);
  State state = Connect<W>::initial(rules);
  const std::size_t first = body.find_first_not_of(" \t");
  if (first != std::string_view::npos && body[first] == ';') {
    replay_nodes<W>(rules, &state, body);
    return state;
  }
  std::size_t position = 0;
  Token token;
  while (next_token(body, &position, &token)) place_pair<W>(rules, &state, token);
  return state;
}

template <int W>
std::string GameText<Connect<W>>::format(const Rules& rules, const State& state) {
  return moves_text(rules, order_of_play<Connect<W>>(rules, state).value(), move_text);
}

template <int W>
BoardView GameText<Connect<W>>::board(const Rules& rules, const State& state) {
  return {BoardView::Shape::kLines, rules.columns,
          board_text(state.stones, rules.cells, ' ', 'X', 'O'), false, true};
}

template <int W>
std::string GameText<Connect<W>>::move_text(const Rules& rules, Move move) {
  return letter_pair(move % rules.columns, move / rules.columns);
}

template <int W>
Move GameText<Connect<W>>::parse_move(const Rules& rules, std::string_view text) {
  int column = 0;
  int row = 0;
  if (!parse_letter_pair(text, &column, &row)) return kNoMove;
  if (column >= rules.columns || row >= rules.rows) return kNoMove;
  return static_cast<Move>(row * rules.columns + column);
}

template struct GameText<Connect<1>>;
template struct GameText<Connect<6>>;

}  // namespace playproof
