// Proof zones in the searches that keep a tree, for the tests of them: exhaustive search of small
// boards of Hex, every engine with all that it may know beside zones, and what a zone claims.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "driven.h"
#include "games/core/error.h"
#include "games/hex/entry.h"
#include "games/hex/reference.h"
#include "host/tree/check.h"
#include "support.h"
#include "tests/conformance.h"
#include "trees.h"

namespace playproof {

using Board = Hex<1>;

// Who wins any board of few cells with either side to move, however many stones there are.
class AllPositions {
 public:
  explicit AllPositions(const Board::Rules& rules)
      : rules_(rules), ref_{rules.rows, rules.columns} {
    std::size_t boards = 1;
    for (int i = 0; i < rules.cells; ++i) boards *= 3;
    winner_.assign(2 * boards, 0);
  }
  // cells: '.', 'B', 'W'.
  bool black_wins(std::string& cells, bool black_moves) {
    std::size_t code = black_moves ? 1 : 0;
    for (const char c : cells) code = 3 * code + (c == '.' ? 0 : c == 'B' ? 1 : 2);
    char& known = winner_[code];
    if (known == 0) known = search(cells, black_moves) ? 'B' : 'W';
    return known == 'B';
  }
  bool black_wins(const Board::State& s) {
    std::string cells = cells_of(s);
    return black_wins(cells, Board::to_move(rules_, s) == Player::kFirst);
  }
  std::string cells_of(const Board::State& s) const {
    std::string cells(rules_.cells, '.');
    for (int i = 0; i < rules_.cells; ++i) {
      if (has_cell(s.stones[0], i)) cells[i] = 'B';
      if (has_cell(s.stones[1], i)) cells[i] = 'W';
    }
    return cells;
  }
  // Those that can come up, not finished; Black has begun.
  std::vector<Board::State> legal() const {
    std::vector<Board::State> found;
    add_legal(0, Board::State{}, found);
    return found;
  }

 private:
  bool search(std::string& cells, bool black_moves) {
    RefHex::State state{{cells.begin(), cells.end()}};
    if (RefHex::finished(ref_, state)) return RefHex::value(ref_, state) > 0;
    for (char& cell : cells) {
      if (cell != '.') continue;
      cell = black_moves ? 'B' : 'W';
      const bool black = black_wins(cells, !black_moves);
      cell = '.';
      if (black == black_moves) return black;
    }
    return !black_moves;
  }
  void add_legal(int cell, const Board::State& s, std::vector<Board::State>& found) const {
    if (cell < rules_.cells) {
      add_legal(cell + 1, s, found);
      for (int player = 0; player < 2; ++player) {
        Board::State next = s;
        add_cell(next.stones[player], cell);
        ++next.count;
        add_legal(cell + 1, next, found);
      }
      return;
    }
    const int black = popcount64(s.stones[0][0]);
    const int white = popcount64(s.stones[1][0]);
    if (black != white && black != white + 1) return;
    const std::string cells = cells_of(s);
    if (!RefHex::finished(ref_, {{cells.begin(), cells.end()}})) found.push_back(s);
  }

  Board::Rules rules_;
  RefHex::Rules ref_;
  std::vector<char> winner_;
};

// What best-first search may know beside zones.
struct Knows {
  bool bridges = false;
  bool links = false;
  int patterns = 0;
  FillLevel fill = FillLevel::kOff;
  bool ask_selected = false;
};
inline constexpr Knows kNothing;
inline constexpr Knows kBridges{.bridges = true};
inline constexpr Knows kLinks{.links = true};
inline constexpr Knows kPatterns{.patterns = 64};

inline SearchOptions with_zones(std::uint64_t seed, Knows knows = kNothing) {
  SearchOptions options;
  options.bridges = knows.bridges;
  options.links = knows.links;
  options.patterns = knows.patterns;
  options.fill = knows.fill;
  options.ask_selected = knows.ask_selected;
  options.zones = true;
  options.max_bytes = std::uint64_t{1} << 22;
  options.random_order = seed % 3 == 0;
  options.order_seed = seed;
  options.early_break = seed % 4 != 0;
  return options;
}
// What is wrong with a search that has ended; empty: nothing.
template <class G, class Seen>
std::string fault_of(const Seen& engine, const Board::Rules& rules, const Board::State& position,
                     bool reached) {
  if (engine.stopped() != StopReason::kDecided) return "not decided";
  if (engine.bounds().proves(1) != reached) return "verdict";
  try {
    TreeCheck<G>(rules, engine.claim(), engine).run(position);
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}
// Every `step`-th position of a board.
template <class Check>
void for_some(int rows, int columns, std::size_t step, Check&& check) {
  const auto rules = Board::make_rules(rows, columns);
  AllPositions all(rules);
  const auto positions = all.legal();
  ASSERT_FALSE(positions.empty());
  for (std::size_t i = rows % step; i < positions.size(); i += step) {
    check(rules, all, positions[i], i);
    if (::testing::Test::HasFailure()) return;
  }
}
// Does the winner of a decided node win positions drawn to match its zone?
template <class G, class Seen>
bool claim_holds(const Seen& engine, const Board::Rules& rules, const Board::State& state,
                 NodeIndex node, AllPositions& all, Draws& draws) {
  const Claim& claim = engine.claim();
  const bool proved = engine.tree().node(node).bounds.proves(claim.threshold);
  const Player winner = proved ? claim.attacker : opponent(claim.attacker);
  const bool black = winner == Player::kFirst;
  const CellSet<1> zone = engine.zones().zone(node);
  const std::string cells = all.cells_of(state);
  for (int i = 0; i < 8; ++i) {
    std::string match = cells;
    for (int c = 0; c < rules.cells; ++c) {
      if (!zone.has(c)) match[c] = "BW."[draws.below(3)];
      if (zone.has(c) && cells[c] == '.' && draws.below(4) == 0) match[c] = black ? 'B' : 'W';
    }
    if (all.black_wins(match, G::to_move(rules, state) == Player::kFirst) != black) return false;
  }
  return true;
}

}  // namespace playproof
