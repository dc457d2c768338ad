// P-games as text (games/core/text.h).
#pragma once

#include <string>
#include <string_view>

#include "games/core/text.h"
#include "games/pgame/rules.h"

namespace playproof {

template <>
struct GameText<PGame> {
  static PGame::Rules rules(const Options& options);
  static std::string canonical(const PGame::Rules& rules);
  static PGame::State parse(const PGame::Rules& rules, std::string_view text);
  static std::string format(const PGame::Rules& rules, const PGame::State& state);
  static std::string move_text(const PGame::Rules& rules, Move move);
  static Move parse_move(const PGame::Rules& rules, std::string_view text);
};

template <>
struct CertificateText<PGame> {
  static std::string game(const PGame::Rules& rules) { return GameText<PGame>::canonical(rules); }
};

}  // namespace playproof
