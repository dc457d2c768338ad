// Every algorithm writes a certificate of everything it decides, and the checker accepts it.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "games/core/error.h"
#include "tests/certificates/support.h"

namespace playproof::roundtrip_test {
namespace {

const std::string kTicTacToe = "connect6:rows=3,columns=3,connect=3,stones=1";
const std::string kTwoStones = "connect6:rows=3,columns=4,connect=3,stones=2";

struct Problem {
  std::string game;
  std::string position;
};

// Solves and asks the checker for exactly that.
check::Report expect_valid(const SolveRequest& request) {
  SCOPED_TRACE(request.game + " '" + request.position + "' " + request.algorithm + " " +
               request.goal + " batch " + std::to_string(request.batch));
  check::Report report;
  certificate_of(request, &report);
  return report;
}
// And holds its answer against brute force.
check::Counts expect_accepted(const SolveRequest& request) {
  const check::Report report = expect_valid(request);
  EXPECT_TRUE(is_true(report)) << report.game << " " << report.position << " " << report.verdict;
  return report.counts;
}

std::vector<Problem> small_problems() {
  std::vector<Problem> problems = {{"hex:size=2", ""},
                                   {"hex:rows=2,columns=3", "a1"},
                                   {"hex:size=3", "b2"},
                                   {"hex:size=3", "a1 b1"},
                                   {kTicTacToe, "BB AA"},
                                   {kTicTacToe, "AA BB CC"},
                                   {kTwoStones, "BB AA BA"},
                                   {kTwoStones, ";B[BB];W[AA];W[CA]"},
                                   {"pgame:branching=2,depth=5,tree=7", ""},
                                   {"pgame:branching=3,depth=4,tree=2", "0  2"},
                                   {"pgame:branching=2,depth=1,tree=3", ""}};
  for (std::uint64_t seed = 1; seed <= 3; ++seed) {
    problems.push_back({"othello:size=4", random_othello(4, 5, seed)});
    problems.push_back({"othello:size=8", random_othello(8, 4, seed)});
  }
  return problems;
}

std::vector<std::string> goals_of(const Problem& problem) {
  std::vector<std::string> goals = {"win", "draw", "value"};
  if (problem.game.starts_with("othello")) {
    goals.insert(goals.end(), {"score", "score>=-3", "score>=10"});
  }
  return goals;
}

// By day each problem meets every seventh variant, in turn.
TEST(RoundTrip, EveryVariantOnSmallProblems) {
  std::size_t turn = 0;
  for (const Problem& problem : small_problems()) {
    ++turn;
    for (const std::string& algorithm : all_variants()) {
      if (++turn % 17 != 0 && !nightly()) continue;
      for (const std::string& goal : goals_of(problem)) {
        expect_accepted(ask(problem.game, algorithm, problem.position, goal));
        if (HasFailure()) return;
      }
    }
  }
}

TEST(RoundTrip, Batches) {
  for (const Problem& problem : small_problems()) {
    for (const std::string& algorithm : plain_algorithms()) {
      SolveRequest request = ask(problem.game, algorithm, problem.position, "win");
      request.batch = 7;
      expect_accepted(request);
    }
  }
}

TEST(RoundTrip, FinishedPositions) {
  const std::string full = "XXXXXXXXOOOOOOOX O";
  for (const std::string& algorithm : plain_algorithms()) {
    for (const char* goal : {"win", "draw", "value"}) {
      expect_accepted(ask("hex:size=2", algorithm, "a1 b1 a2", goal));
      expect_accepted(ask(kTicTacToe, algorithm, "AA BA AB BB AC", goal));
      expect_accepted(ask(kTicTacToe, algorithm, "AA BA CA BB AB CB BC AC CC", goal));
      expect_accepted(ask("pgame:branching=2,depth=2,tree=1", algorithm, "1 0", goal));
      expect_accepted(ask("othello:size=4", algorithm, full, goal));
    }
    expect_accepted(ask("othello:size=4", algorithm, full, "score"));
    expect_accepted(ask("othello:size=4", algorithm, full, "score>=3"));
  }
}

TEST(RoundTrip, EveryHexOpening) {
  for (int cell = 0; cell < 9; ++cell) {
    const std::string opening = {static_cast<char>('a' + cell % 3),
                                 static_cast<char>('1' + cell / 3)};
    for (const std::string& algorithm : plain_algorithms()) {
      expect_accepted(ask("hex:size=3", algorithm, opening));
    }
  }
}

// A claim that the bounds of the game settle needs no proof of moves.
TEST(RoundTrip, ClaimsThatTheBoundsSettle) {
  const std::string position = random_othello(8, 6, 5);
  for (const std::string& algorithm : plain_algorithms()) {
    EXPECT_EQ(expect_accepted(ask("othello:size=8", algorithm, position, "score>=-64")).listed, 1u);
  }
}

TEST(RoundTrip, LargeBoards) {                              // more than one word
  const std::string row = "AA SA BA SB CA SC DA SD EA SE";  // five in a row, one stone a turn
  const std::string game = "connect6:rows=9,columns=19,connect=6,stones=1";
  for (const char* algorithm : {"pn", "ppn:playouts=1", "minimax"}) {
    EXPECT_GE(expect_valid(ask(game, algorithm, row)).counts.listed, 2u);
  }
}

// A longer proof is read with no more memory: ids end where they are used for the last time.
TEST(RoundTrip, FewIdsLiveAtOnce) {
  const check::Counts counts = expect_accepted(ask("pgame:branching=2,depth=12,tree=1", "minimax"));
  EXPECT_GT(counts.listed, 100u);
  EXPECT_LE(counts.most_live, 2u * 12u + 1);
}

// Known endgames with twelve empty squares: more than brute force with the slow rules can do.
TEST(RoundTrip, OthelloEndgames) {
  int done = 0;
  for (const std::string& line : data_lines("othello-12-exact.txt")) {
    if (++done > 4) break;
    const std::vector<std::string> words = words_of(line);
    ASSERT_GE(words.size(), 3u);
    const std::string position = words[0] + " " + words[1];
    const std::string score = std::to_string(std::stoi(words[2]));
    const check::Report report = expect_valid(ask("othello:size=8", "pn", position, "score"));
    EXPECT_EQ(report.verdict, score);
  }
}

// The walk does not write what the search did not keep.
TEST(RoundTrip, UndecidedQuestionsHaveNoCertificate) {
  for (const char* goal : {"win", "value"}) {
    SolveRequest request = ask("hex:size=5", "pn", "", goal);
    request.certificate = true;
    request.limits.max_nodes = 1000;
    const auto solver = make_solver(request);
    finish(*solver);
    TextSink sink;
    EXPECT_THROW(solver->write_certificate(sink), Error);
    EXPECT_EQ(sink.text(), "");
  }
}

}  // namespace
}  // namespace playproof::roundtrip_test
