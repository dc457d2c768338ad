// Does the conformance suite notice? Hex with one deliberate fault at a time must be caught, and by
// the sentence that the fault breaks.
#include <gtest/gtest-spi.h>
#include <gtest/gtest.h>

#include <bit>
#include <functional>
#include <string>

#include "games/hex/connection.h"
#include "tests/games/support.h"
#include "tests/small_games.h"

namespace playproof {

enum class Fault { kNone, kMove, kOrder, kCanary, kMover, kValue, kBound, kKey, kEdge, kEndless };

template <Fault F>
struct FaultyHex : Hex<1> {
  static int moves(const Rules& rules, const State& s, Move* out) {
    int count = Hex<1>::moves(rules, s, out);
    if (F == Fault::kMove && count > 1) out[--count] = 0xabcd;  // what was there before
    if (F == Fault::kOrder && count > 1) std::swap(out[0], out[1]);
    if (F == Fault::kCanary) out[count] = 0;
    return count;
  }
  static Player to_move(const Rules& rules, const State& s) {
    const Player right = Hex<1>::to_move(rules, s);
    return F == Fault::kMover && s.count == 3 ? opponent(right) : right;
  }
  static Value value(const Rules& rules, const State& s) {
    const Value right = Hex<1>::value(rules, s);
    return static_cast<Value>(F == Fault::kValue ? -right : right);
  }
  static int max_plies_left(const Rules& rules, const State& s) {
    const int right = Hex<1>::max_plies_left(rules, s);
    if (F == Fault::kBound) return right > 0 ? right - 1 : 0;
    if (F == Fault::kEndless) return right > 0 ? 20 : 0;
    return right;
  }
  static std::uint64_t key(const Rules& rules, const State& s) {
    static std::uint64_t asked = 0;
    return F == Fault::kKey ? ++asked : Hex<1>::key(rules, s);
  }
  static void play(const Rules& rules, State& s, Move cell) {
    Hex<1>::play(rules, s, cell);
    if (F == Fault::kEdge && s.winner == 2) s.winner = 0;
  }
};

template <Fault F>
struct ReferenceOf<FaultyHex<F>> : ReferenceOf<Hex<1>> {};
template <Fault F>
struct GameText<FaultyHex<F>> : GameText<Hex<1>> {};

// Hex whose connection has one deliberate fault.
enum class ConnectionFault { kNone, kFewer, kMore, kLoser, kLonger, kExchange, kStones };
template <ConnectionFault F>
struct MisconnectedHex : Hex<1> {};
template <ConnectionFault F>
struct GameText<MisconnectedHex<F>> : GameText<Hex<1>> {};

template <ConnectionFault F>
struct Connection<MisconnectedHex<F>> : Connection<Hex<1>> {
  using Right = Connection<Hex<1>>;
  static Cells stones(const State& s, Player player) {
    Cells stones = Right::stones(s, player);
    if (F == ConnectionFault::kStones && s.count == 5) stones.remove(stones.lowest());
    return stones;
  }
  static Cells winning_set(const Rules& rules, const State& s) {
    Cells set = Right::winning_set(rules, s);
    const auto won = static_cast<Player>(s.winner - 1);
    if (F == ConnectionFault::kFewer) set.remove(set.lowest());
    if (F == ConnectionFault::kMore) set = Right::stones(s, won);
    if (F == ConnectionFault::kLoser) set = Right::stones(s, opponent(won));
    if (F == ConnectionFault::kLonger) set = longer(rules, s, won);
    return set;
  }
  static std::vector<CellPermutation<1>> exchanges(const Rules& rules) {
    auto all = Right::exchanges(rules);
    const int n = rules.columns;
    if (F == ConnectionFault::kExchange) {  // players stay what they are
      all[0] = CellPermutation<1>(n * n, [n](int cell) { return n * n - 1 - cell; });
    }
    return all;
  }
  // A winning set of which no stone can go, of as many cells as there are.
  static Cells longer(const Rules& rules, const State& s, Player won) {
    Cells longest = Right::winning_set(rules, s);
    const std::uint64_t own = s.stones[static_cast<int>(won)][0];
    for (std::uint64_t set = own; set != 0; set = (set - 1) & own) {
      const auto wins = [&](std::uint64_t stones) {
        State alone;
        alone.stones[static_cast<int>(won)][0] = stones;
        alone.winner = s.winner;
        return !Right::winning_set(rules, alone).empty();
      };
      bool minimal = wins(set);
      for (std::uint64_t rest = set; rest != 0; rest &= rest - 1) {
        minimal = minimal && !wins(set & ~(rest & -rest));
      }
      if (minimal && std::popcount(set) > longest.size()) longest.words[0] = set;
    }
    return longest;
  }
};

namespace conformance_control_test {
namespace {

// What a suite complains of.
std::string complaints_of(const std::function<void()>& suite) {
  testing::TestPartResultArray results;
  {
    testing::ScopedFakeTestPartResultReporter reporter(
        testing::ScopedFakeTestPartResultReporter::INTERCEPT_ONLY_CURRENT_THREAD, &results);
    suite();
  }
  std::string all;
  for (int i = 0; i < results.size(); ++i) all += results.GetTestPartResult(i).message();
  return all;
}

// The failure texts of some games on a 3 x 4 board.
template <Fault F>
std::string complaints() {
  return complaints_of([] {
    Conformance<FaultyHex<F>> suite(Hex<1>::make_rules(3, 4), 1);
    for (std::uint64_t seed = 1; seed <= 50; ++seed) suite.play_game(seed);
  });
}
template <Game G>
std::string complaints_of_walk() {
  return complaints_of([] { Walk<G>({}, 1000).run(); });
}

template <Fault F>
void expect_noticed(const std::string& sentence) {
  EXPECT_NE(complaints<F>().find("not so: " + sentence), std::string::npos) << sentence;
}

TEST(ConformanceControl, FaultsAreNoticed) {
  EXPECT_EQ(complaints<Fault::kNone>(), "");
  expect_noticed<Fault::kMove>("moves as reference");
  expect_noticed<Fault::kOrder>("moves ascend");
  expect_noticed<Fault::kCanary>("nothing is written behind the moves");
  expect_noticed<Fault::kMover>("side to move as reference");
  expect_noticed<Fault::kValue>("value as reference");
  expect_noticed<Fault::kBound>("max_plies_left is 0 just when finished");
  expect_noticed<Fault::kKey>("byte copies are equal states with equal keys");
  expect_noticed<Fault::kEdge>("finished as reference");
  expect_noticed<Fault::kEndless>("no position can come again");
}

template <ConnectionFault F>
std::string complaints_of_connection() {
  return complaints_of([] {
    ConnectionConformance<MisconnectedHex<F>> suite(Hex<1>::make_rules(4, 4));
    for (std::uint64_t seed = 1; seed <= 200; ++seed) suite.play_game(seed);
  });
}
TEST(ConformanceControl, FaultyConnectionsAreNoticed) {
  using enum ConnectionFault;
  EXPECT_EQ(complaints_of_connection<kNone>(), "");
  const auto noticed = [](const std::string& complaints, const std::string& sentence) {
    EXPECT_NE(complaints.find("not so: " + sentence), std::string::npos) << sentence;
  };
  noticed(complaints_of_connection<kStones>(), "a move is the empty cell");
  noticed(complaints_of_connection<kLoser>(), "a winning set is of the winner's stones");
  noticed(complaints_of_connection<kFewer>(), "a winning set wins just when it is complete");
  noticed(complaints_of_connection<kMore>(), "a winning set wins just when it is complete");
  noticed(complaints_of_connection<kLonger>(), "no winning set has fewer cells");
  noticed(complaints_of_connection<kExchange>(),
          "an exchange makes each player's wins the other's");
}

// An identity that leaves out who moves, or how many stones are left in the turn.
TEST(ConformanceControl, IdentitiesThatTellTooLittle) {
  EXPECT_EQ((complaints_of_walk<Takings<true, true>>()), "");
  const char* sentence = "one identity is one position";
  EXPECT_NE((complaints_of_walk<Takings<false, true>>().find(sentence)), std::string::npos);
  EXPECT_NE((complaints_of_walk<Takings<true, false>>().find(sentence)), std::string::npos);
}

// A game whose positions come again must say so.
struct SilentShuttle : Shuttle {
  static constexpr PathRule kPaths = PathRule::kAcyclic;
  static constexpr int kMaxPlies = 512;
  // Each position once, at most.
  static int max_plies_left(const Rules& r, const State& s) {
    return finished(r, s) ? 0 : 2 * r.cells;
  }
};
TEST(ConformanceControl, RepetitionThatIsNotDeclared) {
  EXPECT_EQ(complaints_of_walk<Shuttle>(), "");
  Walk<Shuttle> walk({}, 1000);
  walk.run();
  EXPECT_TRUE(walk.repeats());
  EXPECT_NE(complaints_of_walk<SilentShuttle>().find("no path meets a position twice"),
            std::string::npos);
}

}  // namespace
}  // namespace conformance_control_test
}  // namespace playproof
