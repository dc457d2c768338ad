// How games and positions are written in certificates (docs/certificate.md, "Games"): a game with
// every option; a position as one word that shows the board, for P-games the path.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "games/game_text.h"
#include "games/text_tools.h"

namespace playproof {

// CertificateText<G>::game(rules)
// CertificateText<G>::append(rules, state, out)   (a P-game's state does not know its path)
template <class G>
struct CertificateText;

inline void append_board(const std::vector<char>& board, std::string* out) {
  out->append(board.begin(), board.end());
}
inline std::string rows_and_columns(int rows, int columns) {
  return "rows=" + std::to_string(rows) + ",columns=" + std::to_string(columns);
}

template <>
struct CertificateText<PGame> {
  static std::string game(const PGame::Rules& rules) { return GameText<PGame>::canonical(rules); }
};

template <int W>
struct CertificateText<Hex<W>> {
  using Rules = typename Hex<W>::Rules;
  static std::string game(const Rules& rules) {
    return "hex:" + rows_and_columns(rules.rows, rules.columns);
  }
  static void append(const Rules& rules, const typename Hex<W>::State& s, std::string* out) {
    append_board(board_text(s.stones, rules.cells, '.', 'B', 'W'), out);
  }
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

// The words of a text with one blank between two (or another separator).
inline std::string joined_words(std::string_view text, char separator) {
  const std::string_view body = without_trailing_space(text);
  std::string joined;
  std::size_t position = 0;
  for (Token token; next_token(body, &position, &token);) {
    if (!joined.empty()) joined += separator;
    joined += token.text;
  }
  return joined;
}

}  // namespace playproof
