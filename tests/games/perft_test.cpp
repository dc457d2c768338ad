// Perft against tables, closed forms and the reference rules.
#include "games/core/perft.h"

#include <gtest/gtest.h>

#include <sstream>

#include "tests/games/support.h"

namespace playproof::perft_test {
namespace {

template <Game G>
void expect_reference_perft(const typename G::Rules& rules, const typename G::State& state,
                            int max_depth) {
  for (int depth = 0; depth <= max_depth; ++depth) {
    EXPECT_EQ(perft<G>(rules, state, depth), perft_by_reference<G>(rules, state, depth))
        << GameText<G>::canonical(rules) << " '" << GameText<G>::format(rules, state)
        << "' to depth " << depth;
  }
}

TEST(Perft, OthelloTableInConventionA) {
  const Othello::Rules rules = Othello::make_rules(8);
  int checked = 0;
  for (const std::string& line : data_lines("othello-perft.txt")) {
    std::istringstream fields(line);
    int depth = 0;
    std::uint64_t leaves = 0;
    ASSERT_TRUE(fields >> depth >> leaves) << line;
    if (depth > 10) continue;  // depth 11 takes a second in a release build, minutes in others
    EXPECT_EQ(perft<Othello>(rules, Othello::initial(rules), depth), leaves) << line;
    ++checked;
  }
  EXPECT_EQ(checked, 10);
}

TEST(Perft, OthelloReference) {
  const Othello::Rules small = Othello::make_rules(4);
  expect_reference_perft<Othello>(small, Othello::initial(small), 16);  // the whole game
  const Othello::Rules middle = Othello::make_rules(6);
  expect_reference_perft<Othello>(middle, Othello::initial(middle), 5);
  const Othello::Rules large = Othello::make_rules(8);
  expect_reference_perft<Othello>(large, Othello::initial(large), 5);
  // Late positions, where passes and early ends are common.
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    expect_reference_perft<Othello>(middle, random_position<Othello>(middle, 26, seed), 6);
    expect_reference_perft<Othello>(large, random_position<Othello>(large, 54, seed), 6);
  }
}

// No game ends before the first player's shortest chain, so the count is a falling factorial.
TEST(Perft, HexClosedForm) {
  const Hex<1>::Rules small = Hex<1>::make_rules(3, 3);
  EXPECT_EQ(perft<Hex<1>>(small, Hex<1>::initial(small), 5), 9ull * 8 * 7 * 6 * 5);
  EXPECT_LT(perft<Hex<1>>(small, Hex<1>::initial(small), 6), 9ull * 8 * 7 * 6 * 5 * 4);
  const Hex<1>::Rules middle = Hex<1>::make_rules(4, 4);
  EXPECT_EQ(perft<Hex<1>>(middle, Hex<1>::initial(middle), 7), 16ull * 15 * 14 * 13 * 12 * 11 * 10);
  const Hex<6>::Rules large = Hex<6>::make_rules(19, 19);
  EXPECT_EQ(perft<Hex<6>>(large, Hex<6>::initial(large), 3), 361ull * 360 * 359);
}

template <int W>
void expect_hex(int rows, int columns, int plies, int depth) {
  const typename Hex<W>::Rules rules = Hex<W>::make_rules(rows, columns);
  for (std::uint64_t seed = 1; seed <= (plies == 0 ? 1 : 5); ++seed) {
    expect_reference_perft<Hex<W>>(rules, random_position<Hex<W>>(rules, plies, seed), depth);
  }
}

TEST(Perft, HexReference) {
  expect_hex<1>(2, 2, 0, 4);
  expect_hex<1>(3, 3, 0, 9);  // the whole game
  expect_hex<6>(3, 3, 0, 7);
  expect_hex<1>(2, 4, 0, 8);
  expect_hex<1>(4, 2, 0, 8);
  expect_hex<1>(4, 4, 0, 4);
  expect_hex<1>(4, 4, 9, 7);  // to the end
  expect_hex<1>(3, 5, 8, 7);
  expect_hex<1>(8, 8, 40, 3);
  expect_hex<6>(11, 11, 80, 2);
  expect_hex<6>(7, 19, 90, 2);
  expect_hex<6>(19, 19, 280, 2);
}

template <int W>
void expect_connect(int rows, int columns, int k, int p, int plies, int depth) {
  const auto rules = Connect<W>::make_rules(rows, columns, k, p);
  for (std::uint64_t seed = 1; seed <= (plies == 0 ? 1 : 3); ++seed) {
    expect_reference_perft<Connect<W>>(rules, random_position<Connect<W>>(rules, plies, seed),
                                       depth);
  }
}

TEST(Perft, ConnectReference) {
  for (const int p : {1, 2, 3, 8}) {
    expect_connect<1>(3, 3, 2, p, 0, 7);
    expect_connect<1>(3, 3, 3, p, 0, 7);
    expect_connect<1>(4, 4, 4, p, 9, 7);  // to the end
    expect_connect<1>(3, 5, 4, p, 8, 7);
  }
  expect_connect<6>(3, 3, 3, 2, 0, 7);
  expect_connect<1>(4, 4, 3, 2, 0, 4);
  expect_connect<1>(8, 8, 6, 2, 40, 3);
  expect_connect<6>(19, 19, 6, 2, 0, 2);
  expect_connect<6>(19, 19, 6, 2, 200, 2);
  expect_connect<6>(19, 5, 5, 4, 50, 2);
}

TEST(Perft, PGameReference) {
  const PGame::Rules rules{5, 3, 7};
  expect_reference_perft<PGame>(rules, PGame::initial(rules), 8);
  EXPECT_EQ(perft<PGame>(rules, PGame::initial(rules), 8), 2187u);  // 3^7, the game is over then
}

}  // namespace
}  // namespace playproof::perft_test
