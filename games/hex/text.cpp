#include "games/hex/text.h"

#include <algorithm>
#include <vector>

#include "games/core/board_size.h"
#include "games/core/text_tools.h"

namespace playproof {
namespace {

constexpr std::string_view kGame = "hex";
constexpr std::string_view kPass = "--";  // of texts alone: no move of the rules
constexpr std::string_view kSides[] = {":B", ":W"};

bool is_set_up_word(std::string_view word) { return word == kPass || word.starts_with(':'); }

std::vector<Token> words_of(std::string_view text) {
  std::vector<Token> words;
  std::size_t position = 0;
  for (Token word; next_token(without_trailing_space(text), &position, &word);) {
    words.push_back(word);
  }
  return words;
}

template <int W>
int cell_named(const typename Hex<W>::Rules& rules, const Token& token) {
  int column = 0;
  int row = 0;
  if (!parse_letter_number(token.text, &column, &row)) {
    bad_position(kGame, "expected a cell such as b2, not " + quoted(token.text), token.offset);
  }
  if (column >= rules.columns || row >= rules.rows) {
    bad_position(kGame,
                 "cell " + quoted(token.text) + " is off the board, which ends at " +
                     letter_number(rules.columns - 1, rules.rows - 1),
                 token.offset);
  }
  return row * rules.columns + column;
}

// The side to move that a word says.
Player side_named(const Token& token) {
  if (token.text == kSides[0]) return Player::kFirst;
  if (token.text == kSides[1]) return Player::kSecond;
  bad_position(kGame, "expected :B or :W for the side to move, not " + quoted(token.text),
               token.offset);
}

// The stones lie there, in whatever order they came, and also where a side has won.
template <int W>
typename Hex<W>::State set_up_by(const typename Hex<W>::Rules& rules,
                                 const std::vector<Token>& words) {
  std::uint64_t stones[2][W] = {};
  Player mover = Player::kFirst;
  for (const Token& word : words) {
    if (word.text.starts_with(':')) {
      mover = side_named(word);
      continue;
    }
    if (word.text != kPass) {
      const int cell = cell_named<W>(rules, word);
      expect_free(kGame, stones, cell, word);
      add_cell(stones[static_cast<int>(mover)], cell);
    }
    mover = opponent(mover);
  }
  return Hex<W>::set_up(rules, stones, mover);
}

// Each side's stones in ascending order by turns, with a pass where a side has none left; then who
// is to move.
template <int W>
std::string set_up_text(const typename Hex<W>::Rules& rules, const typename Hex<W>::State& state) {
  std::vector<Move> stones[2];
  for (int cell = 0; cell < rules.cells; ++cell) {
    for (int player = 0; player < 2; ++player) {
      if (has_cell(state.stones[player], cell)) stones[player].push_back(static_cast<Move>(cell));
    }
  }
  std::string text;
  std::size_t used[2] = {0, 0};
  for (std::size_t player = 0; used[0] + used[1] < state.count; player = 1 - player) {
    const bool passes = used[player] == stones[player].size();
    text += passes ? kPass : GameText<Hex<W>>::move_text(rules, stones[player][used[player]]);
    text += ' ';
    used[player] += passes ? 0 : 1;
  }
  text += kSides[static_cast<int>(Hex<W>::to_move(rules, state))];
  return text;
}

}  // namespace

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
  const std::vector<Token> words = words_of(text);
  if (sets_up(text)) return set_up_by<W>(rules, words);
  State state = Hex<W>::initial(rules);
  for (const Token& word : words) {
    place_stone<Hex<W>>(kGame, rules, &state, cell_named<W>(rules, word), word);
  }
  return state;
}

template <int W>
std::string GameText<Hex<W>>::format(const Rules& rules, const State& state) {
  const auto order = order_of_play<Hex<W>>(rules, state);
  return order ? moves_text(rules, *order, move_text) : set_up_text<W>(rules, state);
}

template <int W>
bool GameText<Hex<W>>::sets_up(std::string_view text) {
  const std::vector<Token> words = words_of(text);
  return std::any_of(words.begin(), words.end(),
                     [](const Token& word) { return is_set_up_word(word.text); });
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
