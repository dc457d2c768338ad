// A race with draws and zones: three stones in a row, column or diagonal on a small board, sides
// alternate, a full board is a draw. The rules are those of games/connect; what it has of
// games/core/zoned.h stands here. And what is true of every position of it, by exhaustive search.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "games/connect/entry.h"
#include "games/core/zoned.h"

namespace playproof {

struct ThreeInARow : Connect<1> {};
// The same with a fault: its zones forget the lines of the other side.
struct CarelessRow : Connect<1> {};

// The lines of three, and the zone of a finished position.
inline std::vector<CellSet<1>> lines_of_three(const Connect<1>::Rules& rules) {
  std::vector<CellSet<1>> lines;
  for (int cell = 0; cell < rules.cells; ++cell) {
    const int row = cell / rules.columns;
    const int column = cell % rules.columns;
    for (const auto& [down, right] : {std::pair{0, 1}, {1, 0}, {1, 1}, {1, -1}}) {
      const int last = column + 2 * right;
      if (row + 2 * down >= rules.rows || last < 0 || last >= rules.columns) continue;
      CellSet<1> line;
      for (int i = 0; i < 3; ++i) line.add(cell + i * (down * rules.columns + right));
      lines.push_back(line);
    }
  }
  return lines;
}
template <class G, bool kHeedsOthers>
struct ZonedRow {
  using Cells = CellSet<1>;
  static constexpr int kWords = 1;
  static constexpr bool kDraws = true;
  static int cells(const auto& rules) { return rules.cells; }
  static Cells stones(const auto& state, Player player) {
    return Cells::of(state.stones[static_cast<int>(player)]);
  }
  // His line, if that is what he claims, and of each line that it does not meet a cell which the
  // other one has not, of several the one that lies in most of them: the cells of his own first.
  static Cells of_finished(const auto& rules, const auto& state, Player player) {
    const Cells own = stones(state, player);
    const Cells other = stones(state, opponent(player));
    Cells zone;
    std::vector<Cells> open = lines_of_three(rules);
    for (const Cells& line : open) {
      if (zone.empty() && line.within(own)) zone = line;
    }
    if (!kHeedsOthers && !zone.empty()) return zone;
    while (true) {
      std::erase_if(open, [&](const Cells& line) { return !(line & zone).empty(); });
      if (open.empty()) return zone;
      int best = -1;
      int most = 0;
      for (int cell = 0; cell < rules.cells; ++cell) {
        if (other.has(cell)) continue;
        int met = own.has(cell) ? 1 : 0;
        for (const Cells& line : open) met += line.has(cell) ? 2 : 0;
        if (met > most) best = cell;
        most = std::max(most, met);
      }
      zone.add(best);
    }
  }
};
template <>
struct Zoned<ThreeInARow> : ZonedRow<ThreeInARow, true> {};
template <>
struct Zoned<CarelessRow> : ZonedRow<CarelessRow, false> {};

template <>
struct SymmetryOf<ThreeInARow> : SymmetryOf<Connect<1>> {};
template <>
struct SymmetryOf<CarelessRow> : SymmetryOf<Connect<1>> {};
template <>
struct GameText<ThreeInARow> : GameText<Connect<1>> {};
template <>
struct CertificateText<ThreeInARow> : CertificateText<Connect<1>> {};
static_assert(ZonedGame<ThreeInARow> && ZonedGame<CarelessRow> && !ZonedGame<Connect<1>>);

// Of every board with any stones, also such as no game leads to: its value for the first player,
// where who moves follows from how many stones there are.
class RowTruth {
 public:
  explicit RowTruth(const Connect<1>::Rules& rules) : rules_(rules), lines_(lines_of_three(rules)) {
    std::size_t boards = 1;
    for (int cell = 0; cell < rules.cells; ++cell) boards *= 3;
    values_.assign(boards, kUnknown);
  }

  int value(CellSet<1> first, CellSet<1> second) {
    std::int8_t& known = values_[number(first, second)];
    if (known != kUnknown) return known;
    int value = 0;
    const CellSet<1> empty = CellSet<1>::all(rules_.cells) - first - second;
    if (has_line(first) || has_line(second)) {
      value = has_line(first) ? 1 : -1;
    } else if (!empty.empty()) {
      const bool firsts = (first.size() + second.size()) % 2 == 0;
      value = firsts ? -1 : 1;
      for_each_cell(empty, [&](int cell) {
        CellSet<1> with = firsts ? first : second;
        with.add(cell);
        const int child = firsts ? this->value(with, second) : this->value(first, with);
        value = firsts ? std::max(value, child) : std::min(value, child);
      });
    }
    return values_[number(first, second)] = static_cast<std::int8_t>(value);
  }
  // Is the claim of this zone of the winner's true (host/zone/zone.h)? `holds(value)`: does he have
  // it his way where that is the value for the first player? Asked of every board that the claim
  // speaks of.
  bool is_true(const Connect<1>::State& state, Player winner, CellSet<1> zone, auto&& holds) {
    const CellSet<1> own = CellSet<1>::of(state.stones[static_cast<int>(winner)]);
    const CellSet<1> other = CellSet<1>::of(state.stones[static_cast<int>(opponent(winner))]);
    if (!(zone & other).empty()) return false;
    return all_boards(0, state.count % 2, own & zone, {}, zone,
                      [&](const CellSet<1>& a, const CellSet<1>& b) {
                        return holds(winner == Player::kFirst ? value(a, b) : value(b, a));
                      });
  }

 private:
  static constexpr std::int8_t kUnknown = 2;

  // Of all boards with the winner's stones where he needs them, none of the other's in the zone,
  // and as many stones as have the same side to move.
  bool all_boards(int cell, int parity, CellSet<1> own, CellSet<1> other, const CellSet<1>& zone,
                  auto&& check) {
    if (cell == rules_.cells) {
      return (own.size() + other.size()) % 2 != parity || check(own, other);
    }
    const auto next = [&](CellSet<1> a, CellSet<1> b) {
      return all_boards(cell + 1, parity, a, b, zone, check);
    };
    if (own.has(cell)) return next(own, other);
    CellSet<1> own_too = own;
    own_too.add(cell);
    CellSet<1> others_too = other;
    others_too.add(cell);
    return next(own, other) && next(own_too, other) && (zone.has(cell) || next(own, others_too));
  }
  bool has_line(const CellSet<1>& stones) const {
    return std::ranges::any_of(lines_, [&](const CellSet<1>& line) { return line.within(stones); });
  }
  std::size_t number(const CellSet<1>& first, const CellSet<1>& second) const {
    std::size_t number = 0;
    for (int cell = 0; cell < rules_.cells; ++cell) {
      number = 3 * number + (first.has(cell) ? 1 : second.has(cell) ? 2 : 0);
    }
    return number;
  }

  Connect<1>::Rules rules_;
  std::vector<CellSet<1>> lines_;
  std::vector<std::int8_t> values_;
};

}  // namespace playproof
