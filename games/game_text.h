// The GameText specialisations that games/text.h describes, one .cpp file a game.
#pragma once

#include <string>
#include <string_view>

#include "games/connect.h"
#include "games/hex.h"
#include "games/othello.h"
#include "games/pgame.h"
#include "games/text.h"

namespace playproof {

// Rows and columns of a board, before the word width is chosen.
struct BoardSize {
  int rows = 0;
  int columns = 0;
  bool fits_one_word() const { return rows * columns <= 64; }
};
// From size= or rows=, columns= of hex and connect6. Throws Error(kUsage) if they contradict.
BoardSize board_size(const Options& options);

template <>
struct GameText<PGame> {
  static PGame::Rules rules(const Options& options);
  static std::string canonical(const PGame::Rules& rules);
  static PGame::State parse(const PGame::Rules& rules, std::string_view text);
  static std::string format(const PGame::Rules& rules, const PGame::State& state);
  static std::string move_text(const PGame::Rules& rules, Move move);
  static Move parse_move(const PGame::Rules& rules, std::string_view text);
};

template <int W>
struct GameText<Hex<W>> {
  using Rules = typename Hex<W>::Rules;
  using State = typename Hex<W>::State;
  static Rules rules(const Options& options);  // of a board that W words hold
  static std::string canonical(const Rules& rules);
  static State parse(const Rules& rules, std::string_view text);
  static std::string format(const Rules& rules, const State& state);
  static std::string move_text(const Rules& rules, Move move);
  static Move parse_move(const Rules& rules, std::string_view text);
};
extern template struct GameText<Hex<1>>;
extern template struct GameText<Hex<6>>;

template <>
struct GameText<Othello> {
  static Othello::Rules rules(const Options& options);
  static std::string canonical(const Othello::Rules& rules);
  static Othello::State parse(const Othello::Rules& rules, std::string_view text);
  static std::string format(const Othello::Rules& rules, const Othello::State& state);
  static std::string move_text(const Othello::Rules& rules, Move move);
  static Move parse_move(const Othello::Rules& rules, std::string_view text);
};

template <int W>
struct GameText<Connect<W>> {
  using Rules = typename Connect<W>::Rules;
  using State = typename Connect<W>::State;
  static Rules rules(const Options& options);  // of a board that W words hold
  static std::string canonical(const Rules& rules);
  static State parse(const Rules& rules, std::string_view text);
  static std::string format(const Rules& rules, const State& state);
  static std::string move_text(const Rules& rules, Move move);
  static Move parse_move(const Rules& rules, std::string_view text);
};
extern template struct GameText<Connect<1>>;
extern template struct GameText<Connect<6>>;

}  // namespace playproof
