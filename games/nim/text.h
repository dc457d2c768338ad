// Nim as text (games/core/text.h): heaps "3.4.5", a move "b2" for two objects of the second heap.
#pragma once

#include <string>
#include <string_view>

#include "games/core/text.h"
#include "games/nim/rules.h"

namespace playproof {

template <>
struct GameText<Nim> {
  static Nim::Rules rules(const Options& options);
  static std::string canonical(const Nim::Rules& rules);
  static Nim::State parse(const Nim::Rules& rules, std::string_view text);
  static std::string format(const Nim::Rules& rules, const Nim::State& state);
  static std::string move_text(const Nim::Rules& rules, Move move);
  static Move parse_move(const Nim::Rules& rules, std::string_view text);
};

template <>
struct CertificateText<Nim> {
  static std::string game(const Nim::Rules& rules) { return GameText<Nim>::canonical(rules); }
  static void append(const Nim::Rules& rules, const Nim::State& s, std::string* out);
};

}  // namespace playproof
