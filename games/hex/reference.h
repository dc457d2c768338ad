// The obvious rules of Hex, one cell at a time, written apart from the fast ones: the oracle of the
// tests and of playproof-check. Black joins top and bottom, White joins left and right.
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

struct RefHex {
  static constexpr const char* kName = "hex";
  static constexpr RefOption kOptions[] = {{"rows", 5, 2, 19}, {"columns", 5, 2, 19}};
  struct Rules {
    int rows = 5, columns = 5;
  };
  // cells[row * columns + column] is '.', 'B' (first player) or 'W'.
  struct State {
    std::vector<char> cells;
    Player mover = Player::kFirst;
    bool operator==(const State&) const = default;
  };

  static Rules make_rules(const std::vector<std::uint64_t>& values) {
    return {static_cast<int>(values[0]), static_cast<int>(values[1])};
  }
  static State initial(const Rules& rules) {
    return {std::vector<char>(static_cast<std::size_t>(rules.rows * rules.columns), '.')};
  }
  static bool finished(const Rules& rules, const State& s) {
    return joined(rules, s, 'B') || joined(rules, s, 'W');
  }
  static Value value(const Rules& rules, const State& s) { return joined(rules, s, 'B') ? 1 : -1; }
  // The greatest value of any position; the least is its negative.
  static int greatest_value(const Rules&) { return 1; }
  static Player to_move(const Rules&, const State& s) { return s.mover; }
  static std::vector<Move> moves(const Rules&, const State& s) {
    std::vector<Move> list;
    for (std::size_t cell = 0; cell < s.cells.size(); ++cell) {
      if (s.cells[cell] == '.') list.push_back(static_cast<Move>(cell));
    }
    return list;
  }
  static void play(const Rules&, State& s, Move cell) {
    s.cells[cell] = letter(s.mover);
    s.mover = opponent(s.mover);
  }

  // Does a chain of this colour lead from its first edge (top, left) to the other one?
  // (More stones never hurt their owner, and of a full board this is so of one colour.)
  static bool joined(const Rules& rules, const State& s, char colour) {
    std::vector<bool> reached(s.cells.size(), false);
    std::vector<int> waiting;
    const auto reach = [&](int row, int column) {
      if (row < 0 || row >= rules.rows || column < 0 || column >= rules.columns) return;
      const auto cell = static_cast<std::size_t>(row * rules.columns + column);
      if (s.cells[cell] != colour || reached[cell]) return;
      reached[cell] = true;
      waiting.push_back(static_cast<int>(cell));
    };
    if (colour == 'B') {
      for (int column = 0; column < rules.columns; ++column) reach(0, column);
    } else {
      for (int row = 0; row < rules.rows; ++row) reach(row, 0);
    }
    while (!waiting.empty()) {
      const int row = waiting.back() / rules.columns;
      const int column = waiting.back() % rules.columns;
      waiting.pop_back();
      if (colour == 'B' ? row == rules.rows - 1 : column == rules.columns - 1) return true;
      reach(row, column - 1);
      reach(row, column + 1);
      reach(row - 1, column);
      reach(row + 1, column);
      reach(row - 1, column + 1);
      reach(row + 1, column - 1);
    }
    return false;
  }
  static char letter(Player player) { return player == Player::kFirst ? 'B' : 'W'; }

  // What a colour joins are points: the cells, and after them its two edges, top and bottom or left
  // and right. -1 for a word that is none of these.
  static int point_named(const Rules& rules, char colour, std::string_view word) {
    if (word == (colour == 'B' ? "top" : "left")) return rules.rows * rules.columns;
    if (word == (colour == 'B' ? "bottom" : "right")) return rules.rows * rules.columns + 1;
    const Move cell = move_named(rules, word);
    return cell == kNoMove ? -1 : cell;
  }
  // Do these two touch? A cell touches its six neighbours, and an edge that it lies on.
  static bool touch(const Rules& rules, char colour, int a, int b) {
    const int cells = rules.rows * rules.columns;
    if (a >= cells || b >= cells) {
      const int cell = a < b ? a : b;
      const int place = colour == 'B' ? cell / rules.columns : cell % rules.columns;
      const int last = (colour == 'B' ? rules.rows : rules.columns) - 1;
      return cell < cells && place == ((a < b ? b : a) == cells ? 0 : last);
    }
    const int down = b / rules.columns - a / rules.columns;
    const int right = b % rules.columns - a % rules.columns;
    return (down == 0 && (right == 1 || right == -1)) ||
           (right == 0 && (down == 1 || down == -1)) || (down == 1 && right == -1) ||
           (down == -1 && right == 1);
  }

  // Text: a move "b2"; a board ".BW" by rows, then ":B" or ":W" if the number of stones says it is
  // the other's turn; a position as moves or, with passes "--" or sides to move ":B", as stones.
  static Move move_named(const Rules& rules, std::string_view word) {
    return ref_letter_number(word, rules.rows, rules.columns);
  }
  static bool read_board(const Rules& rules, std::string_view word, State* s) {
    const std::string_view side = word.substr(std::min(word.find(':'), word.size()));
    word.remove_suffix(side.size());
    if (!ref_cells(word, rules.rows * rules.columns, ".BW", &s->cells)) return false;
    s->mover = side.empty() ? by_number(*s) : opponent(by_number(*s));
    return side.empty() || side == std::string{':', letter(s->mover)};
  }
  static std::string packed(const State& s) {
    return ref_packed(s.cells, '.', 'B') + (s.mover == by_number(s) ? "" : "*");
  }
  static bool sets_up(const RefWords& words) {
    return std::any_of(words.begin(), words.end(), [](auto w) { return w == "--" || w[0] == ':'; });
  }
  static bool read_position(const Rules& rules, const RefWords& words, State* s) {
    if (!sets_up(words)) return ref_replay<RefHex>(rules, words, s);
    *s = initial(rules);
    for (const std::string_view word : words) {  // NOLINT(readability-use-anyofallof)
      const Move cell = move_named(rules, word);
      const bool side = word == ":B" || word == ":W";
      if (cell == kNoMove ? word != "--" && !side : s->cells[cell] != '.') return false;
      if (cell != kNoMove) s->cells[cell] = letter(s->mover);
      if (!side || word[1] != letter(s->mover)) s->mover = opponent(s->mover);
    }
    return true;
  }
  // Whose turn it is if Black has begun and nobody has passed.
  static Player by_number(const State& s) {
    const auto empty = static_cast<std::size_t>(std::count(s.cells.begin(), s.cells.end(), '.'));
    return (s.cells.size() - empty) % 2 == 0 ? Player::kFirst : Player::kSecond;
  }
};

}  // namespace playproof
