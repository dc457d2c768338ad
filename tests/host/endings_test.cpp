// Exact endings as a probe of every search with leaves, and one search for all claims of value and
// score: the same truth as without, less work, certificates that the checker accepts.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "games/othello/ending.h"
#include "tests/host/plain_alpha_beta.h"
#include "tests/host/saved.h"
#include "tests/host/support.h"

namespace playproof::endings_test {
namespace {

struct Known {
  std::string position;
  int score;
};
std::vector<Known> known_scores(const std::string& file) {
  std::vector<Known> known;
  for (const std::string& line : data_lines(file)) {
    const auto words = words_of(line);
    known.push_back({words[0] + ' ' + words[1], std::stoi(words[2])});
  }
  return known;
}

SolveRequest ask_othello(const std::string& algorithm, const Known& known,
                         const std::string& goal) {
  return ask("othello", algorithm, known.position, goal);
}

TEST(Endings, TwelveEmptySquaresBothGoalsAndTheScore) {
  const auto all = known_scores("othello-12-exact.txt");
  ASSERT_EQ(all.size(), 60u);
  const std::vector<std::string> algorithms = {
      "dfpn", "dfpn:leaf=mobility,endings=8", "dfpn:endings=10,leaf=both,bracket=binary",
      "dfpn:leaf=unit,endings=11,table=1KiB", "dfpn:leaf=mobility,endings=16"};
  for (std::size_t i = 0; i < all.size(); i += nightly() ? 1 : 4) {
    const std::string& algorithm = algorithms[i % algorithms.size()];
    SCOPED_TRACE(all[i].position + ' ' + algorithm);
    for (const int threshold : {1, 0}) {
      const SolveRequest request = ask_othello(algorithm, all[i], threshold == 1 ? "win" : "draw");
      const SolveResult result = solve(request);
      EXPECT_EQ(result.verdict, all[i].score >= threshold ? Verdict::kProved : Verdict::kDisproved);
      expect_good_line(request, result, threshold);
    }
    const SolveResult score = solve(ask_othello(algorithm, all[i], "score"));
    EXPECT_EQ(score.lower, all[i].score);
    EXPECT_EQ(score.upper, all[i].score);
    const SolveResult value = solve(ask_othello(algorithm, all[i], "value"));
    EXPECT_EQ(value.lower, (all[i].score > 0) - (all[i].score < 0));
    EXPECT_EQ(value.upper, value.lower);
  }
}

// A sample of the hundred positions, the scores found by alpha-beta once more.
TEST(Endings, SixteenEmptySquares) {
  const auto all = known_scores("othello-16-exact.txt");
  ASSERT_EQ(all.size(), 100u);
  const auto rules = Othello::make_rules(8);
  const PlainAlphaBeta oracle(rules);
  for (std::size_t i = 3; i < all.size(); i += nightly() ? 12 : 30) {
    SCOPED_TRACE(all[i].position);
    const auto state = GameText<Othello>::parse(rules, all[i].position);
    EXPECT_TRUE(oracle.at_least(state, all[i].score));
    EXPECT_FALSE(oracle.at_least(state, all[i].score + 1));
    for (const char* algorithm : {"dfpn", "dfpn:leaf=mobility,epsilon=0.25,bracket=binary"}) {
      const SolveResult win = finish(*make_solver(ask_othello(algorithm, all[i], "win")));
      EXPECT_EQ(win.verdict, all[i].score >= 1 ? Verdict::kProved : Verdict::kDisproved);
      const SolveResult score = finish(*make_solver(ask_othello(algorithm, all[i], "score")));
      EXPECT_EQ(score.lower, all[i].score);
      EXPECT_EQ(score.upper, all[i].score);
    }
  }
}

TEST(Endings, SmallBoards) {
  for (const int size : {4, 6}) {
    const std::string game = "othello:size=" + std::to_string(size);
    for (std::uint64_t seed = 1; seed <= 12; ++seed) {
      const std::string position = random_othello(size, 5, seed);
      const Truth exact = truth(game, position);
      for (const char* algorithm : {"dfpn:leaf=unit,endings=3", "dfpn:endings=4,playouts=5"}) {
        for (const char* goal : {"win", "draw", "score>=4", "score>=-3"}) {
          expect_right(ask(game, algorithm, position, goal), exact);
        }
        const SolveResult score = solve(ask(game, algorithm, position, "score"));
        EXPECT_EQ(score.lower, exact.value);
        EXPECT_EQ(score.upper, exact.value);
      }
    }
  }
}

const std::vector<std::string> kTrees = {
    "pn:endings=E",     "pn:endings=E,ties=path,stop=none,earlybreak=off",
    "deeppn:endings=E", "pn:endings=E,leaf=both,playouts=8,ties=deepest,order=random",
    "mcpn:endings=E",   "ppn:endings=E,earlybreak=off",
    "mcts:endings=E",   "uct:endings=E,order=random"};
std::string with_endings(std::string algorithm, int distance) {
  const std::size_t at = algorithm.find("=E");
  return algorithm.replace(at + 1, 1, std::to_string(distance));
}

// Every goal of small boards by every tree, alone and in batches, against exhaustive search. Where
// all moves lead to endings, only the root has children.
TEST(Endings, TreesOnSmallBoards) {
  for (std::uint64_t seed = 1; seed <= 8; ++seed) {
    const std::string game = "othello:size=" + std::to_string(seed % 2 == 0 ? 4 : 6);
    const std::string position = random_othello(seed % 2 == 0 ? 4 : 6, 6, seed);
    const Truth exact = truth(game, position);
    for (std::size_t i = 0; i < kTrees.size(); ++i) {
      const int distance = 2 + static_cast<int>((i + seed) % 5);
      SolveRequest request = ask(game, with_endings(kTrees[i], distance), position);
      request.batch = i % 3 == 0 ? 1 : 4;
      for (const char* goal : {"win", "draw", "score>=4", "score>=-3", "value", "score"}) {
        request.goal = goal;
        const SolveResult result = expect_right(request, exact);
        EXPECT_EQ(result.counters.endings > 0, result.counters.ending_nodes > 0);
        if (distance >= 6 && goal[0] != 'v' && goal != std::string("score")) {
          EXPECT_LE(result.counters.nodes_expanded, 1u);
        }
      }
      if (HasFailure()) return;
    }
  }
}

// Endings that begin farther from the end than certificates leave to the checker: what is between
// is written move by move.
TEST(Endings, TreesWithTwelveEmptySquares) {
  const auto all = known_scores("othello-12-exact.txt");
  for (std::size_t i = 0; i < 2 * kTrees.size(); ++i) {
    const Known& known = all[3 * i];
    const std::string algorithm =
        with_endings(kTrees[i % kTrees.size()], i < kTrees.size() ? 10 : 6);
    SCOPED_TRACE(known.position + ' ' + algorithm);
    for (const int threshold : {1, 0}) {
      const SolveRequest request = ask_othello(algorithm, known, threshold == 1 ? "win" : "draw");
      const SolveResult result = solve(request);
      EXPECT_EQ(result.verdict, known.score >= threshold ? Verdict::kProved : Verdict::kDisproved);
      EXPECT_GT(result.counters.endings, 0u);
      expect_good_line(request, result, threshold);
    }
    const SolveRequest score = ask_othello(algorithm, known, "score");
    const SolveResult result = solve(score);
    EXPECT_EQ(result.lower, known.score);
    EXPECT_EQ(result.upper, known.score);
    EXPECT_EQ(end_of_line(score, result), known.score);
  }
}

// The tree is the one without endings, cut off where they begin; a leaf that one decided has no
// children, and what it took is counted once.
TEST(Endings, OfTreesAreCounted) {
  const Known known{random_othello(8, 12, 7), 0};
  for (const std::string& algorithm : kTrees) {
    SCOPED_TRACE(algorithm);
    const SolveResult without = solve(ask_othello(with_endings(algorithm, 0), known, "win"));
    EXPECT_EQ(without.counters.endings, 0u);
    EXPECT_EQ(without.counters.ending_nodes, 0u);
    const SolveResult with = solve(ask_othello(with_endings(algorithm, 8), known, "win"));
    EXPECT_EQ(with.verdict, without.verdict);
    EXPECT_GT(with.counters.endings, 0u);
    EXPECT_GT(with.counters.ending_nodes, with.counters.endings);
    EXPECT_LT(with.counters.nodes_created, without.counters.nodes_created);
    EXPECT_LE(with.counters.endings, with.counters.nodes_created - with.counters.nodes_expanded);
    EXPECT_LE(with.counters.max_depth, 12u);
    EXPECT_EQ(solve(ask("hex:size=3", with_endings(algorithm, 16))).counters.endings, 0u);
  }
}

// What is asked about a leaf is part of the saved search, and held against the probe.
TEST(Endings, OfTreesInPieces) {
  std::size_t turn = 0;
  const Known known{random_othello(8, 12, 5), 0};
  for (const std::string& algorithm : kTrees) {
    for (const char* goal : {"win", "score"}) {
      if (++turn % 3 != 0 && !nightly()) continue;
      SolveRequest request = ask_othello(with_endings(algorithm, 9), known, goal);
      SCOPED_TRACE(request.algorithm + ' ' + goal);
      request.certificate = true;
      const auto whole = make_solver(request);
      const SolveResult expected = finish(*whole);
      auto pieces = make_solver(request);
      int interruptions = 0;
      while (pieces->step(2) == StopReason::kRunning) {
        pieces = resumed(request, saved(*pieces));
        pieces->self_check();
        ++interruptions;
      }
      EXPECT_GT(interruptions, 0);
      EXPECT_GT(expected.counters.endings, 0u);
      expect_same_search(pieces->result(), expected);
      EXPECT_EQ(certificate(*whole), certificate(*pieces));
    }
  }
}

// probe= and endings= of trees and tables say the same in several ways.
TEST(Endings, AreAskedForByName) {
  const auto name = [](const std::string& algorithm) {
    return make_solver(ask("othello", algorithm))->algorithm();
  };
  EXPECT_EQ(name("ppn"), name("ppn:probe=none"));
  EXPECT_EQ(name("ppn:probe=none,endings=5"), name("ppn"));
  for (const char* text : {"pn:endings=3", "pn2:endings=0", "uct:probe=none,endings=3",
                           "wpns:probe=endings", "mcpn:probe=endings,endings=12"}) {
    EXPECT_EQ(name(name(text)), name(text)) << "a name is read as another one";
  }
  EXPECT_EQ(name("ppn:endings=12"), name("ppn:probe=endings"));
  EXPECT_TRUE(name("ppn:endings=9").ends_with(",probe=endings,endings=9"));
  EXPECT_EQ(name("pn").find("probe"), std::string::npos);
  EXPECT_EQ(name("dfpn"), name("dfpn:probe=endings"));
  EXPECT_EQ(name("dfpn").find("probe"), std::string::npos);
  EXPECT_TRUE(name("dfpn:probe=none").ends_with(",probe=none"));
  EXPECT_EQ(name("dfpn").find("fill"), std::string::npos);
  EXPECT_TRUE(name("dfpn:fill=full").ends_with(",fill=full"));
  // What is now `places` was `probe` once.
  EXPECT_NE(name("dfpn").find(",places=4,"), std::string::npos);
  EXPECT_EQ(name("dfpn:probe=100"), name("dfpn:places=100"));
  EXPECT_EQ(name("dfpn:probe=100,probe=none"), name("dfpn:probe=none,places=100"));
  for (const char* wrong : {"dfpn:probe=4,places=4",
                            "dfpn:probe=0",
                            "dfpn:probe=1025",
                            "dfpn:probe=bridges,zones=off",
                            "dfppn:patterns=1,zones=off",
                            "dfppn:probe=bridges,zones=off",
                            "pn2:probe=bridges",
                            "dfpn:probe=connections,zones=off",
                            "uct:probe=connections",
                            "dfpn:probe=links",
                            "pn:probe=bridges,zones=off",
                            "ews:probe=connections,zones=off",
                            "pn:probe=4",
                            "pn:endings=17",
                            "dfpn:fill=full,zones=off",
                            "dfppn:fill=dead,zones=off",
                            "dfpn:fill=all",
                            "dfpn:fill=on",
                            "pn2:fill=full",
                            "uct:fill=full",
                            "pn:fill=full,zones=off",
                            "dfpn:ask=selected",
                            "ppn:ask=later"}) {
    EXPECT_THROW(name(wrong), Error) << wrong;
  }
}

// What an ending decides is one call; the positions that it looked at are counted apart.
TEST(Endings, AreCounted) {
  const Known known{random_othello(8, 12, 7), 0};
  const SolveResult without = solve(ask_othello("dfpn:leaf=mobility,endings=0", known, "win"));
  EXPECT_EQ(without.counters.endings, 0u);
  EXPECT_EQ(without.counters.ending_nodes, 0u);
  const SolveResult with = solve(ask_othello("dfpn:leaf=mobility,endings=9", known, "win"));
  EXPECT_EQ(with.verdict, without.verdict);
  EXPECT_GT(with.counters.endings, 0u);
  EXPECT_GT(with.counters.ending_nodes, with.counters.endings);
  EXPECT_LT(with.counters.iterations, without.counters.iterations);
  EXPECT_EQ(with.counters.iterations,
            with.counters.nodes_expanded + with.counters.re_entries + with.counters.endings);
  EXPECT_EQ(with.counters.nodes_created, with.counters.iterations);
  // No playouts where an ending will decide.
  const SolveResult near = solve(ask_othello("dfpn:endings=11", known, "win"));
  EXPECT_EQ(near.counters.evaluations, 0u);
  // Other games have none.
  EXPECT_EQ(solve(ask("hex:size=3", "dfpn:endings=16")).counters.endings, 0u);
}

// Saved and loaded again and again, in the middle of claims and between them.
TEST(Endings, InPiecesIsTheSameSearch) {
  for (const char* goal : {"win", "score"}) {
    const Known known{random_othello(8, 13, 4), 0};
    SolveRequest request = ask_othello("dfpn:leaf=mobility,endings=7", known, goal);
    request.certificate = true;
    const auto whole = make_solver(request);
    const SolveResult expected = finish(*whole);
    auto pieces = make_solver(request);
    int interruptions = 0;
    while (pieces->step(41) == StopReason::kRunning) {
      if (!pieces->resumable()) continue;
      pieces = resumed(request, saved(*pieces));
      ++interruptions;
    }
    EXPECT_GT(interruptions, 5);
    EXPECT_GT(expected.counters.endings, 0u);
    expect_same_search(pieces->result(), expected);
    EXPECT_EQ(certificate(*whole), certificate(*pieces));
  }
}

std::uint64_t iterations_of(const SolveRequest& request) {
  return finish(*make_solver(request)).counters.iterations;
}

// The second claim goes on with the table of the first.
TEST(Claims, OneTableServesAllOfThem) {
  std::uint64_t together = 0;
  std::uint64_t apart = 0;
  for (const char* game : {"connect6:rows=3,columns=3,connect=3,stones=1",
                           "connect6:rows=3,columns=3,connect=3,stones=2"}) {
    for (const char* position : {"", "AA", "BB"}) {
      const std::string algorithm = "dfpn:leaf=unit";
      const SolveRequest value = ask(game, algorithm, position, "value");
      const SolveResult win = solve(ask(game, algorithm, position, "win"));
      const SolveResult draw = solve(ask(game, algorithm, position, "draw"));
      const SolveResult both = solve(value);
      const int exact = win.verdict == Verdict::kProved    ? 1
                        : draw.verdict == Verdict::kProved ? 0
                                                           : -1;
      EXPECT_EQ(both.lower, exact) << game << ' ' << position;
      EXPECT_EQ(both.upper, exact) << game << ' ' << position;
      if (exact == 1) continue;  // one claim
      together += both.counters.iterations;
      apart += win.counters.iterations + draw.counters.iterations;
    }
  }
  EXPECT_GT(together, 0u);
  EXPECT_LT(together, apart);
}

TEST(Claims, BracketsAgree) {
  for (std::uint64_t seed = 1; seed <= 8; ++seed) {
    const std::string position = random_othello(8, 10, seed);
    const auto score = [&](const std::string& algorithm) {
      const SolveResult result = solve(ask("othello", algorithm, position, "score"));
      EXPECT_EQ(result.lower, result.upper);
      return result.lower;
    };
    const int linear = score("dfpn:leaf=mobility,endings=6,bracket=linear");
    EXPECT_EQ(score("dfpn:leaf=mobility,endings=6,bracket=binary"), linear);
    EXPECT_EQ(score("dfpn:leaf=mobility,endings=0,bracket=binary"), linear);
  }
}

// The limit of nodes is one for all claims.
TEST(Claims, LimitsCoverAllOfThem) {
  const Known known{random_othello(8, 13, 3), 0};
  SolveRequest request = ask_othello("dfpn:leaf=mobility,endings=6", known, "score");
  const std::uint64_t all = iterations_of(request);
  for (const std::uint64_t limit : {all / 4, all / 2, all - 1}) {
    request.limits.max_nodes = limit;
    const SolveResult result = finish(*make_solver(request));
    EXPECT_EQ(result.reason, StopReason::kNodes);
    EXPECT_LE(result.counters.nodes_created, limit);
    EXPECT_LT(result.lower, result.upper);
  }
}

}  // namespace
}  // namespace playproof::endings_test
