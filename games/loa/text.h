// Lines of Action as text (games/core/text.h).
#pragma once

#include <string>
#include <string_view>

#include "games/core/board_picture.h"
#include "games/core/text.h"
#include "games/loa/rules.h"

namespace playproof {

template <>
struct GameText<Loa> {
  static Loa::Rules rules(const Options& options);
  static std::string canonical(const Loa::Rules& rules);
  static Loa::State parse(const Loa::Rules& rules, std::string_view text);
  static std::string format(const Loa::Rules& rules, const Loa::State& state);
  static BoardView board(const Loa::Rules& rules, const Loa::State& state);
  // Where pictures mark a move: the cell by rows that it ends on.
  static Move cell_to(const Loa::Rules& rules, Move move);
  static std::string move_text(const Loa::Rules& rules, Move move);
  static Move parse_move(const Loa::Rules& rules, std::string_view text);
};

template <>
struct CertificateText<Loa> {
  static std::string game(const Loa::Rules& rules) { return GameText<Loa>::canonical(rules); }
  // The name says all of the rules.
  template <class F>
  static void for_each_line(const Loa::Rules& /*rules*/, F&& /*f*/) {}
  static void append(const Loa::Rules& rules, const Loa::State& s, std::string* out);
};

}  // namespace playproof
