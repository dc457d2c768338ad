// The obvious rules of Othello, one square at a time, written apart from the fast ones: the oracle
// of the tests and of playproof-check.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "games/core/game.h"
#include "games/core/reference_text.h"

namespace playproof {

struct RefOthello {
  static constexpr const char* kName = "othello";
  static constexpr RefOption kOptions[] = {{"size", 8, 4, 8, 2}};
  static constexpr Move kPass = 64;

  struct Rules {
    int size = 8;  // 4, 6 or 8
  };
  // squares[row * size + column] is '-', 'X' (first player, Black) or 'O'; mover is 'X' or 'O'.
  struct State {
    std::vector<char> squares;
    char mover = 'X';
    bool operator==(const State&) const = default;
  };

  static Rules make_rules(const std::vector<std::uint64_t>& values) {
    return {static_cast<int>(values[0])};
  }
  static State initial(const Rules& rules) {
    State s{std::vector<char>(static_cast<std::size_t>(rules.size * rules.size), '-'), 'X'};
    const int low = rules.size / 2 - 1;
    at(rules, s, low, low) = 'O';
    at(rules, s, low, low + 1) = 'X';
    at(rules, s, low + 1, low) = 'X';
    at(rules, s, low + 1, low + 1) = 'O';
    return s;
  }
  static bool finished(const Rules& rules, const State& s) {
    return placements(rules, s, 'X').empty() && placements(rules, s, 'O').empty();
  }
  static Value value(const Rules&, const State& s) {
    int black = count(s, 'X');
    int white = count(s, 'O');
    const int empty = count(s, '-');
    if (black > white) black += empty;
    if (white > black) white += empty;
    return static_cast<Value>(black - white);
  }
  static int greatest_value(const Rules& rules) { return rules.size * rules.size; }
  static Player to_move(const Rules&, const State& s) {
    return s.mover == 'X' ? Player::kFirst : Player::kSecond;
  }
  static std::vector<Move> moves(const Rules& rules, const State& s) {
    std::vector<Move> list = placements(rules, s, s.mover);
    if (list.empty()) list.push_back(kPass);
    return list;
  }
  static void play(const Rules& rules, State& s, Move move) {
    if (move != kPass) {
      const int row = move / rules.size;
      const int column = move % rules.size;
      for (int down = -1; down <= 1; ++down) {
        for (int right = -1; right <= 1; ++right) {
          const int turned = turns(rules, s, s.mover, row, column, down, right);
          for (int i = 1; i <= turned; ++i) {
            at(rules, s, row + i * down, column + i * right) = s.mover;
          }
        }
      }
      at(rules, s, row, column) = s.mover;
    }
    s.mover = other(s.mover);
  }

  // Certificates may leave positions with so many empty squares to the checker.
  static constexpr int kMostRecheck = 8;
  static int recheck_distance(const State& s) { return count(s, '-'); }
  // The game may be over only where a pass is the move.
  static bool may_be_finished(const std::vector<Move>& moves) { return moves[0] == kPass; }

  // Text: a move "b2" or "--", a board "XO-" by rows with the side to move, "...:X".
  static Move move_named(const Rules& rules, std::string_view word) {
    return word == "--" ? kPass : ref_letter_number(word, rules.size, rules.size);
  }
  static bool read_board(const Rules& rules, std::string_view word, State* s) {
    return read_position(rules, ref_parts(word, ':'), s);
  }
  static std::string packed(const State& s) { return ref_packed(s.squares, '-', 'X') + s.mover; }
  static bool read_position(const Rules& rules, const RefWords& words, State* s) {
    *s = initial(rules);
    if (words.empty()) return true;
    if (words.size() != 2 || (words[1] != "X" && words[1] != "O")) return false;
    s->mover = words[1][0];
    return ref_cells(words[0], rules.size * rules.size, "XO-", &s->squares);
  }

 private:
  static int count(const State& s, char what) {
    return static_cast<int>(std::count(s.squares.begin(), s.squares.end(), what));
  }
  static char other(char colour) { return colour == 'X' ? 'O' : 'X'; }
  static char& at(const Rules& rules, State& s, int row, int column) {
    return s.squares[static_cast<std::size_t>(row * rules.size + column)];
  }
  static bool holds(const Rules& rules, const State& s, int row, int column, char what) {
    return row >= 0 && row < rules.size && column >= 0 && column < rules.size &&
           s.squares[static_cast<std::size_t>(row * rules.size + column)] == what;
  }
  // How many discs a disc of this colour on (row, column) turns in one direction.
  static int turns(const Rules& rules, const State& s, char colour, int row, int column, int down,
                   int right) {
    if (down == 0 && right == 0) return 0;
    int line = 0;
    while (holds(rules, s, row + (line + 1) * down, column + (line + 1) * right, other(colour))) {
      ++line;
    }
    const bool closed =
        holds(rules, s, row + (line + 1) * down, column + (line + 1) * right, colour);
    return closed ? line : 0;
  }
  static bool can_place(const Rules& rules, const State& s, char colour, int row, int column) {
    if (!holds(rules, s, row, column, '-')) return false;
    for (int down = -1; down <= 1; ++down) {
      for (int right = -1; right <= 1; ++right) {
        if (turns(rules, s, colour, row, column, down, right) > 0) return true;
      }
    }
    return false;
  }
  static std::vector<Move> placements(const Rules& rules, const State& s, char colour) {
    std::vector<Move> list;
    for (int row = 0; row < rules.size; ++row) {
      for (int column = 0; column < rules.size; ++column) {
        if (can_place(rules, s, colour, row, column)) {
          list.push_back(static_cast<Move>(row * rules.size + column));
        }
      }
    }
    return list;
  }
};

}  // namespace playproof
