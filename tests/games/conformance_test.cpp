#include "tests/conformance.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "games/hex/connection.h"
#include "tests/nightly.h"

namespace playproof::conformance_test {
namespace {

// A game, over all its sizes; by night (PLAYPROOF_NIGHTLY) more.
const std::int64_t kPlies = nightly() ? 1'000'000 : 100'000;

TEST(Conformance, PGame) {
  std::vector<PGame::Rules> all;
  for (const std::uint64_t tree : {1u, 2u, 77u, 4294967295u}) {
    for (const auto& [branching, depth] : std::vector<std::pair<int, int>>{
             {2, 1}, {2, 20}, {3, 5}, {8, 8}, {17, 33}, {64, 1}, {64, 64}}) {
      all.push_back({tree, static_cast<std::uint8_t>(branching), static_cast<std::uint8_t>(depth)});
    }
  }
  EXPECT_GE(conformance<PGame>(all, kPlies, 1, 8), kPlies);
}

// Every game of the list: its usual rules and its small ones.
TEST(Conformance, EveryGame) {
  AllGames::for_each([]<class Entry>() {
    for (const std::string& game : {Entry::info().name, std::string(Entry::kSmall)}) {
      visit_game(game, []<class G>(const typename G::Rules& rules) {
        EXPECT_GE(conformance<G>({rules}, kPlies / 20, 8, 4), kPlies / 20);
      });
    }
  });
}

// Small boards, position by position: P-games are trees, Connect has turns of one to three stones,
// Othello passes.
TEST(Conformance, WalkOfSmallBoards) {
  for (const char* game :
       {"pgame:branching=3,depth=6", "hex:rows=3,columns=3", "connect6:rows=3,columns=3,connect=3",
        "connect6:rows=2,columns=4,connect=3,stones=1",
        "connect6:rows=3,columns=3,connect=3,stones=3", "nim:heaps=3.4.5", "othello:size=4"}) {
    visit_game(game, [&]<class G>(const typename G::Rules& rules) {
      Walk<G> walk(rules, 30'000);
      EXPECT_GT(walk.run(), 200u) << game;
      EXPECT_FALSE(walk.repeats()) << game;
    });
  }
  AllGames::for_each([]<class Entry>() {
    visit_game(Entry::kSmall, []<class G>(const typename G::Rules& rules) {
      EXPECT_GE(Walk<G>(rules, 30'000).run(), 8u);
    });
  });
}

// The boards with sides 2..19 that W words serve; every `stride`-th of them.
template <int W>
std::vector<typename Hex<W>::Rules> hex_boards(int stride) {
  std::vector<typename Hex<W>::Rules> all;
  int index = 0;
  for (int rows = Hex<W>::kMinSide; rows <= Hex<W>::kMaxSide; ++rows) {
    for (int columns = Hex<W>::kMinSide; columns <= Hex<W>::kMaxSide; ++columns) {
      const int cells = rows * columns;
      if ((cells <= 64 ? 1 : cells <= 128 ? 2 : 6) != W) continue;
      if (rows == columns || index++ % stride == 0) {
        all.push_back(Hex<W>::make_rules(rows, columns));
      }
    }
  }
  return all;
}

TEST(Conformance, HexOneWord) {
  EXPECT_GE(conformance<Hex<1>>(hex_boards<1>(1), kPlies / 2, 2, 4), kPlies / 2);
}
TEST(Conformance, HexTwoWords) {
  EXPECT_GE(conformance<Hex<2>>(hex_boards<2>(4), kPlies / 2, 3, 16), kPlies / 2);
}
TEST(Conformance, HexSixWords) {
  EXPECT_GE(conformance<Hex<6>>(hex_boards<6>(7), kPlies / 2, 3, 32), kPlies / 2);
}
// The six-word rules on boards that the one-word rules serve too.
TEST(Conformance, HexSixWordsOnSmallBoards) {
  std::vector<Hex<6>::Rules> all;
  for (int side = 2; side <= 8; ++side) all.push_back(Hex<6>::make_rules(side, 10 - side));
  EXPECT_GE(conformance<Hex<6>>(all, kPlies / 10, 4, 8), kPlies / 10);
}

template <int W>
void hex_connects(int stride, std::uint64_t games) {
  for (const auto& rules : hex_boards<W>(stride)) {
    ConnectionConformance<Hex<W>> suite(rules);
    for (std::uint64_t seed = 1; seed <= games && !::testing::Test::HasFailure(); ++seed)
      suite.play_game(seed);
  }
}
TEST(Conformance, HexConnects) {
  hex_connects<1>(1, 60);
  hex_connects<2>(3, 15);
  hex_connects<6>(7, 5);
}

TEST(Conformance, Othello) {
  const std::vector<Othello::Rules> all = {Othello::make_rules(4), Othello::make_rules(6),
                                           Othello::make_rules(8)};
  EXPECT_GE(conformance<Othello>(all, kPlies, 5, 4), kPlies);
}

TEST(Conformance, ConnectOneWord) {
  std::vector<Connect<1>::Rules> all;
  for (const auto& [rows, columns] : std::vector<std::pair<int, int>>{
           {2, 2}, {3, 3}, {3, 4}, {4, 4}, {3, 5}, {5, 3}, {2, 19}, {19, 2}, {7, 9}, {8, 8}}) {
    const int longest = rows > columns ? rows : columns;
    for (int k = Connect<1>::kMinLine; k <= longest; ++k) {
      for (const int p : {1, 2, 3, 8}) all.push_back(Connect<1>::make_rules(rows, columns, k, p));
    }
  }
  EXPECT_GE(conformance<Connect<1>>(all, kPlies / 2, 6, 4), kPlies / 2);
}
TEST(Conformance, ConnectSixWords) {
  std::vector<Connect<6>::Rules> all;
  for (const auto& [rows, columns] :
       std::vector<std::pair<int, int>>{{19, 19}, {19, 19}, {19, 4}, {5, 13}, {9, 8}, {11, 11}}) {
    const int longest = rows > columns ? rows : columns;
    for (const int k : {3, 5, 6, longest}) {
      if (k > longest) continue;
      for (const int p : {1, 2, 5}) all.push_back(Connect<6>::make_rules(rows, columns, k, p));
    }
  }
  EXPECT_GE(conformance<Connect<6>>(all, kPlies / 2, 7, 32), kPlies / 2);
}

}  // namespace
}  // namespace playproof::conformance_test
