// Every variant of every algorithm against the truth by plain minimax over the reference rules, or
// against published exact values: no exception.
#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <vector>

#include "games/core/error.h"
#include "games/list.h"
#include "support.h"

namespace playproof::agreement_test {
namespace {

// The reference rules, the oracle and the catalogue of moves say the same.
void expect_right_oracle(const std::string& game, const std::string& position,
                         const std::string& goal, const Truth& truth) {
  const OracleAnswer answer = oracle(game, position, goal);
  EXPECT_EQ(answer.reached, truth.value >= threshold_of(goal)) << game << ' ' << position;
  ASSERT_EQ(answer.moves.size(), truth.moves.size()) << game << ' ' << position;
  for (std::size_t i = 0; i < truth.moves.size(); ++i) {
    EXPECT_EQ(answer.moves[i].first, truth.moves[i].first);
    EXPECT_EQ(answer.moves[i].second, truth.moves[i].second >= threshold_of(goal));
  }
}

// By day each variant meets a seventh of the questions of a test, in turn.
const std::size_t kTurns = nightly() ? 1 : 7;

void expect_all_right(const std::string& game, const std::string& position,
                      const std::vector<std::string>& goals) {
  static std::size_t asked = 0;
  std::size_t turn = asked++;
  const Truth right = truth(game, position);
  for (const std::string& goal : goals) {
    std::size_t i = turn++;
    if (goal != "value" && goal != "score") expect_right_oracle(game, position, goal, right);
    for (const std::string& algorithm : all_variants()) {
      if (i++ % kTurns != 0) continue;
      expect_right(ask(game, algorithm, position, goal), right);
      if (::testing::Test::HasFailure()) return;
    }
    for (const std::string& algorithm : plain_algorithms()) {
      for (const std::uint32_t batch : {3u, 8u}) {
        if (i++ % kTurns != 0) continue;
        SolveRequest request = ask(game, algorithm, position, goal);
        request.batch = batch;
        expect_right(request, right);
      }
    }
  }
}

TEST(Agreement, EveryGameOfTheList) {
  AllGames::for_each([]<class Entry>() {
    if (repeats(Entry::kSmall)) return;
    if (!HasFailure()) expect_all_right(Entry::kSmall, Entry::kPosition, {"win", "draw", "value"});
  });
}

// By all algorithms that search games whose positions can come again.
void expect_all_right_where_they_repeat(const std::string& game, const std::string& position) {
  ASSERT_TRUE(repeats(game));
  const int value = oracle(game, position, "win").reached    ? 1
                    : oracle(game, position, "draw").reached ? 0
                                                             : -1;
  static std::size_t turn = 0;
  for (const char* algorithm : {"minimax",
                                "pn",
                                "pn:ties=path,stop=one",
                                "deeppn",
                                "wpns",
                                "dfpn",
                                "dfpn:epsilon=0.25",
                                "dfpn:history=basetwin",
                                "dfpn:loops=patience",
                                "dfpn:similar=simulation",
                                "pds:similar=killer",
                                "pds",
                                "pnstar",
                                "alphabeta",
                                "pn2",
                                "pn2:evaluate=immediate",
                                "mcpn:playouts=4",
                                "ppn:playouts=4",
                                "ews:playouts=4",
                                "mcts:playouts=4",
                                "uct:playouts=4",
                                "pn:leaf=playouts",
                                "pn:merge=dag",
                                "dfppn:playouts=4",
                                "dfews:playouts=4"}) {
    if (turn++ % 3 != 0 && !nightly()) continue;
    SCOPED_TRACE(game + ' ' + algorithm);
    EXPECT_EQ(solve(ask(game, algorithm, position, "win")).verdict,
              value == 1 ? Verdict::kProved : Verdict::kDisproved);
    EXPECT_EQ(solve(ask(game, algorithm, position, "draw")).verdict,
              value >= 0 ? Verdict::kProved : Verdict::kDisproved);
    const SolveResult exact = solve(ask(game, algorithm, position, "value"));
    EXPECT_EQ(exact.lower, value);
    EXPECT_EQ(exact.upper, value);
  }
}

// The graphs of tests/data/graphs, as programs ask about them (random ones: path_search_test.cpp,
// path_test.cpp), and the games of the list.
TEST(Agreement, GamesThatRepeat) {
  for (const char* name : {"figure-7", "figure-8", "figure-9", "sample-tree", "incomplete", "goals",
                           "to-and-fro", "repeater", "pursuit", "perpetual"}) {
    expect_all_right_where_they_repeat(
        std::string("graph:file=") + PLAYPROOF_TEST_DATA + "/graphs/" + name + ".graph", "");
  }
  AllGames::for_each([]<class Entry>() {
    if (!repeats(Entry::kSmall)) return;
    expect_all_right_where_they_repeat(Entry::kSmall, Entry::kPosition);
  });
  for (const char* refused : {"dfpn:leaf=playouts", "dfpn:leaf=quads", "dfppn:gc=0.1"}) {
    EXPECT_THROW(make_solver(ask("graph", refused)), Error) << refused;
  }
}

TEST(Agreement, PGames) {
  std::uint64_t tree = 1;
  for (const char* shape : {"branching=2,depth=8", "branching=3,depth=5", "branching=8,depth=3"}) {
    for (int i = 0; i < 17; ++i, ++tree) {
      if (i % 4 != 0 && !nightly()) continue;
      const std::string game = std::string("pgame:") + shape + ",tree=" + std::to_string(tree);
      expect_all_right(game, "", {"win", "draw", "value"});
      if (HasFailure()) return;
    }
  }
}

// Where MIN is the attacker, and close to the end.
TEST(Agreement, PositionsInPGames) {
  for (int i = 0; i < 6; ++i) {
    const std::string game = "pgame:branching=4,depth=5,tree=" + std::to_string(100 + i);
    expect_all_right(game, std::to_string(i % 4), {"win", "draw", "value"});
    expect_all_right(game, "0 1 2 " + std::to_string(i % 4), {"win", "value"});
  }
}

TEST(Agreement, SmallHexBoards) {
  expect_all_right("hex:size=2", "", {"win", "draw", "value"});
  expect_all_right("hex:size=2", "a1", {"win", "draw"});
  expect_all_right("hex:rows=2,columns=3", "", {"win"});
  expect_all_right("hex:rows=3,columns=2", "", {"win"});
  expect_all_right("hex:rows=2,columns=3", "b1", {"win"});
}

// The first moves of one board in data/hex-openings.txt: White is to move, and is the attacker.
template <class Check>
void for_each_opening(const std::string& size, Check&& check) {
  int found = 0;
  for (const std::string& line : data_lines("hex-openings.txt")) {
    const auto fields = words_of(line);
    ASSERT_EQ(fields.size(), 3u);
    if (fields[0] != size) continue;
    ++found;
    check(fields[1], fields[2] == "W");
  }
  EXPECT_EQ(found, std::stoi(size) * std::stoi(size));
}

TEST(Agreement, AllFirstMovesOfHex3x3) {
  for_each_opening("3", [](const std::string& cell, bool white_wins) {
    EXPECT_EQ(truth("hex:size=3", cell).value, white_wins ? 1 : -1) << cell;
    expect_all_right("hex:size=3", cell, {"win"});
  });
}

void expect_right_opening(const std::string& cell, bool white_wins, const std::string& algorithm) {
  SolveRequest request = ask("hex:size=4", algorithm, cell);
  request.limits.max_memory = std::uint64_t{1} << 30;
  const SolveResult result = solve(request);
  SCOPED_TRACE(cell + ' ' + algorithm);
  EXPECT_EQ(result.verdict, white_wins ? Verdict::kProved : Verdict::kDisproved);
  EXPECT_EQ(result.best_move.has_value(), white_wins);
  expect_good_line(request, result, 1);
}

// tests/programs/agreement.toml asks every algorithm for all of them.
TEST(Agreement, AllFirstMovesOfHex4x4) {
  std::size_t turn = 0;
  for_each_opening("4", [&](const std::string& cell, bool white_wins) {
    for (const char* algorithm :
         {"mcpn", "ppn", "ews", "ews:zones=off", "mcts", "dfpn", "dfpn:leaf=unit,epsilon=0.25",
          "dfpn:table=16KiB", "dfppn", "dfppn:epsilon=0,table=16KiB", "dfews:epsilon=1",
          "dfews:epsilon=0,table=16KiB"}) {
      if (turn++ % 5 > 1 && !nightly()) continue;
      expect_right_opening(cell, white_wins, algorithm);
    }
  });
}

TEST(Agreement, SlowFirstMovesOfHex4x4) {
  for_each_opening("4", [](const std::string& cell, bool white_wins) {
    const int row = cell[1] - '0';
    if (cell[0] - 'a' != row % 4) return;  // one cell a row and a column
    if (row > 2 && !nightly()) return;
    for (const char* algorithm : {"pn", "minimax", "uct", "deeppn:R=0.95"}) {
      expect_right_opening(cell, white_wins, algorithm);
    }
  });
}

// The three k = 3 lines of data/connect-small.txt, by every algorithm.
TEST(Agreement, SmallConnectBoards) {
  int found = 0;
  for (const std::string& line : data_lines("connect-small.txt")) {
    const auto fields = words_of(line);
    if (fields[2] != "3") continue;
    ++found;
    ASSERT_EQ(fields[3], "black-win");
    const std::string game = "connect6:rows=" + fields[0] + ",columns=" + fields[1] + ",connect=3";
    for (const std::string& algorithm : plain_algorithms()) {
      const SolveRequest request = ask(game, algorithm);
      const SolveResult result = solve(request);
      SCOPED_TRACE(line);
      SCOPED_TRACE(algorithm);
      EXPECT_EQ(result.verdict, Verdict::kProved);
      expect_good_line(request, result, 1);
    }
  }
  EXPECT_EQ(found, 3);
  expect_all_right("connect6:rows=3,columns=3,connect=3", "", {"win", "value"});
  // One stone a turn: tic-tac-toe in a corner of a small board, with draws.
  expect_all_right("connect6:rows=2,columns=4,connect=3,stones=1", "", {"win", "draw", "value"});
  expect_all_right("connect6:rows=3,columns=3,connect=3,stones=1", "BB AA AB",
                   {"win", "draw", "value"});
}

// The draws of the table.
TEST(Agreement, ConnectDraws) {
  int found = 0;
  for (const std::string& line : data_lines("connect-small.txt")) {
    const auto fields = words_of(line);
    if (fields[3] != "draw") continue;
    ++found;
    const std::string game =
        "connect6:rows=" + fields[0] + ",columns=" + fields[1] + ",connect=" + fields[2];
    for (const char* algorithm : {"minimax", "dfpn"}) {
      if (!nightly() && (found == 1) == (algorithm[0] == 'm')) continue;  // by day they take turns
      SolveRequest request = ask(game, algorithm, "", "value");
      request.limits.max_memory = std::uint64_t{2} << 30;
      const SolveResult result = solve(request);
      EXPECT_EQ(result.verdict, Verdict::kProved);
      EXPECT_EQ(result.lower, 0);
      EXPECT_EQ(result.upper, 0);
    }
  }
  EXPECT_EQ(found, 2);
}

TEST(Agreement, LateOthello4x4) {
  for (std::uint64_t seed = 1; seed <= (nightly() ? 8 : 4); ++seed) {
    const std::string position = random_othello(4, 5 + static_cast<int>(seed % 2), seed);
    expect_all_right("othello:size=4", position,
                     {"win", "draw", "score>=3", "score>=-6", "value", "score"});
  }
}

TEST(Agreement, LateOthello8x8) {
  for (std::uint64_t seed = 1; seed <= 5; ++seed) {
    const std::string position = random_othello(8, 4 + static_cast<int>(seed % 3), seed);
    expect_all_right("othello", position, {"win", "draw", "score>=10", "score"});
  }
  for (std::uint64_t seed = 11; seed <= (nightly() ? 22 : 13); ++seed) {
    const std::string position = random_othello(8, 8, seed);
    const Truth right = truth("othello", position);
    std::size_t turn = seed;
    for (const std::string& algorithm : plain_algorithms()) {
      for (const char* goal : {"win", "score>=-10", "score"}) {
        if (turn++ % 4 != 0 && !nightly()) continue;
        expect_right(ask("othello", algorithm, position, goal), right);
      }
    }
  }
}

// A subset of the table of 12 empties, both goals; tests/programs/agreement.toml does all of it.
TEST(Agreement, OthelloWithTwelveEmpties) {
  const auto lines = data_lines("othello-12-exact.txt");
  ASSERT_EQ(lines.size(), 60u);
  for (std::size_t i = 0; i < lines.size(); i += 6) {
    const auto fields = words_of(lines[i]);
    const int score = std::stoi(fields[2]);
    for (const char* algorithm : {"pn", "ppn", "dfpn:leaf=both"}) {
      for (const int threshold : {1, 0}) {
        SolveRequest request =
            ask("othello", algorithm, fields[0] + ' ' + fields[1], threshold == 1 ? "win" : "draw");
        request.limits.max_nodes = 20000000;
        request.limits.max_memory = 0;
        const SolveResult result = solve(request);
        SCOPED_TRACE(lines[i] + ' ' + algorithm);
        EXPECT_EQ(result.verdict, score >= threshold ? Verdict::kProved : Verdict::kDisproved);
        expect_good_line(request, result, threshold);
      }
    }
  }
}

}  // namespace
}  // namespace playproof::agreement_test
