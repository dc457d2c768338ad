// Windows and threats of the Connect family (games/connect/threats.h), against counting anew and
// against trying all placements.
#include "games/connect/threats.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <string>
#include <vector>

#include "games/connect/forcing_turns.h"
#include "tests/games/race_support.h"

namespace playproof::threats_test {
namespace {

template <int W>
void expect_windows(int rows, int columns, int k) {
  const auto rules = Connect<W>::make_rules(rows, columns, k, 2);
  const ConnectWindows<W> windows(rules);
  const PlainRace plain(rows, columns, k, 2, std::string(rules.cells, '.'));
  ASSERT_LE(windows.words, WindowSet<W>::kWords);
  ASSERT_EQ(windows.count, static_cast<int>(plain.windows.size()));
  std::multiset<std::vector<int>> found;
  WindowSet<W> used;
  std::copy(windows.used, windows.used + windows.words, used.words);
  for_each_window(windows, used, [&](int window) {
    std::vector<int> cells;
    for (int i = 0; i < k; ++i) cells.push_back(windows.first[window] + i * windows.step[window]);
    found.insert(cells);
    for (int cell = 0; cell < rules.cells; ++cell) {
      const bool through = std::ranges::any_of(windows.lines[cell], [&](const auto& line) {
        return static_cast<int>(line.word) == window / 64 && ((line.windows >> (window % 64)) & 1);
      });
      ASSERT_EQ(through, std::ranges::count(cells, cell) != 0);
    }
  });
  ASSERT_EQ(found, (std::multiset<std::vector<int>>{plain.windows.begin(), plain.windows.end()}));
}

TEST(ConnectWindows, OfConnect6) {
  EXPECT_EQ(ConnectWindows<6>(Connect<6>::make_rules(19, 19, 6, 2)).count, 924);
}

TEST(ConnectWindows, AreAllSegments) {
  for (int k = 2; k <= 19; ++k) expect_windows<6>(19, 19, k);
  for (int k = 2; k <= 8; ++k) expect_windows<1>(8, 8, k);
  expect_windows<1>(3, 19, 2);
  expect_windows<1>(19, 3, 3);
  expect_windows<1>(2, 19, 2);
  expect_windows<1>(4, 7, 5);
  expect_windows<6>(9, 13, 5);
}

TEST(ConnectWindows, LinesMeet) {
  const ConnectWindows<6> windows(Connect<6>::make_rules(19, 19, 6, 2));
  for (int a = 0; a < 361; ++a) {
    for (int b = 0; b < 361; ++b) {
      const int down = std::abs(a / 19 - b / 19);
      const int right = std::abs(a % 19 - b % 19);
      ASSERT_EQ(windows.lines_meet(a, b), down == 0 || right == 0 || down == right);
    }
  }
}

// Stones come and go at random; then every window is counted anew.
template <int W>
void expect_counts(const typename Connect<W>::Rules& rules, std::uint64_t seed) {
  const ConnectWindows<W> windows(rules);
  Draws draws(seed);
  ConnectThreats<W> position(windows, {});
  PlainRace plain(rules.rows, rules.columns, rules.connect, rules.stones,
                  std::string(rules.cells, '.'));
  for (int step = 0; step < 200; ++step) {
    const int cell = draws.below(rules.cells);
    if (plain.at(cell) == '.') {
      const int player = draws.below(2);
      position.add(player, cell);
      plain.at(cell) = PlainRace::colour(player);
    } else {
      position.remove(plain.at(cell) == 'B' ? 0 : 1, cell);
      plain.at(cell) = '.';
    }
    if (step % 20 != 19) continue;
    for (int player = 0; player < 2; ++player) {
      std::vector<int> live(static_cast<std::size_t>(rules.connect) + 1);
      for (const auto& window : plain.windows) {
        int own = 0;
        bool hit = false;
        for (const int c : window) {
          own += plain.at(c) == PlainRace::colour(player) ? 1 : 0;
          hit |= plain.at(c) == PlainRace::colour(1 - player);
        }
        if (!hit) ++live[static_cast<std::size_t>(own)];
      }
      int from = 0;
      for (int count = rules.connect; count >= 0; --count) {
        int exactly = 0;
        int at_least = 0;
        for_each_window(windows, position.live(player, count), [&](int) { ++exactly; });
        for_each_window(windows, position.live_from(player, count), [&](int) { ++at_least; });
        ASSERT_EQ(exactly, live[static_cast<std::size_t>(count)]) << count;
        from += exactly;
        ASSERT_EQ(at_least, from);
      }
      ASSERT_EQ(position.completed(player), plain.completed(player));
    }
  }
  // The way there leaves no trace.
  typename Connect<W>::State state;
  for (int cell = 0; cell < rules.cells; ++cell) {
    if (plain.at(cell) != '.') add_cell(state.stones[plain.at(cell) == 'B' ? 0 : 1], cell);
  }
  const ConnectThreats<W> anew(windows, state);
  EXPECT_EQ(anew.key(0), position.key(0));
  EXPECT_EQ(anew.key(1), position.key(1));
  EXPECT_EQ(anew.empty(), position.empty());
}

TEST(ConnectThreats, CountsAsStonesComeAndGo) {
  expect_counts<6>(Connect<6>::make_rules(19, 19, 6, 2), 1);
  expect_counts<6>(Connect<6>::make_rules(19, 19, 19, 2), 2);
  expect_counts<6>(Connect<6>::make_rules(9, 12, 2, 1), 3);
  expect_counts<1>(Connect<1>::make_rules(8, 8, 5, 2), 4);
  expect_counts<1>(Connect<1>::make_rules(3, 3, 3, 1), 5);
}

// Numbers and replies of random positions by trying all placements.
void expect_numbers(int rows, int columns, int k, int p, int stones, int positions) {
  const auto rules = Connect<1>::make_rules(rows, columns, k, p);
  const ConnectWindows<1> windows(rules);
  Draws draws(static_cast<std::uint64_t>(100 * rows + 10 * k + p));
  std::vector<int> met(4);
  for (int i = 0; i < positions; ++i) {
    const int own = stones / 2 + draws.below(2);
    const Race<1> race = Race<1>::random(rules, own, stones - own, &draws);
    PlainRace plain = race.plain();
    ConnectThreats<1>::List threats;
    const ConnectThreats<1> position(windows, race.state);
    for (int player = 0; player < 2; ++player) {
      const int number = plain.number(player);
      ASSERT_EQ(position.number(player), number) << plain.cells;
      ASSERT_EQ(position.can_complete(player, p), plain.can_complete(player, p));
      ++met[static_cast<std::size_t>(number)];
      if (number != p) continue;
      std::vector<ConnectTurn> hitting;
      const std::vector<int> empty = plain.empty();
      for (std::size_t a = 0; a < empty.size(); ++a) {
        for (std::size_t b = p == 1 ? a : a + 1; b < (p == 1 ? a + 1 : empty.size()); ++b) {
          plain.at(empty[a]) = plain.at(empty[b]) = PlainRace::colour(1 - player);
          if (!plain.can_complete(player, p)) {
            hitting.push_back(
                {static_cast<Move>(empty[a]), p == 1 ? kNoMove : static_cast<Move>(empty[b])});
          }
          plain.at(empty[a]) = plain.at(empty[b]) = '.';
        }
      }
      position.list(player, &threats);
      const ConnectReplies replies = hitting_replies(threats.all(), p);
      ASSERT_EQ((std::vector<ConnectTurn>{replies.all().begin(), replies.all().end()}), hitting)
          << plain.cells;
    }
  }
  for (int number = 0; number <= p + 1; ++number) {
    EXPECT_GT(met[static_cast<std::size_t>(number)], 0) << number;
  }
}

TEST(ConnectThreats, NumbersAreThoseOfAllPlacements) {
  expect_numbers(4, 4, 4, 2, 6, 300);
  expect_numbers(4, 7, 5, 2, 14, 200);
  expect_numbers(6, 6, 5, 2, 22, 100);
  expect_numbers(5, 5, 4, 1, 12, 200);
  expect_numbers(6, 6, 5, 1, 24, 200);
}

// The number is that of a hitting set, not of windows: four in a row with room on both sides are
// three windows, which two stones hit.
TEST(ConnectThreats, AreNoCountOfWindows) {
  const auto race = Race<1>::of_rows(6, 2, "..BBBB../", 'B');
  const ConnectWindows<1> windows(race.rules);
  const ConnectThreats<1> position(windows, race.state);
  ConnectThreats<1>::List threats;
  position.list(0, &threats);
  EXPECT_EQ(threats.count, 3);
  EXPECT_EQ(position.number(0), 2);
  EXPECT_EQ(position.number(1), 0);
}

std::vector<ConnectTurn> doubles_of(const Race<1>& race) {
  const ConnectWindows<1> windows(race.rules);
  const ConnectThreats<1> position(windows, race.state);
  ForcingPairs<1> pairs(windows);
  std::vector<ConnectTurn> found;
  std::vector<ForcingTurn> turns;
  if (pairs.read(position, race.attacker)) pairs.doubles(&turns);
  for (const ForcingTurn& turn : turns) found.push_back(turn.turn);
  return found;
}

// (a) A turn must hit the other side's threats too, or that completes a line.
TEST(ConnectThreats, ATurnHitsThoseOfTheOtherSide) {
  const auto free = Race<1>::of_rows(6, 2, "...BB.../......../W......W/", 'B');
  EXPECT_FALSE(doubles_of(free).empty());
  const auto bound = Race<1>::of_rows(6, 2, "...BB.../......../..WWWW../", 'B');
  EXPECT_TRUE(doubles_of(bound).empty());
}

// (b) A forced reply can itself make a threat, which then binds the attacker: all pairs that hit
// Black's four have a stone on g1 or h1, and g1 is White's fourth in its column.
TEST(ConnectThreats, ForcedRepliesMakeThreats) {
  const auto race =
      Race<1>::of_rows(6, 2, "..BBBB../......W./......W./......W./......../......../", 'B');
  const ConnectWindows<1> windows(race.rules);
  ConnectThreats<1> position(windows, race.state);
  ASSERT_EQ(position.number(1), 0);
  ConnectThreats<1>::List threats;
  position.list(0, &threats);
  const ConnectReplies replies = hitting_replies(threats.all(), 2);
  ASSERT_EQ(replies.count, 3);
  for (const ConnectTurn& reply : replies.all()) {
    position.add(1, reply);
    EXPECT_EQ(position.number(1), reply.second == 6 ? 1 : 0);
    position.remove(1, reply);
  }
}

// (c) Two threats can have several pairs that hit them; each is a reply of its own.
TEST(ConnectThreats, HaveSeveralReplies) {
  const auto race = Race<1>::of_rows(6, 2, "..BBBB../", 'B');
  const ConnectWindows<1> windows(race.rules);
  ConnectThreats<1>::List threats;
  ConnectThreats<1>(windows, race.state).list(0, &threats);
  const ConnectReplies replies = hitting_replies(threats.all(), 2);
  const std::vector<ConnectTurn> all(replies.all().begin(), replies.all().end());
  EXPECT_EQ(all, (std::vector<ConnectTurn>{{0, 6}, {1, 6}, {1, 7}}));
}

// (d) One threat leaves a stone free: no turn of continuous double threats.
TEST(ConnectThreats, OneLeavesAFreeStone) {
  const auto race = Race<1>::of_rows(6, 2, "WBBBBB../", 'B');
  const ConnectWindows<1> windows(race.rules);
  EXPECT_EQ(ConnectThreats<1>(windows, race.state).number(0), 1);
  const auto before = Race<1>::of_rows(6, 2, "WBBB..../", 'B');
  EXPECT_TRUE(doubles_of(before).empty());
}

// All turns that leave two threats, against placing every pair; those of one stone that makes two
// alone are there with every other stone.
TEST(ForcingPairs, AreAllThatLeaveTwoThreats) {
  const auto rules = Connect<1>::make_rules(7, 7, 5, 2);
  const ConnectWindows<1> windows(rules);
  Draws draws(7);
  int with_free = 0;
  int positions = 0;
  for (int i = 0; i < 400; ++i) {
    const Race<1> race = Race<1>::random(rules, 6 + draws.below(3), 6 + draws.below(3), &draws);
    ConnectThreats<1> position(windows, race.state);
    const int attacker = race.attacker;
    if (position.number(attacker) != 0) continue;
    std::vector<ConnectTurn> expected;
    bool triple = false;
    std::set<Move> alone;
    for_each_cell(CellSet<1>(position.empty()), [&](int a) {
      position.add(attacker, a);
      if (position.number(attacker) == 2) alone.insert(static_cast<Move>(a));
      for_each_cell(CellSet<1>(position.empty()), [&](int b) {
        if (b < a) return;
        position.add(attacker, b);
        if (position.number(1 - attacker) == 0) {
          triple |= position.number(attacker) == 3;
          if (position.number(attacker) == 2) {
            expected.push_back({static_cast<Move>(a), static_cast<Move>(b)});
          }
        }
        position.remove(attacker, b);
      });
      position.remove(attacker, a);
    });
    ForcingPairs<1> pairs(windows);
    ConnectTurn turn;
    const bool readable = pairs.read(position, attacker);
    ASSERT_EQ(readable && pairs.triple(&turn), triple) << race.plain().cells;
    if (triple) {
      position.add(attacker, turn);
      ASSERT_EQ(position.number(attacker), 3);
      ASSERT_EQ(position.number(1 - attacker), 0);
      continue;
    }
    std::vector<ConnectTurn> found = doubles_of(race);
    std::ranges::sort(found);
    ASSERT_EQ(found, expected) << race.plain().cells;
    ++positions;
    with_free += !alone.empty() && !found.empty() ? 1 : 0;
  }
  EXPECT_GT(positions, 100);
  EXPECT_GT(with_free, 10);
}

}  // namespace
}  // namespace playproof::threats_test
