// Inferior cells of Hex (games/hex/fill.h) against exhaustive search, and against every way to fill
// a ring.
#include <gtest/gtest.h>

#include <cstdint>
#include <map>
#include <tuple>
#include <utility>
#include <vector>

#include "games/core/random_position.h"
#include "games/hex/connection.h"
#include "games/hex/fill.h"
#include "tests/nightly.h"

namespace playproof::fill_test {
namespace {

using Board = Hex<1>;
using Cells = CellSet<1>;
using Fill = HexFill<1>;

// Who wins small boards, whatever the numbers of stones are. Played to the full board.
class Truth {
 public:
  explicit Truth(const Board::Rules& rules) : rules_(rules) {}

  bool joined(int player, const Cells& own) const {
    const Cells group = hex_group<1>(rules_, hex_edge<1>(rules_, player, 0) & own, own);
    return !(group & hex_edge<1>(rules_, player, 1)).empty();
  }
  // Does the player win with these stones of his and of the other one?
  bool wins(int player, const Cells& own, const Cells& other, bool to_move) {
    if (joined(player, own)) return true;
    const Cells free = Cells::all(rules_.cells) - own - other;
    if (!joined(player, own | free)) return false;
    const auto [at, fresh] =
        known_.try_emplace(std::tuple(player, own.words[0], other.words[0], to_move));
    if (!fresh) return at->second;
    bool won = !to_move;
    for_each_cell(free, [&](int cell) {
      if (won == to_move) return;
      const Cells one = Cells::one(cell);
      won = to_move ? wins(player, own | one, other, false) : wins(player, own, other | one, true);
    });
    known_[std::tuple(player, own.words[0], other.words[0], to_move)] = won;
    return won;
  }

 private:
  Board::Rules rules_;
  std::map<std::tuple<int, std::uint64_t, std::uint64_t, bool>, bool> known_;
};

struct Seen {
  int positions = 0;
  int captured = 0;
  int given = 0;
  int put_off = 0;
  int zones = 0;
  int won = 0;
  int chains = 0;
};

// What is said of one position, as both players see it.
void expect_fill(Truth& truth, const Board::Rules& rules, const Cells& black, const Cells& white,
                 std::uint64_t seed, Seen* seen) {
  for (int owner = 0; owner < 2; ++owner) {
    const Cells own = owner == 0 ? black : white;
    const Cells other = owner == 0 ? white : black;
    const Cells empty = Cells::all(rules.cells) - own - other;
    for (const FillLevel level : {FillLevel::kDead, FillLevel::kCaptured, FillLevel::kFull}) {
      Fill fill(rules, owner, level);
      const Fill::Filling filling = fill.fill(own, other);
      ++seen->positions;
      seen->captured += filling.captured.size();
      seen->given += (filling.other - other).size();
      EXPECT_TRUE(own.within(filling.own) && other.within(filling.other));
      EXPECT_TRUE((filling.own & filling.other).empty());
      EXPECT_TRUE(filling.captured == filling.own - own);
      EXPECT_TRUE(level != FillLevel::kDead || filling.captured.empty());
      // One reply is left to try, and all that are not are captured.
      EXPECT_TRUE(filling.left_out.within(filling.captured));
      EXPECT_FALSE((empty - filling.left_out).empty());
      EXPECT_TRUE(filling.left_out == filling.captured || filling.captured == empty);
      for (const bool to_move : {false, true}) {
        EXPECT_EQ(truth.wins(owner, own, other, to_move),
                  truth.wins(owner, filling.own, filling.other, to_move))
            << rules.rows << 'x' << rules.columns << ' ' << own.words[0] << ' ' << other.words[0];
      }
      // If the opponent wins because he is to move, a move that is neither left out nor put off
      // does.
      const Cells tried = empty - filling.left_out - filling.put_off;
      EXPECT_TRUE((filling.other - other).within(filling.put_off));
      EXPECT_TRUE((filling.put_off & filling.own).empty());
      if (!truth.wins(owner, own, other, false) && truth.wins(owner, own, other, true)) {
        bool wins = false;
        for_each_cell(tried, [&](int cell) {
          wins = wins || !truth.wins(owner, own, other | Cells::one(cell), true);
        });
        EXPECT_TRUE(wins) << rules.rows << 'x' << rules.columns << ' ' << own.words[0] << ' '
                          << other.words[0];
        seen->put_off += filling.put_off.size();
      }
      const Cells chain = fill.chain();
      EXPECT_EQ(chain.empty(), !truth.joined(owner, filling.own));
      EXPECT_TRUE(chain.empty() || (truth.joined(owner, chain) && chain.within(filling.own)));
      seen->chains += chain.empty() ? 0 : 1;
      // What it rests on is enough where the opponent has all else, and more does not hurt.
      Cells used;
      for (const auto& set : filling.sets) {
        seed = mix64(seed);
        if (seed % 2 == 0) used |= set.cells;
      }
      const Cells zone = fill.rests_on(used) | (Cells{seed >> 8} & (own | empty));
      const Cells there = zone & own;
      const Cells others = Cells::all(rules.cells) - zone;
      const Cells filled = fill.rests_on(used) & filling.captured;
      EXPECT_TRUE(used.within(filled));
      seen->zones += used.empty() ? 0 : 1;
      for (const bool to_move : {false, true}) {
        const bool wins = truth.wins(owner, there, others, to_move);
        EXPECT_EQ(wins, truth.wins(owner, there | filled, others, to_move))
            << rules.rows << 'x' << rules.columns << " owner " << owner << ' ' << own.words[0]
            << ' ' << other.words[0] << " used " << used.words[0] << " zone " << zone.words[0]
            << " there " << there.words[0] << " others " << others.words[0] << " to move "
            << to_move;
        seen->won += !used.empty() && wins ? 1 : 0;
      }
    }
  }
}

// Every way to give the cells of boards of up to nine cells to nobody, Black or White, and samples
// of larger ones. (Those where somebody has won already are as good as others.)
TEST(HexFill, KeepsWhoWins) {
  const int share = nightly() ? 1 : 4;  // by day of larger boards
  Seen seen;
  for (const auto& [rows, columns] :
       {std::pair(2, 2), {2, 3}, {3, 2}, {2, 4}, {4, 2}, {3, 3}, {3, 4}, {4, 3}, {2, 6}, {4, 4}}) {
    const Board::Rules rules = Board::make_rules(rows, columns);
    Truth truth(rules);
    int count = 1;
    for (int i = 0; i < rules.cells && rules.cells <= 9; ++i) count *= 3;
    const bool all = rules.cells <= 9;
    if (!all) count = rules.cells > 12 ? 400 : 1500;
    for (int i = 0; i < count; i += rules.cells >= 9 ? share : 1) {
      const std::uint64_t seed = mix64(static_cast<std::uint64_t>(1000 * rules.cells + i));
      std::uint64_t digits = all ? static_cast<std::uint64_t>(i) : seed >> 16;
      Cells sides[3];
      for (int cell = 0; cell < rules.cells; ++cell, digits /= all ? 3 : 7) {
        const std::uint64_t digit = all ? digits % 3 : digits % 7 % 3;
        sides[digit].add(cell);
      }
      if (truth.joined(0, sides[1]) || truth.joined(1, sides[2]) || sides[0].empty()) continue;
      expect_fill(truth, rules, sides[1], sides[2], seed, &seen);
      if (::testing::Test::HasFailure()) return;
    }
  }
  EXPECT_GT(seen.positions, 50000 / share);
  EXPECT_GT(seen.captured, 20000 / share);
  EXPECT_GT(seen.given, 100000 / share);
  EXPECT_GT(seen.put_off, 10000 / share);
  EXPECT_GT(seen.zones, 5000 / share);
  EXPECT_GT(seen.won, 1000 / share);
  EXPECT_GT(seen.chains, 500 / share);
}

// A ring is dead if no way to fill it has the owner's places in two parts.
TEST(HexFill, RingsByAllFillings) {
  int dead = 0;
  for (int ring = 0; ring < 729; ++ring) {
    bool divided = false;
    for (int set = 0; set < 64 && !divided; ++set) {
      bool of_ring = true;  // is this a way to fill it?
      for (int i = 0, digits = ring; i < 6; ++i, digits /= 3) {
        const int digit = digits % 3;
        of_ring = of_ring && (digit == HexRings::kFree || (digit == 1) == ((set >> i & 1) != 0));
      }
      int changes = 0;
      for (int i = 0; i < 6; ++i) changes += (set >> i & 1) != (set >> (i + 1) % 6 & 1) ? 1 : 0;
      divided = of_ring && changes > 2;
    }
    EXPECT_EQ(HexRings::is_dead(ring), !divided) << ring;
    dead += HexRings::is_dead(ring) ? 1 : 0;
  }
  EXPECT_GT(dead, 32);
}

Cells cells_of(const std::vector<const char*>& names) {
  Cells cells;
  for (const char* name : names) cells.add((name[1] - '1') * 3 + name[0] - 'a');
  return cells;
}

// 3x3: between b1, c1, c2 and b3 the cell b2 is dead, and all four stones make it so.
TEST(HexFill, ReasonsOfADeadCell) {
  const Board::Rules rules = Board::make_rules(3, 3);
  const Cells black = cells_of({"b1", "c1", "c2", "b3"});
  Fill fill(rules, 0, FillLevel::kDead);
  EXPECT_TRUE(fill.fill(black, {}).other.has(4));
  for_each_cell(black, [&](int stone) {
    Cells fewer = black;
    fewer.remove(stone);
    EXPECT_FALSE(fill.fill(fewer, {}).other.has(4)) << stone;
  });
}

// A stone on the second row has captured the cells between it and the edge.
TEST(HexFill, SecondRow) {
  const Board::Rules rules = Board::make_rules(3, 3);
  Fill fill(rules, 0, FillLevel::kCaptured);
  const Fill::Filling filling = fill.fill(cells_of({"b2"}), {});
  EXPECT_TRUE(cells_of({"b1", "c1", "a3", "b3"}).within(filling.captured));
  ASSERT_GE(filling.sets.size(), 2u);
  EXPECT_TRUE(filling.sets[0].cells == cells_of({"b1", "c1"}));
  EXPECT_TRUE(filling.sets[0].stones == cells_of({"b2"}));
  EXPECT_EQ(fill.chain().size(), 3);
  EXPECT_TRUE(fill.rests_on(cells_of({"b1"})) == cells_of({"b1", "c1", "b2"}));
  EXPECT_TRUE(fill.rests_on(cells_of({"b2"})) == cells_of({"b2"}));
}

}  // namespace
}  // namespace playproof::fill_test
