// The obvious rules of Lines of Action, one cell at a time, written apart from the fast ones: the
// oracle of the tests and of playproof-check.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "games/core/reference_words.h"

namespace playproof {

struct RefLoa : RefOptionsOfWords<RefLoa> {
  static constexpr const char* kName = "loa";
  static constexpr RefWordOption kWordOptions[] = {
      {"size", "8 7 6 5 4"}, {"repetition", "third second none"}, {"both", "draw mover"}};
  struct Rules {
    int size = 8;
    bool mover_wins = false;  // where a move connects both
  };
  // cells[row * size + column] is '-', 'X' (first player, Black) or 'O'; mover is 'X' or 'O'.
  struct State {
    std::vector<char> cells;
    char mover = 'X';
    bool operator==(const State&) const = default;
  };

  static Rules make_rules(const std::vector<std::uint64_t>& values) {
    return {8 - static_cast<int>(values[0]), values[2] == 1};
  }
  // Under each of the rules of repetition a game that goes round and round is a draw.
  static Value repeated(const Rules&, Player) { return 0; }
  static bool is_fair(const Rules&) { return true; }

  static State initial(const Rules& rules) {
    State s{std::vector<char>(static_cast<std::size_t>(rules.size * rules.size), '-'), 'X'};
    const int last = rules.size - 1;
    for (int i = 1; i < last; ++i) {
      s.cells[place(rules, {0, i})] = s.cells[place(rules, {last, i})] = 'X';
      s.cells[place(rules, {i, 0})] = s.cells[place(rules, {i, last})] = 'O';
    }
    return s;
  }
  static bool finished(const Rules& rules, const State& s) {
    return connected(rules, s, 'X') || connected(rules, s, 'O') || moves(rules, s).empty();
  }
  static Value value(const Rules& rules, const State& s) {
    const bool first = connected(rules, s, 'X');
    if (first != connected(rules, s, 'O')) return first ? Value{1} : Value{-1};
    if (first && !rules.mover_wins) return 0;
    return s.mover == 'X' ? Value{-1} : Value{1};  // it has no move, or both are connected
  }
  static int greatest_value(const Rules&) { return 1; }
  static Player to_move(const Rules&, const State& s) {
    return s.mover == 'X' ? Player::kFirst : Player::kSecond;
  }
  static std::vector<Move> moves(const Rules& rules, const State& s) {
    std::vector<Move> list;
    for (std::size_t i = 0; i < s.cells.size(); ++i) {
      for (int d = 0; d < 9 && s.cells[i] == s.mover; ++d) {  // 4 is no direction, leads nowhere
        const Cell to = target(rules, s, cell_of(rules, i), {d / 3 - 1, d % 3 - 1});
        if (at(rules, s, to) == kBeyond || at(rules, s, to) == s.mover) continue;
        list.push_back(move_of(cell_of(rules, i), to));
      }
    }
    std::sort(list.begin(), list.end());
    return list;
  }
  static void play(const Rules& rules, State& s, Move move) {
    s.cells[place(rules, {move / 512, move / 64 % 8})] = '-';
    s.cells[place(rules, {move / 8 % 8, move % 8})] = s.mover;
    s.mover = s.mover == 'X' ? 'O' : 'X';
  }

  // Text: a move "b8-d6" or "b8xd6", a board "XO-" by rows with the side to move, "...:X".
  static Move move_named(const Rules& rules, std::string_view word) {
    if (word.size() != 5 || (word[2] != '-' && word[2] != 'x')) return kNoMove;
    const Move from = ref_letter_number(word.substr(0, 2), rules.size, rules.size);
    const Move to = ref_letter_number(word.substr(3), rules.size, rules.size);
    if (std::max(from, to) == kNoMove) return kNoMove;
    return move_of(cell_of(rules, from), cell_of(rules, to));
  }
  static bool read_board(const Rules& rules, std::string_view word, State* s) {
    return read_cells(rules, ref_parts(word, ':'), s);
  }
  static std::string packed(const State& s) { return ref_packed(s.cells, '-', 'X') + s.mover; }
  static bool read_position(const Rules& rules, const RefWords& words, State* s) {
    return ref_replay<RefLoa>(rules, words, s) || read_cells(rules, words, s);
  }

 private:
  static constexpr char kBeyond = ' ';
  struct Cell {
    int row, column;
  };
  static std::size_t place(const Rules& rules, Cell cell) {
    return static_cast<std::size_t>(cell.row * rules.size + cell.column);
  }
  static Cell cell_of(const Rules& rules, std::size_t place) {
    return {static_cast<int>(place) / rules.size, static_cast<int>(place) % rules.size};
  }
  static char at(const Rules& rules, const State& s, Cell cell) {
    const bool inside = std::min(cell.row, cell.column) >= 0 && cell.row < rules.size;
    return inside && cell.column < rules.size ? s.cells[place(rules, cell)] : kBeyond;
  }
  static Cell after(Cell from, Cell way, int steps) {
    return {from.row + steps * way.row, from.column + steps * way.column};
  }
  static Move move_of(Cell from, Cell to) {
    return static_cast<Move>(512 * from.row + 64 * from.column + 8 * to.row + to.column);
  }
  // Where a stone comes to in one direction; beyond the board if it may not.
  static Cell target(const Rules& rules, const State& s, Cell from, Cell way) {
    int stones = 0;  // on the line
    for (int i = -rules.size; i <= rules.size; ++i) {
      const Cell cell = after(from, way, i);
      stones += at(rules, s, cell) == 'X' || at(rules, s, cell) == 'O' ? 1 : 0;
    }
    for (int i = 1; i < stones; ++i) {
      const char over = at(rules, s, after(from, way, i));
      if (over != '-' && over != s.mover) return {-1, -1};
    }
    return after(from, way, stones);
  }
  static bool connected(const Rules& rules, State s, char side) {
    const auto first = std::find(s.cells.begin(), s.cells.end(), side) - s.cells.begin();
    std::vector<Cell> waiting = {cell_of(rules, static_cast<std::size_t>(first))};
    for (std::size_t i = 0; i < waiting.size(); ++i) {
      if (at(rules, s, waiting[i]) != side) continue;
      s.cells[place(rules, waiting[i])] = '-';
      for (int d = 0; d < 9; ++d) waiting.push_back(after(waiting[i], {d / 3 - 1, d % 3 - 1}, 1));
    }
    return std::find(s.cells.begin(), s.cells.end(), side) == s.cells.end();
  }
  // Each side has a stone, and none has more than at the beginning.
  static bool read_cells(const Rules& rules, const RefWords& words, State* s) {
    if (words.size() != 2 || (words[1] != "X" && words[1] != "O")) return false;
    s->mover = words[1][0];
    if (!ref_cells(words[0], rules.size * rules.size, "XO-", &s->cells)) return false;
    const auto count = [&](char c) { return std::count(s->cells.begin(), s->cells.end(), c); };
    return std::min(count('X'), count('O')) >= 1 &&
           std::max(count('X'), count('O')) <= 2L * (rules.size - 2);
  }
};

}  // namespace playproof
