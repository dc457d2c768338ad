// Positions of the Connect family for tests of threats and races.
#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include "games/connect/threats.h"
#include "games/connect/vcdt.h"
#include "tests/conformance.h"
#include "tests/games/plain_threats.h"

namespace playproof {

// Some stones on a board, and who attacks: whether play leads there does not matter to threats.
template <int W>
struct Race {
  using Game = Connect<W>;
  typename Game::Rules rules;
  typename Game::State state;
  int attacker = 0;

  // Rows from the top, with '/' between them: "..WB/W.../..B./WB../".
  static Race of_rows(int k, int p, const std::string& text, char attacker) {
    std::string cells;
    int rows = 0;
    for (const char c : text) {
      if (c == '/') {
        ++rows;
      } else {
        cells += c;
      }
    }
    Race race;
    race.rules = Game::make_rules(rows, static_cast<int>(cells.size()) / rows, k, p);
    for (std::size_t i = 0; i < cells.size(); ++i) {
      if (cells[i] != '.') race.put(cells[i] == 'W' ? 1 : 0, static_cast<int>(i));
    }
    race.attacker = attacker == 'W' ? 1 : 0;
    return race;
  }
  // ";B[JJ];W[KI]..." on 19 x 19, each stone of the colour that it says.
  static Race of_nodes(const std::string& text, char attacker) {
    Race race;
    race.rules = Game::make_rules(19, 19, 6, 2);
    for (std::size_t i = 0; i + 5 < text.size(); ++i) {
      if (text[i] == ';') race.put(text[i + 1] == 'W' ? 1 : 0, cell_of(text.substr(i + 3, 2)));
    }
    race.attacker = attacker == 'W' ? 1 : 0;
    return race;
  }
  // So many stones of each player on cells drawn at random, none in a full line.
  static Race random(const typename Game::Rules& rules, int first, int second, Draws* draws) {
    Race race;
    for (;;) {
      race = {};
      race.rules = rules;
      race.attacker = draws->below(2);
      for (int i = 0; i < first + second; ++i) {
        int cell = draws->below(rules.cells);
        while (race.occupied(cell)) cell = draws->below(rules.cells);
        race.put(i < first ? 0 : 1, cell);
      }
      const PlainRace plain = race.plain();
      if (!plain.completed(0) && !plain.completed(1)) return race;
    }
  }

  static int cell_of(const std::string& pair) { return (pair[1] - 'A') * 19 + (pair[0] - 'A'); }
  bool occupied(int cell) const {
    return has_cell(state.stones[0], cell) || has_cell(state.stones[1], cell);
  }
  void put(int player, int cell) {
    add_cell(state.stones[player], cell);
    ++state.count;
  }
  PlainRace plain() const {
    std::string cells(rules.cells, '.');
    for (int i = 0; i < rules.cells; ++i) {
      if (has_cell(state.stones[0], i)) cells[static_cast<std::size_t>(i)] = 'B';
      if (has_cell(state.stones[1], i)) cells[static_cast<std::size_t>(i)] = 'W';
    }
    return {rules.rows, rules.columns, rules.connect, rules.stones, cells};
  }
};

// A line of tests/data/connect6-*.txt: stones, then columns after '|'.
struct RaceLine {
  std::string stones;
  std::vector<std::string> columns;

  explicit RaceLine(const std::string& line) {
    std::size_t begin = line.find(" | ");
    stones = line.substr(0, begin) + " ";
    while (begin != std::string::npos) {
      begin += 3;
      const std::size_t end = line.find(" | ", begin);
      columns.push_back(line.substr(begin, end == std::string::npos ? end : end - begin));
      begin = end;
    }
  }
  int number(std::size_t column) const { return std::stoi(columns.at(column)); }
  Race<6> race() const { return Race<6>::of_nodes(stones, columns.at(0)[0]); }
};

// Without limits that small tests meet.
inline VcdtOptions to_the_end(int turns = 30) {
  VcdtOptions options;
  options.shortest = true;
  options.turns = turns;
  options.work = std::uint64_t{1} << 40;
  return options;
}

}  // namespace playproof
