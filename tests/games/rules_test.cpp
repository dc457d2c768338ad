// Rules against facts that do not come from this code: known answers, published results, the words
// of the rules themselves.
#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <sstream>
#include <string>
#include <unordered_map>
#include <vector>

#include "games/hex/reference.h"
#include "tests/games/support.h"
#include "tests/nightly.h"

namespace playproof::rules_test {
namespace {

// ---- P-game ----------------------------------------------------------------------------------

// Expected values printed by a Python script of ten lines that follows the definition in
// games/pgame/rules.h with integers of any size:
//   M = (1 << 64) - 1
//   def mix(x):
//       x = (x + 0x9e3779b97f4a7c15) & M
//       x = ((x ^ (x >> 30)) * 0xbf58476d1ce4e5b9) & M
//       x = ((x ^ (x >> 27)) * 0x94d049bb133111eb) & M
//       return x ^ (x >> 31)
//   h, s = mix(tree), 0
//   for ply, i in enumerate(path):
//       h = mix((h + (i + 1) * 0x9e3779b97f4a7c15) & M); s += (h >> 57) * (-1) ** ply
TEST(PGameRules, KnownAnswers) {
  struct Answer {
    std::uint64_t tree;
    const char* path;
    std::uint64_t hash;
    std::int32_t sum;
  };
  const Answer answers[] = {
      {1, "", 0x910a2dec89025cc1u, 0},
      {1, "0", 0xf18d6ce93d6cf1eeu, 120},
      {1, "1", 0x0b95f66d327e8d78u, 5},
      {1, "0 1 1", 0x1053bd15f1fa5215u, 69},
      {7, "0 1 2 3 4 5 6 7", 0x9d8f641d1d98e782u, -71},
      {200, "63 63 63 63 63", 0x2553e771dbb62317u, 12},
      {4294967295,
       "0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 0 1 2 3 "
       "4 5 6 7 8 9 10 11 12 13 14 15 16 0 1 2 3 4 5 6 7 8 9 10 11 12",
       0xdffb159659ce8609u, 839},
  };
  for (const Answer& answer : answers) {
    const PGame::Rules rules{answer.tree, 64, 64};
    const auto state = GameText<PGame>::parse(rules, answer.path);
    EXPECT_EQ(state.hash, answer.hash) << answer.tree << ": " << answer.path;
    EXPECT_EQ(state.sum, answer.sum) << answer.tree << ": " << answer.path;
    EXPECT_EQ(PGame::key(rules, state), answer.hash);
  }
}

TEST(PGameRules, ADeeperTreeBeginsWithTheShallowerOne) {
  const PGame::Rules shallow{9, 2, 5};
  const PGame::Rules deep{9, 8, 20};
  EXPECT_TRUE(GameText<PGame>::parse(shallow, "1 0 1 1 0") ==
              GameText<PGame>::parse(deep, "1 0 1 1 0"));
}

// ---- keys ------------------------------------------------------------------------------------

// Keys feed the playouts, so they are pinned; printed by the same script, the key being
//   mix(sum of mix(w_i + (i + 1) * 0xd1b54a32d192ed03)), Othello: mix(that + side to move).
TEST(Keys, KnownAnswers) {
  const auto hex = Hex<1>::make_rules(3, 3);
  EXPECT_EQ(Hex<1>::key(hex, Hex<1>::initial(hex)), 0xc5666ed06b2b6da1u);
  EXPECT_EQ(Hex<1>::key(hex, GameText<Hex<1>>::parse(hex, "b1 c3 a1")), 0xd219a8a74994771du);
  const auto connect = Connect<6>::make_rules(19, 19, 6, 2);
  EXPECT_EQ(Connect<6>::key(connect, GameText<Connect<6>>::parse(connect, "JJ")),
            0x5af75ea892791066u);
  const auto othello = Othello::make_rules(8);
  const auto start = Othello::initial(othello);
  EXPECT_EQ(Othello::key(othello, start), 0x2b7dfd227a279cf8u);
  EXPECT_EQ(Othello::key(othello, Othello::make_state(othello, start.discs[0], start.discs[1], 1)),
            0xccb6b5efc53d78a6u);
}

template <Game G>
void collect_keys(const typename G::Rules& rules, const typename G::State& state, int depth,
                  std::set<std::string>* states, std::set<std::uint64_t>* keys) {
  const std::string text = GameText<G>::format(rules, state);
  if (!states->insert(text).second) return;
  keys->insert(G::key(rules, state));
  if (depth == 0 || G::finished(rules, state)) return;
  Move moves[G::kMaxMoves];
  for (int i = 0; i < G::moves(rules, state, moves); ++i) {
    typename G::State child = state;
    G::play(rules, child, moves[i]);
    collect_keys<G>(rules, child, depth - 1, states, keys);
  }
}

// With 64 good bits two of so few states share a key about once in 10^9 runs.
TEST(Keys, DifferentStatesHaveDifferentKeys) {
  const auto check = []<class G>(const typename G::Rules& rules, int depth, std::size_t at_least) {
    std::set<std::string> states;
    std::set<std::uint64_t> keys;
    collect_keys<G>(rules, G::initial(rules), depth, &states, &keys);
    EXPECT_EQ(states.size(), keys.size()) << GameText<G>::canonical(rules);
    EXPECT_GE(keys.size(), at_least) << GameText<G>::canonical(rules);
  };
  check.operator()<Hex<1>>(Hex<1>::make_rules(3, 3), 9, 4000);
  check.operator()<Hex<2>>(Hex<2>::make_rules(11, 11), 2, 14000);
  check.operator()<Hex<6>>(Hex<6>::make_rules(13, 13), 2, 28000);
  check.operator()<Connect<6>>(Connect<6>::make_rules(19, 19, 6, 2), 2, 130000);
  check.operator()<Othello>(Othello::make_rules(8), 6, 4000);
  check.operator()<PGame>({3, 8, 5}, 5, 37000);
}

// ---- published results -----------------------------------------------------------------------

// Value for the first player by exhaustive search with a table of whole states.
template <Game G>
class Exhaustive {
 public:
  explicit Exhaustive(const typename G::Rules& rules) : rules_(rules), known_(0, KeyHash{rules}) {}
  int value(const typename G::State& state) {
    if (G::finished(rules_, state)) return G::value(rules_, state);
    const auto known = known_.find(state);
    if (known != known_.end()) return known->second;
    const bool first = G::to_move(rules_, state) == Player::kFirst;
    const int best_possible = first ? G::max_value(rules_) : G::min_value(rules_);
    int best = -best_possible;
    Move moves[G::kMaxMoves];
    const int count = G::moves(rules_, state, moves);
    for (int i = 0; i < count && best != best_possible; ++i) {
      typename G::State child = state;
      G::play(rules_, child, moves[i]);
      const int got = value(child);
      best = first ? std::max(best, got) : std::min(best, got);
    }
    known_.emplace(state, best);
    return best;
  }

 private:
  struct KeyHash {
    typename G::Rules rules;
    std::size_t operator()(const typename G::State& state) const { return G::key(rules, state); }
  };
  typename G::Rules rules_;
  std::unordered_map<typename G::State, int, KeyHash> known_;
};

TEST(HexRules, OpeningsOfSmallBoards) {
  Exhaustive<Hex<1>> three(Hex<1>::make_rules(3, 3));
  Exhaustive<Hex<1>> four(Hex<1>::make_rules(4, 4));
  int checked = 0;
  int turn = 0;
  for (const std::string& line : data_lines("hex-openings.txt")) {
    std::istringstream fields(line);
    int size = 0;
    std::string cell;
    std::string winner;
    ASSERT_TRUE(fields >> size >> cell >> winner) << line;
    if (size == 4 && ++turn % 8 != 0 && !nightly()) continue;
    const auto state = GameText<Hex<1>>::parse(Hex<1>::make_rules(size, size), cell);
    EXPECT_EQ((size == 3 ? three : four).value(state), winner == "B" ? 1 : -1) << line;
    ++checked;
  }
  EXPECT_EQ(checked, nightly() ? 25 : 11);
}

// Stones that touch lead from edge to edge where a colour has joined its edges, and nowhere else.
void expect_touching_stones_join(const RefHex::Rules& rules, const RefHex::State& s, char colour) {
  const int cells = rules.rows * rules.columns;
  std::vector<bool> known(s.cells.size() + 2, false);
  std::vector<int> reached = {cells};  // the first edge
  for (std::size_t i = 0; i < reached.size(); ++i) {
    for (int point = 0; point < cells + 2; ++point) {
      const auto at = static_cast<std::size_t>(point);
      const bool own = point >= cells || s.cells[at] == colour;
      if (!own || known[at] || !RefHex::touch(rules, colour, reached[i], point)) continue;
      known[at] = true;
      reached.push_back(point);
    }
  }
  const bool found = known[static_cast<std::size_t>(cells) + 1];
  EXPECT_EQ(found, RefHex::joined(rules, s, colour)) << std::string(s.cells.begin(), s.cells.end());
}

TEST(HexReference, TouchingPointsAreWhatJoins) {
  Draws draws(1);
  for (const auto& [rows, columns] :
       {std::pair{2, 2}, {2, 3}, {3, 2}, {3, 3}, {2, 5}, {5, 2}, {4, 7}, {19, 19}}) {
    const RefHex::Rules rules{rows, columns};
    const int cells = rows * columns;
    for (const char colour : {'B', 'W'}) {
      for (int i = 0; i < (cells < 100 ? 2000 : 50); ++i) {
        RefHex::State state = RefHex::initial(rules);
        for (char& cell : state.cells) cell = draws.below(5) < 3 ? colour : '.';
        expect_touching_stones_join(rules, state, colour);
      }
      for (int a = 0; a < cells + 2; ++a) {
        EXPECT_FALSE(RefHex::touch(rules, colour, a, a));
        for (int b = 0; b < a; ++b) {
          EXPECT_EQ(RefHex::touch(rules, colour, a, b), RefHex::touch(rules, colour, b, a));
        }
      }
      EXPECT_FALSE(RefHex::touch(rules, colour, cells, cells + 1));
    }
  }
}

TEST(HexReference, NamesOfPoints) {
  const RefHex::Rules rules{3, 4};
  EXPECT_EQ(RefHex::point_named(rules, 'B', "top"), 12);
  EXPECT_EQ(RefHex::point_named(rules, 'B', "bottom"), 13);
  EXPECT_EQ(RefHex::point_named(rules, 'W', "left"), 12);
  EXPECT_EQ(RefHex::point_named(rules, 'W', "right"), 13);
  EXPECT_EQ(RefHex::point_named(rules, 'W', "d3"), 11);
  for (const char* word : {"left", "right", "e1", "a4", "Top", "-", ""}) {
    EXPECT_EQ(RefHex::point_named(rules, 'B', word), -1) << word;
  }
  // b2 and the cells around it, by rows.
  std::string names;
  for (const char* name : {"a1", "b1", "c1", "d1", "a2", "c2", "d2", "a3", "b3", "c3", "d3"}) {
    const int cell = RefHex::point_named(rules, 'B', name);
    if (RefHex::touch(rules, 'B', cell, 5)) names += name;
  }
  EXPECT_EQ(names, "b1c1a2c2a3b3");
}

TEST(ConnectRules, SmallBoardsWithLinesOfThree) {
  int checked = 0;
  for (const std::string& line : data_lines("connect-small.txt")) {
    std::istringstream fields(line);
    int rows = 0;
    int columns = 0;
    int k = 0;
    std::string result;
    ASSERT_TRUE(fields >> rows >> columns >> k >> result) << line;
    if (k != 3) continue;  // the draws take a second; the search tests prove them
    const auto rules = Connect<1>::make_rules(rows, columns, k, 2);
    EXPECT_EQ(result, "black-win");
    EXPECT_EQ(Exhaustive<Connect<1>>(rules).value(Connect<1>::initial(rules)), 1) << line;
    ++checked;
  }
  EXPECT_EQ(checked, 3);
}

// ---- the words of the rules ------------------------------------------------------------------

TEST(ConnectRules, TurnsAreOneStoneThenSoMany) {
  for (int p = 1; p <= Connect<6>::kMaxStones; ++p) {
    const auto rules = Connect<6>::make_rules(19, 19, 19, p);
    auto state = Connect<6>::initial(rules);
    Player player = Player::kFirst;
    int left = 1;
    for (int stone = 0; stone < 361; ++stone) {
      ASSERT_EQ(Connect<6>::to_move(rules, state), player) << p << " " << stone;
      ASSERT_EQ(Connect<6>::stones_left_in_turn(rules, state), left) << p << " " << stone;
      ++state.count;  // only the count enters
      if (--left == 0) {
        left = p;
        player = opponent(player);
      }
    }
  }
}

// A line of more than k stones wins too, in every direction and place, and none wraps around.
TEST(ConnectRules, EveryLineWinsAndNoneWraps) {
  static constexpr int kRows = 7;
  static constexpr int kColumns = 9;
  static constexpr int kLine = 4;
  const auto rules = Connect<1>::make_rules(kRows, kColumns, kLine, 1);
  for (int cell = 0; cell < kRows * kColumns; ++cell) {
    for (const auto& [down, right] :
         std::vector<std::pair<int, int>>{{0, 1}, {1, 0}, {1, 1}, {1, -1}}) {
      for (const int length : {kLine - 1, kLine, kLine + 1}) {
        for (int last = 0; last < length; ++last) {
          Connect<1>::State state;
          bool inside = true;
          for (int i = 0; i < length; ++i) {
            const int row = cell / kColumns + i * down;
            const int column = cell % kColumns + i * right;
            inside = inside && row < kRows && column < kColumns && column >= 0;
            // Beyond the edge: where a rule that forgets the edge would look.
            const int at = cell + i * (down * kColumns + right);
            if (i != last && at < kRows * kColumns) add_cell(state.stones[0], at);
          }
          const int at = cell + last * (down * kColumns + right);
          if (at >= kRows * kColumns) continue;
          state.count = 10;  // Black to move
          Connect<1>::play(rules, state, static_cast<Move>(at));
          if (inside) {
            EXPECT_EQ(state.winner, length >= kLine ? 1 : 0) << cell << " " << down << right;
          } else if (length == kLine) {
            EXPECT_EQ(state.winner, 0) << cell << " " << down << right;
          }
        }
      }
    }
  }
}

TEST(ConnectRules, FullBoard) {
  const auto rules = Connect<1>::make_rules(2, 2, 2, 1);
  // The first two Black stones always touch.
  EXPECT_EQ(GameText<Connect<1>>::parse(rules, "AA BB AB").winner, 1);
  const auto wide = Connect<1>::make_rules(2, 3, 3, 1);
  const auto draw = GameText<Connect<1>>::parse(wide, "AA BA CA AB BB CB");
  EXPECT_EQ(draw.winner, Connect<1>::kDraw);
  EXPECT_EQ(Connect<1>::value(wide, draw), 0);
  // The last stone of a full board wins if it completes a line.
  const auto last =
      GameText<Connect<1>>::parse(Connect<1>::make_rules(3, 3, 3, 1), "AA BA CA CB AB AC CC BC BB");
  EXPECT_EQ(last.count, 9);
  EXPECT_EQ(last.winner, 1);
}

TEST(OthelloRules, ForcedPassAndItsEnd) {
  // O has no move, X has: the pass is O's only move, and the board stays.
  const auto rules = Othello::make_rules(4);
  const auto state = GameText<Othello>::parse(rules, "-OXXXXXXXXXX-X-- O");
  ASSERT_FALSE(Othello::finished(rules, state));
  Move moves[Othello::kMaxMoves];
  ASSERT_EQ(Othello::moves(rules, state, moves), 1);
  EXPECT_EQ(moves[0], Othello::kPass);
  auto next = state;
  Othello::play(rules, next, Othello::kPass);
  EXPECT_EQ(GameText<Othello>::format(rules, next), "-OXXXXXXXXXX-X-- X");
  EXPECT_NE(Othello::key(rules, next), Othello::key(rules, state));
  EXPECT_EQ(GameText<Othello>::parse_move(rules, "a1"), 0);
  Othello::play(rules, next, 0);  // takes the last O disc
  EXPECT_TRUE(Othello::finished(rules, next));
  EXPECT_EQ(Othello::value(rules, next), 16);
}

TEST(OthelloRules, EmptySquaresGoToTheWinner) {
  const auto rules = Othello::make_rules(4);
  const auto value = [&](const char* text) {
    const auto state = GameText<Othello>::parse(rules, text);
    EXPECT_TRUE(Othello::finished(rules, state)) << text;
    return static_cast<int>(Othello::value(rules, state));
  };
  EXPECT_EQ(value("----OOO-OOO----- X"), -16);
  EXPECT_EQ(value("XXXXXXXXOOOOOOOO X"), 0);
  EXPECT_EQ(value("XXXXXXXXXOOOOOOO O"), 2);
}

// ---- small things ----------------------------------------------------------------------------

TEST(Bitboard, SmallDivisorIsExact) {
  for (int divisor = 1; divisor <= 32; ++divisor) {
    for (int x = 0; x * divisor < 65536; ++x) {
      ASSERT_EQ(SmallDivisor::of(divisor).quotient(x), x / divisor) << x << " / " << divisor;
    }
  }
}

TEST(Bitboard, BoardWords) {
  EXPECT_EQ(board_word(361, 5), (std::uint64_t{1} << 41) - 1);
  EXPECT_EQ(board_word(361, 4), ~std::uint64_t{0});
  EXPECT_EQ(board_word(64, 0), ~std::uint64_t{0});
  EXPECT_EQ(board_word(64, 1), 0u);
  EXPECT_EQ(board_word(4, 0), 15u);
}

}  // namespace
}  // namespace playproof::rules_test
