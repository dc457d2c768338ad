// Connect6 and its family as text (games/core/text.h).
#pragma once

#include <string>
#include <string_view>

#include "games/connect/rules.h"
#include "games/core/board_picture.h"
#include "games/core/text.h"
#include "games/core/text_tools.h"

namespace playproof {

template <int W>
struct GameText<Connect<W>> {
  using Rules = typename Connect<W>::Rules;
  using State = typename Connect<W>::State;
  static Rules rules(const Options& options);  // of a board that W words hold
  static std::string canonical(const Rules& rules);
  static State parse(const Rules& rules, std::string_view text);
  static std::string format(const Rules& rules, const State& state);
  static BoardView board(const Rules& rules, const State& state);
  static std::string move_text(const Rules& rules, Move move);
  static Move parse_move(const Rules& rules, std::string_view text);
};
extern template struct GameText<Connect<1>>;
extern template struct GameText<Connect<6>>;

template <int W>
struct CertificateText<Connect<W>> {
  using Rules = typename Connect<W>::Rules;
  static std::string game(const Rules& rules) {
    return "connect6:" + rows_and_columns(rules.rows, rules.columns) +
           ",connect=" + std::to_string(rules.connect) + ",stones=" + std::to_string(rules.stones);
  }
  static void append(const Rules& rules, const typename Connect<W>::State& s, std::string* out) {
    append_board(board_text(s.stones, rules.cells, '.', 'B', 'W'), out);
  }
};

}  // namespace playproof
