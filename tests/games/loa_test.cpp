// Lines of Action beyond what every game is tested for: its table of perft, both rule sets on all
// sizes, the Euler number by its quads, games of the literature, ends of all kinds, texts.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "games/core/perft.h"
#include "tests/games/support.h"
#include "tests/nightly.h"

namespace playproof::loa_test {
namespace {

using Text = GameText<Loa>;

Loa::Rules rules_of(int size, bool mover_wins = false) {
  return Loa::make_rules(size, PathRule::kThirdDraws, mover_wins);
}

std::vector<std::string> moves_of(const Loa::Rules& rules, const Loa::State& state) {
  Move moves[Loa::kMaxMoves];
  const int count = Loa::moves(rules, state, moves);
  std::vector<std::string> texts;
  for (int i = 0; i < count; ++i) texts.push_back(Text::move_text(rules, moves[i]));
  return texts;
}

TEST(Loa, PerftOfTheInitialPosition) {
  const std::uint64_t leaves[] = {1, 36, 1244, 44'952, 1'563'208, 55'963'132};
  const Loa::Rules rules = rules_of(8);
  const int deepest = nightly() ? 5 : 4;
  for (int depth = 0; depth <= deepest; ++depth) {
    EXPECT_EQ(perft<Loa>(rules, Loa::initial(rules), depth), leaves[depth]) << depth;
  }
}

TEST(Loa, PerftByReference) {
  for (int size = Loa::kMinSize; size <= Loa::kMaxSize; ++size) {
    const Loa::Rules rules = rules_of(size);
    const int depth = size < 6 ? 4 : 3;
    EXPECT_EQ(perft<Loa>(rules, Loa::initial(rules), depth),
              perft_by_reference<Loa>(rules, Loa::initial(rules), depth));
    for (std::uint64_t seed = 1; seed <= 20; ++seed) {
      const Loa::State late = random_position<Loa>(rules, 40, seed);
      EXPECT_EQ(perft<Loa>(rules, late, 2), perft_by_reference<Loa>(rules, late, 2));
    }
  }
}

TEST(Loa, ConformsOnEverySize) {
  std::vector<Loa::Rules> all;
  for (int size = Loa::kMinSize; size <= Loa::kMaxSize; ++size) {
    for (const bool mover_wins : {false, true}) all.push_back(rules_of(size, mover_wins));
  }
  const std::int64_t plies = nightly() ? 1'000'000 : 40'000;
  EXPECT_GE(conformance<Loa>(all, plies, 9, 16), plies);
}

// Groups less holes: by all quads of the board and its border, as they are counted in the papers.
int euler_number(const Loa::Rules& rules, std::uint64_t stones) {
  const auto stone = [&](int row, int column) {
    const bool inside = row >= 0 && row < rules.size && column >= 0 && column < rules.size;
    return inside && (stones >> (8 * row + column) & 1) != 0 ? 1 : 0;
  };
  int sum = 0;
  for (int row = -1; row < rules.size; ++row) {
    for (int column = -1; column < rules.size; ++column) {
      const int diagonal = stone(row, column) + stone(row + 1, column + 1);
      const int other = stone(row, column + 1) + stone(row + 1, column);
      if (diagonal + other == 1) ++sum;
      if (diagonal + other == 3) --sum;
      if (diagonal + other == 2 && diagonal != 1) sum -= 2;
    }
  }
  EXPECT_EQ(sum % 4, 0);
  return sum / 4;
}

TEST(Loa, EulerNumbersAreKeptMoveByMove) {
  std::set<int> seen;
  for (int size = Loa::kMinSize; size <= Loa::kMaxSize; ++size) {
    const Loa::Rules rules = rules_of(size);
    for (std::uint64_t game = 1; game <= 100; ++game) {
      Draws draws(game);
      Loa::State state = Loa::initial(rules);
      for (int ply = 0; ply < 60; ++ply) {
        for (const int side : {0, 1}) {
          ASSERT_EQ(state.euler[side], euler_number(rules, state.stones[side]))
              << Text::format(rules, state);
          seen.insert(state.euler[side]);
        }
        if (Loa::finished(rules, state)) break;
        Move moves[Loa::kMaxMoves];
        Loa::play(rules, state, moves[draws.below(Loa::moves(rules, state, moves))]);
      }
    }
  }
  EXPECT_GE(seen.size(), 8u);
  EXPECT_TRUE(seen.contains(0));  // a group around a hole
}

// The greater of the Euler number and 1: by hand, and kept or not the same for both colours.
TEST(Loa, GroupsByQuads) {
  struct ByHand {
    int size;
    const char* position;
    int black, white;
  };
  for (const ByHand& by_hand :
       {ByHand{4, "X-X-----O---OO-X X", 3, 1},  // three alone; one group of three
        ByHand{6, "XXX---X-X---XXX--O------O----------O O", 1,
               3},  // a ring: one group less one hole is 0
        ByHand{8, "", 2, 2}}) {
    const Loa::Rules rules = rules_of(by_hand.size);
    const Loa::State state = Text::parse(rules, by_hand.position);
    EXPECT_EQ(Loa::quad_groups(state, Player::kFirst), by_hand.black) << by_hand.position;
    EXPECT_EQ(Loa::quad_groups(state, Player::kSecond), by_hand.white) << by_hand.position;
    const Loa::State other =
        Loa::make_state(rules, state.stones[1], state.stones[0], state.to_move ^ 1);
    EXPECT_EQ(Loa::quad_groups(other, Player::kSecond), by_hand.black) << by_hand.position;
    EXPECT_EQ(Loa::quad_groups(other, Player::kFirst), by_hand.white) << by_hand.position;
  }
}

// ---- looks -----------------------------------------------------------------------------------

bool has_won(const Loa::Rules& rules, const Loa::State& state, int side) {
  return Loa::finished(rules, state) && Loa::value(rules, state) == (side == 0 ? 1 : -1);
}
bool one_group(const Loa::Rules& rules, std::uint64_t stones) {
  const auto beside = [&](int a, int b) {
    return std::abs(a / 8 - b / 8) <= 1 && std::abs(a % 8 - b % 8) <= 1;
  };
  std::vector<int> left;
  for (int cell = 0; cell < 64; ++cell) {
    if ((stones & rules.board) >> cell & 1) left.push_back(cell);
  }
  std::vector<int> group = {left.back()};
  left.pop_back();
  for (std::size_t i = 0; i < group.size(); ++i) {
    for (std::size_t j = 0; j < left.size();) {
      if (beside(group[i], left[j])) {
        group.push_back(left[j]);
        left.erase(left.begin() + static_cast<std::ptrdiff_t>(j));
      } else {
        ++j;
      }
    }
  }
  return left.empty();
}
// Does the move win by joining all stones?
bool joins(const Loa::Rules& rules, const Loa::State& state, Move move) {
  Loa::State child = state;
  Loa::play(rules, child, move);
  return has_won(rules, child, state.to_move) && one_group(rules, child.stones[state.to_move]);
}
bool can_join(const Loa::Rules& rules, const Loa::State& state) {
  Move moves[Loa::kMaxMoves];
  const int count = Loa::moves(rules, state, moves);
  return std::any_of(moves, moves + count, [&](Move move) { return joins(rules, state, move); });
}
// Does it win within three plies?
bool wins_in_three(const Loa::Rules& rules, const Loa::State& state, Move move) {
  Loa::State child = state;
  Loa::play(rules, child, move);
  if (Loa::finished(rules, child)) return has_won(rules, child, state.to_move);
  Move replies[Loa::kMaxMoves];
  const int count = Loa::moves(rules, child, replies);
  return std::all_of(replies, replies + count, [&](Move reply) {
    Loa::State next = child;
    Loa::play(rules, next, reply);
    return Loa::finished(rules, next) ? has_won(rules, next, state.to_move) : can_join(rules, next);
  });
}

TEST(Loa, LooksAreWhatTheySay) {
  int found[4] = {};
  int none = 0;
  for (int size = Loa::kMinSize; size <= Loa::kMaxSize; ++size) {
    for (const bool mover_wins : {false, true}) {
      const Loa::Rules rules = rules_of(size, mover_wins);
      for (std::uint64_t seed = 1; seed <= 60; ++seed) {
        const int plies = static_cast<int>(seed) + (size == 8 ? 40 : 0);
        const Loa::State state = random_position<Loa>(rules, plies, seed);
        if (Loa::finished(rules, state)) continue;
        Move moves[Loa::kMaxMoves];
        const int count = Loa::moves(rules, state, moves);
        const LookAnswer one = Look<Loa>::find(rules, state, 1);
        const LookAnswer three = Look<Loa>::find(rules, state, 3);
        EXPECT_EQ(one.nodes, 1u);
        EXPECT_EQ(one.move != kNoMove, can_join(rules, state)) << Text::format(rules, state);
        if (one.move != kNoMove) {
          ++found[1];
          EXPECT_TRUE(std::count(moves, moves + count, one.move) == 1 &&
                      joins(rules, state, one.move));
          EXPECT_EQ(three.move, one.move);
          continue;
        }
        const bool wins = std::any_of(moves, moves + count,
                                      [&](Move move) { return wins_in_three(rules, state, move); });
        EXPECT_EQ(three.move != kNoMove, wins) << Text::format(rules, state);
        if (three.move != kNoMove) {
          ++found[3];
          EXPECT_TRUE(std::count(moves, moves + count, three.move) == 1 &&
                      wins_in_three(rules, state, three.move));
        } else {
          ++none;
        }
      }
    }
  }
  EXPECT_GT(found[1], 20);
  EXPECT_GT(found[3], 5);
  EXPECT_GT(none, 100);
}

TEST(Loa, StonesJumpOverTheirOwnSideAlone) {
  const Loa::Rules rules = rules_of(5);
  const auto moves_from_a1 = [&](const std::string& board) {
    std::vector<std::string> found;
    for (const std::string& move : moves_of(rules, Text::parse(rules, board))) {
      if (move.starts_with("a1")) found.push_back(move);
    }
    return found;
  };
  // Three stones on the first row: over b1 to d1, unless b1 is the other side's.
  EXPECT_EQ(moves_from_a1("XX--O----------------X-O- X"),
            (std::vector<std::string>{"a1-d1", "a1-a2", "a1-b2"}));
  EXPECT_EQ(moves_from_a1("XO-O-----------------X--- X"),
            (std::vector<std::string>{"a1-a2", "a1-b2"}));
  // It captures where it ends, but not its own side's stones.
  EXPECT_EQ(moves_from_a1("X-O-------X-O------------ X"),
            (std::vector<std::string>{"a1-c1", "a1-c3"}));
}

// What is left of a game after its last move, by name.
int value_after(const std::string& game, const std::string& position, const std::string& move) {
  return visit_game(game, [&]<class G>(const typename G::Rules& rules) -> int {
    auto state = GameText<G>::parse(rules, position);
    EXPECT_FALSE(G::finished(rules, state)) << position;
    G::play(rules, state, GameText<G>::parse_move(rules, move));
    const auto reference = ReferenceOf<G>::state(rules, state);
    EXPECT_TRUE(G::finished(rules, state)) << position;
    EXPECT_EQ(ReferenceOf<G>::Type::value(ReferenceOf<G>::rules(rules), reference),
              G::value(rules, state));
    return G::value(rules, state);
  });
}

TEST(Loa, EndsOfAllKinds) {
  // Black connects.
  EXPECT_EQ(value_after("loa:size=4", "X--X----O------O X", "d1-b1"), 1);
  // Black captures the stone that was apart from White's others.
  EXPECT_EQ(value_after("loa:size=4", "X-O-----O---O--X X", "a1-c1"), -1);
  // The same, and Black's own are one group then.
  EXPECT_EQ(value_after("loa:size=4", "X-O----XO---O--- X", "a1-c1"), 0);
  EXPECT_EQ(value_after("loa:size=4,both=mover", "X-O----XO---O--- X", "a1-c1"), 1);
  // Black captures all but one.
  EXPECT_EQ(value_after("loa:size=4", "X-O---------O--X X", "a1-c1"), -1);
}

TEST(Loa, NoMoveLoses) {
  for (const auto& [size, position] : std::vector<std::pair<int, std::string>>{
           {4, "-----OOO-X-X--O- X"},
           {5, "XO---OO-----O------O---OX X"},
           {8, "OO--O--X------OO-------O---O-----O--OO---------O--------------OX X"}}) {
    for (const bool mover_wins : {false, true}) {
      const Loa::Rules rules = rules_of(size, mover_wins);
      Loa::State state = Text::parse(rules, position);
      EXPECT_TRUE(moves_of(rules, state).empty()) << position;
      EXPECT_TRUE(Loa::finished(rules, state)) << position;
      EXPECT_EQ(Loa::value(rules, state), -1) << position;
      const auto reference = ReferenceOf<Loa>::state(rules, state);
      EXPECT_TRUE(RefLoa::finished(ReferenceOf<Loa>::rules(rules), reference));
      EXPECT_EQ(RefLoa::value(ReferenceOf<Loa>::rules(rules), reference), -1);
      // The other side has moves.
      state = Text::parse(rules, position.substr(0, position.size() - 1) + "O");
      EXPECT_FALSE(Loa::finished(rules, state)) << position;
    }
  }
}

// Any stones: both rule sets say the same.
TEST(Loa, SetUpsByReference) {
  Draws draws(5);
  int both = 0;
  for (int i = 0; i < 100'000; ++i) {
    const Loa::Rules rules = rules_of(4 + draws.below(2), draws.below(2) == 0);
    std::uint64_t stones[2] = {};
    for (const int side : {0, 1}) {
      for (int count = 1 + draws.below(Loa::most_stones(rules)); count > 0; --count) {
        const int cell = 8 * draws.below(rules.size) + draws.below(rules.size);
        if ((stones[0] >> cell & 1) == 0) stones[side] |= std::uint64_t{1} << cell;
      }
    }
    if (stones[0] == 0 || stones[1] == 0) continue;
    const Loa::State state = Loa::make_state(rules, stones[0], stones[1], draws.below(2));
    const RefLoa::Rules reference_rules = ReferenceOf<Loa>::rules(rules);
    const RefLoa::State reference = ReferenceOf<Loa>::state(rules, state);
    ASSERT_EQ(Loa::finished(rules, state), RefLoa::finished(reference_rules, reference));
    if (!Loa::finished(rules, state)) continue;
    ASSERT_EQ(Loa::value(rules, state), RefLoa::value(reference_rules, reference))
        << Text::format(rules, state);
    both += Loa::value(rules, state) == 0 ? 1 : 0;
  }
  EXPECT_GT(both, 100);
}

// Games of Winands' thesis and the shortest one that is known: the moves, and who won.
TEST(Loa, GamesOfTheLiterature) {
  const Loa::Rules rules = rules_of(8);
  int games = 0;
  for (const std::string& line : data_lines("loa-games.txt")) {
    const std::size_t comment = line.find(" # ");
    const std::string moves = line.substr(0, comment);
    const std::string winner = line.substr(comment + 3, line.find(',') - comment - 3);
    const Loa::State end = Text::parse(rules, moves);  // refuses what is not legal
    ++games;
    ASSERT_EQ(Loa::finished(rules, end), winner != "nobody") << line;
    if (winner == "nobody") continue;
    EXPECT_EQ(Loa::value(rules, end), winner == "Black" ? 1 : -1) << line;
  }
  EXPECT_EQ(games, 16);
}

TEST(Loa, TextsThatAreRefused) {
  const std::string board = "-XX-O--OO--O-XX-";
  for (const auto& [text, error] : std::vector<std::pair<std::string, std::string>>{
           {"b1-b4", "no legal move: 'b1-b4', at offset 0"},
           {"b1-b3 b1", "expected a move such as b1-b3, or a board, not 'b1', at offset 6"},
           {"b1-b5", "expected a move such as b1-b3, or a board, not 'b1-b5', at offset 0"},
           {"b1+b3", "expected a move such as b1-b3, or a board, not 'b1+b3', at offset 0"},
           {board.substr(0, 15), "expected 16 cells, found 15, at offset 15"},
           {board, "expected the side to move, X or O, after the cells, at offset 16"},
           {board + "- X", "expected a blank after 16 cells, not '-', at offset 16"},
           {board + " Y", "the side to move must be X or O, not 'Y', at offset 17"},
           {board + " X b1-b3",
            "nothing may follow the side to move, but there is 'b1-b3', at offset 19"},
           {"-XX-O--.O--O-XX- X", "cell d2 must be X, O or -, not '.', at offset 7"},
           {"XXX-O--OO--OXXX- X", "each side has 1 to 4 stones, not 6 of X, at offset 0"},
           {"----O--OO--O---- X", "each side has 1 to 4 stones, not 0 of X, at offset 0"}}) {
    EXPECT_EQ(position_error("loa:size=4", text), "loa position: " + error) << text;
  }
  // Every beginning of a text is read or refused, and never a surprise.
  const std::string whole = "b1-b3 a2-c2 c4xc2";
  for (std::size_t cut = 0; cut <= whole.size(); ++cut) {
    position_error("loa:size=4", whole.substr(0, cut));
  }
}

TEST(Loa, NamesHaveEveryOption) {
  EXPECT_EQ(game_answer("loa"), "loa:size=8,repetition=third,both=draw");
  EXPECT_EQ(game_answer("loa:both=mover,size=5,repetition=none"),
            "loa:size=5,repetition=none,both=mover");
  for (const char* name :
       {"loa:size=4,repetition=third,both=draw", "loa:size=8,repetition=second,both=mover",
        "loa:size=6,repetition=none,both=draw"}) {
    std::vector<std::uint64_t> values;
    ASSERT_TRUE(ref_read_game<RefLoa>(name, &values)) << name;
    EXPECT_EQ(ref_game_text<RefLoa>(values), name);
    EXPECT_EQ(game_answer(name), name);
  }
  std::vector<std::uint64_t> values;
  for (const char* name : {"loa:size=9", "loa:size=3", "loa:repetition=fourth", "loa:both=0",
                           "loa:repetition=", "loa:repetition=third second"}) {
    EXPECT_FALSE(ref_read_game<RefLoa>(name, &values)) << name;
  }
}

}  // namespace
}  // namespace playproof::loa_test
