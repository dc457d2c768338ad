// Victory by continuous double threats (games/connect/vcdt.h): positions with known shortest wins
// and with none, and a slow search on small boards.
#include "games/connect/vcdt.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "games/connect/race_zone.h"
#include "games/connect/vcdt_search.h"
#include "tests/games/plain_vcdt.h"
#include "tests/games/race_support.h"
#include "tests/games/support.h"
#include "tests/nightly.h"

namespace playproof::vcdt_test {
namespace {

using Outcome = VcdtAnswer::Outcome;
using Replies = VcdtOptions::Replies;

struct Board19 {
  ConnectWindows<6> windows{Connect<6>::make_rules(19, 19, 6, 2)};
  Vcdt<6> search{windows};
};
Board19& board19() {
  static const auto board = std::make_unique<Board19>();
  return *board;
}

// The columns of the file: side to move, turns, one winning turn.
TEST(Vcdt, WinsInSoManyTurnsAsIsKnown) {
  auto& [windows, search] = board19();
  for (const std::string& text : data_lines("connect6-vcdt-win.txt")) {
    const RaceLine line(text);
    const Race<6> race = line.race();
    const ConnectThreats<6> position(windows, race.state);
    for (const Replies replies : {Replies::kMacroFirst, Replies::kAll}) {
      VcdtOptions options = to_the_end(12);
      options.replies = replies;
      const VcdtAnswer answer = search.solve(position, race.attacker, 2, options);
      ASSERT_EQ(answer.outcome, Outcome::kWin) << text;
      EXPECT_EQ(answer.turns, line.number(1)) << text;
      const RaceProof proof = search.proof();
      EXPECT_EQ(proof.turns(), answer.turns);
      EXPECT_EQ(proof.root().turn, answer.first);
      EXPECT_TRUE(RaceWalk<6>().walk(position, race.attacker, 2, proof)) << text;
    }
  }
}

// Much is drawn by night, a sample by day.
// Each reply of two stones, hitting or not, at every node of every proof; by day not of the
// largest.
TEST(Vcdt, ProofsAnswerAllPairs) {
  auto& [windows, search] = board19();
  std::uint64_t replies = 0;
  int macro = 0;
  for (const std::string& text : data_lines("connect6-vcdt-win.txt")) {
    const RaceLine line(text);
    if (line.number(1) > 7 && !nightly()) continue;
    const Race<6> race = line.race();
    search.solve(ConnectThreats<6>(windows, race.state), race.attacker, 2, to_the_end(12));
    const RaceProof proof = search.proof();
    PlainReplies plain(race.plain(), race.attacker, proof);
    EXPECT_EQ(plain.wrong(2), "") << text;
    replies += plain.replies();
    for (const RaceNode& node : proof.nodes) macro += node.kind == RaceNode::Kind::kMacro;
  }
  EXPECT_GT(replies, nightly() ? 100'000'000u : 1'000'000u);
  EXPECT_GT(macro, 50);
}

// Not only shortest wins; then macro replies, tried to the end first, prove most.
TEST(Vcdt, NeedNotBeShortest) {
  auto& [windows, search] = board19();
  int macro = 0;
  for (const std::string& text : data_lines("connect6-vcdt-win.txt")) {
    const RaceLine line(text);
    const Race<6> race = line.race();
    const ConnectThreats<6> position(windows, race.state);
    VcdtOptions options = to_the_end(12);
    options.shortest = false;
    const VcdtAnswer answer = search.solve(position, race.attacker, 2, options);
    ASSERT_EQ(answer.outcome, Outcome::kWin) << text;
    EXPECT_GE(answer.turns, line.number(1));
    EXPECT_TRUE(RaceWalk<6>().walk(position, race.attacker, 2, search.proof())) << text;
    options.replies = Replies::kMacro;
    const VcdtAnswer alone = search.solve(position, race.attacker, 2, options);
    EXPECT_EQ(alone.outcome == Outcome::kWin, answer.macro) << text;
    EXPECT_NE(alone.outcome, Outcome::kExhausted);
    macro += answer.macro;
  }
  EXPECT_GE(macro, 25);  // alone they miss about a fifth
  EXPECT_LE(macro, 32);
}

// The columns of the file: side to move, "none", turns of two threats at the root.
TEST(Vcdt, IsExhaustedWhereThereIsNone) {
  auto& [windows, search] = board19();
  for (const std::string& text : data_lines("connect6-vcdt-none.txt")) {
    const RaceLine line(text);
    const Race<6> race = line.race();
    const ConnectThreats<6> position(windows, race.state);
    EXPECT_EQ(search.solve(position, race.attacker, 2, to_the_end(40)).outcome,
              Outcome::kExhausted);
    EXPECT_TRUE(search.proof().nodes.empty());
    ForcingPairs<6> pairs(windows);
    std::vector<ForcingTurn> turns;
    ASSERT_TRUE(pairs.read(position, race.attacker));
    pairs.doubles(&turns);
    EXPECT_EQ(static_cast<int>(turns.size()), line.number(2)) << text;
  }
}

// A search that was cut says nothing: neither that there is a win nor that there is none.
TEST(Vcdt, LimitsCut) {
  auto& [windows, search] = board19();
  const RaceLine line(data_lines("connect6-vcdt-win.txt").back());
  const Race<6> race = line.race();
  const ConnectThreats<6> position(windows, race.state);
  for (int turns = 2; turns < line.number(1); ++turns) {
    EXPECT_EQ(search.solve(position, race.attacker, 2, to_the_end(turns)).outcome, Outcome::kCut);
  }
  VcdtOptions options = to_the_end(12);
  for (const std::uint64_t work : {1, 100, 1000, 10'000}) {
    options.work = work;
    const VcdtAnswer answer = search.solve(position, race.attacker, 2, options);
    EXPECT_EQ(answer.outcome, Outcome::kCut);
    EXPECT_LT(answer.work, work + 5000);
  }
  const RaceLine none(data_lines("connect6-vcdt-none.txt")[4]);
  const ConnectThreats<6> other(windows, none.race().state);
  for (std::uint64_t work = 1; work < 10'000; work += 50) {
    options.work = work;
    const VcdtAnswer answer = search.solve(other, none.race().attacker, 2, options);
    EXPECT_NE(answer.outcome, Outcome::kWin);
    EXPECT_LT(answer.work, work + 5000);
  }
}

// What was asked before leaves no trace, and a table with few places costs time alone.
TEST(Vcdt, AnswersAgainAsBefore) {
  auto& [windows, search] = board19();
  Vcdt<6> forgetful(windows, 3);
  const auto lines = data_lines("connect6-vcdt-win.txt");
  for (const std::size_t i : {2, 9, 14, 20}) {
    const Race<6> race = RaceLine(lines[i]).race();
    const ConnectThreats<6> position(windows, race.state);
    const VcdtAnswer once = search.solve(position, race.attacker, 2, to_the_end());
    search.solve(position, 1 - race.attacker, 2, to_the_end(4));
    const VcdtAnswer again = search.solve(position, race.attacker, 2, to_the_end());
    EXPECT_EQ(once.work, again.work);
    EXPECT_EQ(once.nodes, again.nodes);
    EXPECT_EQ(once.first, again.first);
    const VcdtAnswer few = forgetful.solve(position, race.attacker, 2, to_the_end());
    EXPECT_EQ(few.turns, once.turns);
    EXPECT_TRUE(RaceWalk<6>().walk(position, race.attacker, 2, forgetful.proof()));
  }
}

struct Agreement {
  int wins = 0;
  int longer = 0;  // than two turns
  int none = 0;
  int cut = 0;
};

// Positions with so many empty cells, stones of both sides drawn at random, any side attacking,
// with a whole turn or what is left of one.
template <int W>
Agreement expect_agreement(int rows, int columns, int k, int p, int empty, int positions,
                           int turns) {
  const auto rules = Connect<W>::make_rules(rows, columns, k, p);
  const ConnectWindows<W> windows(rules);
  Vcdt<W> search(windows, 12);
  Draws draws(static_cast<std::uint64_t>(1000 * rows + 100 * columns + 10 * k + p + empty));
  Agreement met;
  for (int i = 0; i < positions; ++i) {
    const int stones = rules.cells - empty;
    const int first = std::max(0, stones / 2 - 1 + draws.below(3));
    const Race<W> race =
        Race<W>::random(rules, std::min(first, stones), stones - std::min(first, stones), &draws);
    const int left = 1 + draws.below(p);
    bool open = false;
    PlainRace plain = race.plain();
    const int shortest = plain.vcdt(race.attacker, left, turns, &open);
    const ConnectThreats<W> position(windows, race.state);
    for (const Replies replies : {Replies::kMacroFirst, Replies::kAll}) {
      // A search that may go no further does not look whether there is more.
      VcdtOptions options = to_the_end(shortest == 0 && !open ? 40 : turns);
      options.replies = replies;
      const VcdtAnswer answer = search.solve(position, race.attacker, left, options);
      EXPECT_EQ(answer.turns, shortest) << plain.cells << race.attacker << left;
      if (shortest == 0) {
        EXPECT_EQ(answer.outcome, open ? Outcome::kCut : Outcome::kExhausted) << plain.cells;
      } else {
        const RaceProof proof = search.proof();
        EXPECT_TRUE(RaceWalk<W>().walk(position, race.attacker, left, proof)) << plain.cells;
        EXPECT_EQ(PlainReplies(race.plain(), race.attacker, proof).wrong(left), "") << plain.cells;
      }
    }
    met.wins += shortest > 0;
    met.longer += shortest > 2;
    met.none += shortest == 0 && !open;
    met.cut += shortest == 0 && open;
  }
  return met;
}

TEST(Vcdt, AgreesWithASlowOneOnSmallBoards) {
  for (int empty = 1; empty <= 9; ++empty) expect_agreement<1>(3, 3, 3, 2, empty, 100, 6);
  for (int empty = 1; empty <= 9; ++empty) expect_agreement<1>(3, 4, 3, 2, empty, 100, 6);
  for (int empty = 2; empty <= 12; ++empty) expect_agreement<1>(4, 4, 4, 2, empty, 100, 6);
  Agreement met = expect_agreement<1>(4, 7, 5, 2, 11, 300, 5);
  EXPECT_GT(met.none, 50);
  met = expect_agreement<1>(6, 6, 5, 2, 12, 200, 5);
  EXPECT_GT(met.none, 50);
}

// All boards where nobody has a line, by either side with a whole turn or its last stone: also such
// as no game leads to, and short last turns.
void expect_agreement_everywhere(int rows, int columns, int k) {
  const auto rules = Connect<1>::make_rules(rows, columns, k, 2);
  const ConnectWindows<1> windows(rules);
  Vcdt<1> search(windows, 10);
  int boards = 1;
  for (int cell = 0; cell < rules.cells; ++cell) boards *= 3;
  int wins = 0;
  int none = 0;
  for (int board = 0; board < boards; ++board) {
    Race<1> race;
    race.rules = rules;
    for (int cell = 0, rest = board; cell < rules.cells; ++cell, rest /= 3) {
      if (rest % 3 > 0) race.put(rest % 3 - 1, cell);
    }
    PlainRace plain = race.plain();
    if (plain.completed(0) || plain.completed(1) || plain.empty().empty()) continue;
    const ConnectThreats<1> position(windows, race.state);
    for (const int attacker : {0, 1}) {
      for (const int left : {1, 2}) {
        bool open = false;
        const int shortest = plain.vcdt(attacker, left, 6, &open);
        const VcdtAnswer answer = search.solve(position, attacker, left, to_the_end());
        ASSERT_EQ(answer.turns, shortest) << plain.cells << attacker << left;
        ASSERT_EQ(answer.outcome, shortest > 0 ? Outcome::kWin : Outcome::kExhausted);
        ++(shortest > 0 ? wins : none);
      }
    }
  }
  EXPECT_GT(wins, boards / 4);
  EXPECT_GT(none, boards / 8);
}

// The same of 4 x 4, Black attacks: of all images under the symmetries of the square the first one.
void expect_agreement_on_four_by_four(int k, int part, int parts) {
  constexpr int kBoards = 43'046'721;  // 3^16
  const auto rules = Connect<1>::make_rules(4, 4, k, 2);
  const ConnectWindows<1> windows(rules);
  Vcdt<1> search(windows, 10);
  const auto weights = [] {  // of a stone on each cell in the number of an image of its board
    std::array<std::array<int, 16>, 8> all{};
    for (std::size_t image = 0; image < 8; ++image) {
      for (int cell = 0; cell < 16; ++cell) {
        int row = cell / 4;
        int column = cell % 4;
        if ((image & 1) != 0) row = 3 - row;
        if ((image & 2) != 0) column = 3 - column;
        if ((image & 4) != 0) std::swap(row, column);
        int weight = 1;
        for (int i = 0; i < 4 * row + column; ++i) weight *= 3;
        all[image][static_cast<std::size_t>(cell)] = weight;
      }
    }
    return all;
  }();
  std::uint64_t asked = 0;
  std::uint64_t wins = 0;
  std::uint64_t longest = 0;
  for (int board = part; board < kBoards; board += parts) {
    std::array<int, 16> stones{};
    for (int cell = 0, rest = board; cell < 16; ++cell, rest /= 3) {
      stones[static_cast<std::size_t>(cell)] = rest % 3;
    }
    const bool is_first = std::ranges::none_of(weights, [&](const auto& image) {
      int number = 0;
      for (std::size_t cell = 0; cell < 16; ++cell) number += stones[cell] * image[cell];
      return number < board;
    });
    if (!is_first) continue;
    Race<1> race;
    race.rules = rules;
    for (std::size_t cell = 0; cell < 16; ++cell) {
      if (stones[cell] > 0) race.put(stones[cell] - 1, static_cast<int>(cell));
    }
    const ConnectThreats<1> position(windows, race.state);
    if (position.completed(0) || position.completed(1) || position.empty().empty()) continue;
    PlainRace plain = race.plain();
    for (const int left : {1, 2}) {
      bool open = false;
      const int shortest = plain.vcdt(0, left, 6, &open);
      const VcdtAnswer answer = search.solve(position, 0, left, to_the_end());
      ASSERT_EQ(answer.turns, shortest) << plain.cells << left;
      ASSERT_EQ(answer.outcome, shortest > 0 ? Outcome::kWin : Outcome::kExhausted);
      ++asked;
      wins += shortest > 0 ? 1 : 0;
      longest = std::max(longest, static_cast<std::uint64_t>(shortest));
    }
  }
  testing::Test::RecordProperty("k = " + std::to_string(k),
                                std::to_string(asked) + " questions, " + std::to_string(wins) +
                                    " wins, of up to " + std::to_string(longest) + " turns");
  EXPECT_GT(wins, asked / 100);
}

TEST(Vcdt, AgreesOnAllBoardsOfThreeByThree) { expect_agreement_everywhere(3, 3, 3); }
TEST(Vcdt, AgreesOnAllBoardsOfThreeByFourSlow) {
  if (nightly()) expect_agreement_everywhere(3, 4, 3);
}
// By day a thousandth of them.
TEST(Vcdt, AgreesOnAllBoardsOfFourByFourSlow) {
  const int parts = nightly() ? 1 : 1009;
  for (const int k : {4, 3}) expect_agreement_on_four_by_four(k, 0, parts);
}

// 19 x 19 to three turns: the length, and whether there may be a longer one.
TEST(Vcdt, AgreesWithASlowOneOnLargeBoards) {
  auto& [windows, search] = board19();
  Draws draws(1);
  int wins = 0;
  int longer = 0;
  int none = 0;
  const int positions = nightly() ? 1000 : 8;
  for (int i = 0; i < positions; ++i) {
    Race<6> race;
    race.rules = windows.rules;
    race.attacker = draws.below(2);
    const int stones = 12 + draws.below(12);
    for (int j = 0; j < stones; ++j) {  // near the centre
      const int cell = (5 + draws.below(9)) * 19 + 5 + draws.below(9);
      if (!race.occupied(cell)) race.put(j % 2, cell);
    }
    const PlainRace plain = race.plain();
    if (plain.completed(0) || plain.completed(1)) continue;
    bool open = false;
    const int shortest = PlainVcdt(plain).shortest(race.attacker, 3, &open);
    const ConnectThreats<6> position(windows, race.state);
    const bool ends = shortest == 0 && !open;
    const VcdtAnswer answer = search.solve(position, race.attacker, 2, to_the_end(ends ? 40 : 3));
    ASSERT_EQ(answer.turns, shortest) << plain.cells;
    const Outcome other = ends ? Outcome::kExhausted : Outcome::kCut;
    ASSERT_EQ(answer.outcome, shortest > 0 ? Outcome::kWin : other);
    wins += shortest > 0 ? 1 : 0;
    longer += shortest > 2 ? 1 : 0;
    none += ends ? 1 : 0;
  }
  EXPECT_GE(wins, positions / 10);
  EXPECT_GT(longer, positions / 100);
  EXPECT_GT(none, positions / 50);
}

// Random positions seldom have longer wins: such are looked for with the search that is tested.
void expect_longer_wins(int rows, int columns, int k, int empty, int positions) {
  const auto rules = Connect<1>::make_rules(rows, columns, k, 2);
  const ConnectWindows<1> windows(rules);
  Vcdt<1> search(windows, 12);
  Draws draws(static_cast<std::uint64_t>(100 * rows + columns));
  for (int found = 0; found < positions;) {
    const int stones = rules.cells - empty;
    const Race<1> race = Race<1>::random(rules, stones / 2, stones - stones / 2, &draws);
    const ConnectThreats<1> position(windows, race.state);
    const VcdtAnswer answer = search.solve(position, race.attacker, 2, to_the_end());
    if (answer.turns <= 2) continue;
    ++found;
    bool open = false;
    ASSERT_EQ(race.plain().vcdt(race.attacker, 2, answer.turns, &open), answer.turns);
    ASSERT_EQ(PlainReplies(race.plain(), race.attacker, search.proof()).wrong(2), "");
  }
}

TEST(Vcdt, AgreesOnLongerWinsSlow) {
  expect_longer_wins(5, 5, 4, 14, nightly() ? 5 : 1);
  if (!nightly()) return;
  expect_longer_wins(4, 7, 5, 14, 2);
  expect_longer_wins(6, 6, 5, 16, 1);
}

// 19 x 19 against looking at every pair of stones: whether two turns win, how many pairs leave two
// threats.
TEST(Vcdt, AgreesOnTheFirstTurnOfLargeBoards) {
  auto& [windows, search] = board19();
  Draws draws(19);
  int wins = 0;
  int turns_found = 0;
  const int positions = nightly() ? 1000 : 150;
  for (int i = 0; i < positions; ++i) {
    Race<6> race;
    race.rules = windows.rules;
    race.attacker = draws.below(2);
    const int stones = 14 + draws.below(16);
    for (int j = 0; j < stones; ++j) {  // near the centre
      const int cell = (5 + draws.below(9)) * 19 + 5 + draws.below(9);
      if (!race.occupied(cell)) race.put(j % 2, cell);
    }
    ConnectThreats<6> position(windows, race.state);
    const int attacker = race.attacker;
    if (position.can_complete(attacker, 2)) continue;
    // Windows by their cells: of pairs only those that bring one to four stones.
    const PlainRace plain = race.plain();
    std::vector<std::vector<int>> live;
    for (const auto& window : plain.windows) {
      const auto has = [&](char c) {
        return std::ranges::count_if(window, [&](int cell) { return plain.at(cell) == c; });
      };
      const auto others = has(PlainRace::colour(1 - attacker));
      if (others == 0 && has(PlainRace::colour(attacker)) >= 2) live.push_back(window);
    }
    std::set<std::pair<int, int>> expected;
    bool triple = false;
    const std::vector<int> empty = plain.empty();
    std::set<int> near;
    for (const auto& window : live) near.insert(window.begin(), window.end());
    for (const int a : empty) {
      if (!near.contains(a)) continue;
      for (const int b : empty) {
        if (b == a || (b < a && near.contains(b))) continue;
        position.add(attacker, ConnectTurn{static_cast<Move>(a), static_cast<Move>(b)});
        const int number = position.number(attacker);
        const bool heeded = position.number(1 - attacker) == 0;
        position.remove(attacker, ConnectTurn{static_cast<Move>(a), static_cast<Move>(b)});
        if (!heeded || number < 2) continue;
        expected.insert(std::minmax(a, b));
        triple |= number == 3;
      }
    }
    ASSERT_EQ(search.solve(position, attacker, 2, to_the_end(2)).outcome == Outcome::kWin, triple);
    wins += triple;
    if (triple) continue;
    ForcingPairs<6> pairs(windows);
    std::vector<ForcingTurn> turns;
    if (pairs.read(position, attacker)) pairs.doubles(&turns);
    std::set<std::pair<int, int>> found;
    for (const ForcingTurn& turn : turns) {
      ASSERT_TRUE(found.insert({turn.turn.first, turn.turn.second}).second);
    }
    ASSERT_EQ(found, expected);
    turns_found += static_cast<int>(found.size());
  }
  EXPECT_GT(wins, positions / 10);
  EXPECT_GT(turns_found, 5 * positions);
}

TEST(Vcdt, OfOneStoneATurnIsVictoryByContinuousFours) {
  const Agreement met = expect_agreement<1>(5, 5, 4, 1, 14, 150, 6);
  EXPECT_GT(met.wins, 10);
  EXPECT_GT(met.longer, 2);
  expect_agreement<1>(6, 6, 5, 1, 20, 60, 5);
}

// A planted fault: the attacker does not heed the other side's threats.
struct Heedless {
  static constexpr bool kHeedsOthersThreats = false;
};

TEST(PlantedRace, ThreatsOfTheOtherSideIgnored) {
  const auto race = Race<1>::of_rows(4, 2, "..WB/W.../..B./WB../", 'B');
  const ConnectWindows<1> windows(race.rules);
  const ConnectThreats<1> position(windows, race.state);
  bool open = false;
  EXPECT_EQ(race.plain().vcdt(race.attacker, 2, 6, &open), 0);
  EXPECT_FALSE(open);
  EXPECT_EQ(Vcdt<1>(windows).solve(position, race.attacker, 2, to_the_end()).outcome,
            Outcome::kExhausted);
  Vcdt<1, Heedless> faulty(windows);
  EXPECT_EQ(faulty.solve(position, race.attacker, 2, to_the_end()).outcome, Outcome::kWin);
  EXPECT_FALSE(RaceWalk<1>().walk(position, race.attacker, 2, faulty.proof()));
}

}  // namespace
}  // namespace playproof::vcdt_test
