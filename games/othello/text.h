// Othello as text (games/core/text.h).
#pragma once

#include <string>
#include <string_view>

#include "games/core/board_picture.h"
#include "games/core/text.h"
#include "games/core/text_tools.h"
#include "games/othello/rules.h"

namespace playproof {

template <>
struct GameText<Othello> {
  static Othello::Rules rules(const Options& options);
  static std::string canonical(const Othello::Rules& rules);
  static Othello::State parse(const Othello::Rules& rules, std::string_view text);
  static std::string format(const Othello::Rules& rules, const Othello::State& state);
  static BoardView board(const Othello::Rules& rules, const Othello::State& state);
  static std::string move_text(const Othello::Rules& rules, Move move);
  static Move parse_move(const Othello::Rules& rules, std::string_view text);
};

template <>
struct CertificateText<Othello> {
  static std::string game(const Othello::Rules& rules) {
    return GameText<Othello>::canonical(rules);
  }
  static void append(const Othello::Rules& rules, const Othello::State& s, std::string* out) {
    const std::uint64_t discs[2][1] = {{s.discs[0]}, {s.discs[1]}};
    append_board(board_text(discs, rules.size * rules.size, '-', 'X', 'O'), out);
    *out += s.to_move == 0 ? ":X" : ":O";
  }
};

}  // namespace playproof
