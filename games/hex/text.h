// Hex as text (games/core/text.h): moves, Black's first. Where one of the words is a pass or says
// who is to move from there on ("b4 -- b5 :W") the text sets a position up: its stones lie there,
// whatever the order, and as many of each side as there are.
#pragma once

#include <string>
#include <string_view>

#include "games/core/board_picture.h"
#include "games/core/cell_set.h"
#include "games/core/text.h"
#include "games/core/text_tools.h"
#include "games/hex/rules.h"

namespace playproof {

template <int W>
struct GameText<Hex<W>> {
  using Rules = typename Hex<W>::Rules;
  using State = typename Hex<W>::State;
  static Rules rules(const Options& options);  // of a board that W words hold
  static std::string canonical(const Rules& rules);
  static State parse(const Rules& rules, std::string_view text);
  static std::string format(const Rules& rules, const State& state);
  static bool sets_up(std::string_view text);
  static BoardView board(const Rules& rules, const State& state);
  static std::string move_text(const Rules& rules, Move move);
  static Move parse_move(const Rules& rules, std::string_view text);
};
extern template struct GameText<Hex<1>>;
extern template struct GameText<Hex<2>>;
extern template struct GameText<Hex<6>>;

template <int W>
struct CertificateText<Hex<W>> {
  using Rules = typename Hex<W>::Rules;
  static std::string game(const Rules& rules) {
    return "hex:" + rows_and_columns(rules.rows, rules.columns);
  }
  static void append(const Rules& rules, const typename Hex<W>::State& s, std::string* out) {
    append_board(board_text(s.stones, rules.cells, '.', 'B', 'W'), out);
    if ((s.lead & 1) == 0) return;  // the number of stones tells who is to move
    *out += Hex<W>::to_move(rules, s) == Player::kFirst ? ":B" : ":W";
  }
  // The first or second edge of a player.
  static const char* edge(Player player, int which) {
    constexpr const char* kEdges[2][2] = {{"top", "bottom"}, {"left", "right"}};
    return kEdges[static_cast<int>(player)][which];
  }
  // The pattern of a card.
  static void append_pattern(const Rules& rules, Player prover, const CellSet<W>& needed,
                             const CellSet<W>& zone, std::string* out) {
    const char stone = prover == Player::kFirst ? 'B' : 'W';
    for (int cell = 0; cell < rules.cells; ++cell) {
      *out += needed.has(cell) ? stone : zone.has(cell) ? '-' : '.';
    }
  }
};

}  // namespace playproof
