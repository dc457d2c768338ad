// The obvious rules of connect(rows, columns, k, p), one cell at a time, written apart from the
// fast ones: the oracle of the tests and of playproof-check.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "games/core/game.h"
#include "games/core/reference_text.h"

namespace playproof {

struct RefConnect {
  static constexpr const char* kName = "connect6";
  static constexpr RefOption kOptions[] = {
      {"rows", 19, 2, 19}, {"columns", 19, 2, 19}, {"connect", 6, 2, 19}, {"stones", 2, 1, 8}};
  struct Rules {
    int rows = 19;
    int columns = 19;
    int connect = 6;  // so many in a line win, and more do too
    int stones = 2;   // a turn; the first turn of the game is one stone
  };
  // cells[row * columns + column] is '.', 'B' (first player) or 'W'.
  struct State {
    std::vector<char> cells;
    bool operator==(const State&) const = default;
  };

  static Rules make_rules(const std::vector<std::uint64_t>& values) {
    return {static_cast<int>(values[0]), static_cast<int>(values[1]), static_cast<int>(values[2]),
            static_cast<int>(values[3])};
  }
  static State initial(const Rules& rules) {
    return {std::vector<char>(static_cast<std::size_t>(rules.rows * rules.columns), '.')};
  }
  static bool finished(const Rules& rules, const State& s) {
    return has_line(rules, s, 'B') || has_line(rules, s, 'W') || moves(rules, s).empty();
  }
  static Value value(const Rules& rules, const State& s) {
    if (has_line(rules, s, 'B')) return 1;
    if (has_line(rules, s, 'W')) return -1;
    return 0;
  }
  // The greatest value of any position; the least is its negative.
  static int greatest_value(const Rules&) { return 1; }
  static char letter(Player player) { return player == Player::kFirst ? 'B' : 'W'; }
  // Replays the turns: Black one stone, White p stones, Black p stones, ...
  static Player to_move(const Rules& rules, const State& s) {
    int played = 0;
    for (const char cell : s.cells) played += cell != '.' ? 1 : 0;
    Player player = Player::kFirst;
    int turn = 1;
    while (played >= turn) {
      played -= turn;
      turn = rules.stones;
      player = player == Player::kFirst ? Player::kSecond : Player::kFirst;
    }
    return player;
  }
  static std::vector<Move> moves(const Rules&, const State& s) {
    std::vector<Move> list;
    for (std::size_t cell = 0; cell < s.cells.size(); ++cell) {
      if (s.cells[cell] == '.') list.push_back(static_cast<Move>(cell));
    }
    return list;
  }
  static void play(const Rules& rules, State& s, Move cell) {
    s.cells[cell] = letter(to_move(rules, s));
  }

  // Text: a move "JI" (column, row), a board ".BW" by rows, a position as a list of moves or as
  // ";B[JJ];W[KI];W[JH]".
  static Move move_named(const Rules& rules, std::string_view word) {
    if (word.size() != 2) return kNoMove;
    return ref_cell(ref_letter(word[0]), ref_letter(word[1]), rules.rows, rules.columns);
  }
  static bool read_board(const Rules& rules, std::string_view word, State* s) {
    return ref_cells(word, rules.rows * rules.columns, ".BW", &s->cells);
  }
  static std::string packed(const State& s) { return ref_packed(s.cells, '.', 'B'); }
  static bool read_position(const Rules& rules, const RefWords& words, State* s) {
    if (words.empty() || words[0][0] != ';') return ref_replay<RefConnect>(rules, words, s);
    RefWords moves;
    for (const std::string_view word : words) {
      if (word[0] != ';') return false;
      for (const std::string_view node : ref_split(word, ";")) {  // "B[JJ]"
        State filled = initial(rules);  // whose turn it is follows from the number of stones
        if (moves.size() >= filled.cells.size()) return false;
        for (std::size_t i = 0; i < moves.size(); ++i) filled.cells[i] = 'B';
        const char colour = letter(to_move(rules, filled));
        if (node.size() != 5 || node[1] != '[' || node[4] != ']') return false;
        if (ref_letter(node[0]) != ref_letter(colour)) return false;
        moves.push_back(node.substr(2, 2));
      }
    }
    return ref_replay<RefConnect>(rules, moves, s);
  }

 private:
  static bool holds(const Rules& rules, const State& s, int row, int column, char colour) {
    return row >= 0 && row < rules.rows && column >= 0 && column < rules.columns &&
           s.cells[static_cast<std::size_t>(row * rules.columns + column)] == colour;
  }
  static bool has_line(const Rules& rules, const State& s, char colour) {
    for (int row = 0; row < rules.rows; ++row) {
      for (int column = 0; column < rules.columns; ++column) {
        if (line_starts(rules, s, colour, row, column, 0, 1) ||
            line_starts(rules, s, colour, row, column, 1, 0) ||
            line_starts(rules, s, colour, row, column, 1, 1) ||
            line_starts(rules, s, colour, row, column, 1, -1)) {
          return true;
        }
      }
    }
    return false;
  }
  static bool line_starts(const Rules& rules, const State& s, char colour, int row, int column,
                          int down, int right) {
    for (int i = 0; i < rules.connect; ++i) {
      if (!holds(rules, s, row + i * down, column + i * right, colour)) return false;
    }
    return true;
  }
};

}  // namespace playproof
