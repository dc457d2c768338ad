// The move that a search would play now: asking changes nothing, listening misses nothing, ties are
// drawn uniformly under the seed. And the same question gives the same search again.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "support.h"

namespace playproof::interim_test {
namespace {

using Change = std::pair<std::uint64_t, std::vector<Move>>;

// What a listener is told.
std::vector<Change> heard(const SolveRequest& request, std::uint64_t slice = 1u << 20) {
  std::vector<Change> changes;
  const auto solver = make_solver(request);
  solver->on_interim([&](std::uint64_t iteration, const std::vector<Move>& tied) {
    changes.emplace_back(iteration, tied);
  });
  while (solver->step(slice) == StopReason::kRunning) {
  }
  return changes;
}

// What one sees who asks after every turn of the circle.
std::vector<Change> polled(const SolveRequest& request) {
  std::vector<Change> changes;
  const auto solver = make_solver(request);
  changes.emplace_back(0, solver->interim_moves());
  bool running = true;
  while (running) {
    running = solver->step(1) == StopReason::kRunning;
    std::vector<Move> tied = solver->interim_moves();
    if (tied != changes.back().second) {
      changes.emplace_back(solver->result().counters.iterations, std::move(tied));
    }
  }
  return changes;
}

std::vector<SolveRequest> questions() {
  std::vector<SolveRequest> all;
  std::size_t turn = 0;
  for (const std::string& algorithm : all_variants()) {  // by day one game or the other
    const bool even = ++turn % 2 == 0;
    if (even || nightly()) all.push_back(ask("pgame:branching=4,depth=6,tree=7", algorithm));
    if (!even || nightly()) all.push_back(ask("hex:size=3", algorithm, "b1"));
  }
  for (const std::string& algorithm : plain_algorithms()) {
    all.push_back(ask("othello:size=4", algorithm, random_othello(4, 7, 3)));
    all.push_back(ask("hex:size=3", algorithm, "", "draw"));
  }
  return all;
}

std::string name(const SolveRequest& request) {
  return request.game + ' ' + request.algorithm + " batch " + std::to_string(request.batch);
}

TEST(Interim, ListeningIsAskingAfterEveryIteration) {
  for (const SolveRequest& request : questions()) {
    const std::vector<Change> asked = polled(request);
    EXPECT_EQ(heard(request), asked) << name(request);
    EXPECT_EQ(heard(request, 3), asked) << name(request);
    EXPECT_GE(asked.size(), request.algorithm == "minimax" ? 1u : 2u) << name(request);
  }
}

TEST(Interim, ListeningIsAskingInBatchesToo) {
  std::size_t turn = 0;
  for (SolveRequest request : questions()) {
    for (const std::uint32_t batch : {3u, 8u}) {
      if (turn++ % 3 != 0 && !nightly()) continue;
      request.batch = batch;
      EXPECT_EQ(heard(request), polled(request)) << name(request);
    }
  }
}

// In deep trees many leaves of a batch change nothing near the root, but one may.
TEST(Interim, ListeningIsAskingInBatchesOfDeepTrees) {
  for (int tree = 1; tree <= 30; ++tree) {
    for (const char* algorithm : {"mcpn", "ppn", "mcts", "pn", "pn:stop=allis", "deeppn"}) {
      SolveRequest request =
          ask("pgame:branching=2,depth=14,tree=" + std::to_string(tree), algorithm);
      request.batch = 4;
      EXPECT_EQ(heard(request), polled(request)) << name(request);
    }
  }
}

TEST(Interim, AskingChangesNothing) {
  for (const SolveRequest& request : questions()) {
    const SolveResult quiet = solve(request);
    const auto solver = make_solver(request);
    solver->on_interim([](std::uint64_t, const std::vector<Move>&) {});
    do {
      const Move first = solver->interim_move();
      ASSERT_EQ(first, solver->interim_move());
      ASSERT_EQ(solver->interim_moves(), solver->interim_moves());
      solver->result();
    } while (solver->step(5) == StopReason::kRunning);
    SCOPED_TRACE(name(request));
    expect_same_search(solver->result(), quiet);
  }
}

// The update stops of E1 that keep the order of expansion keep the interim moves too, although
// `own` leaves old numbers above the place where it ended.
TEST(Interim, ExactStopRulesShowTheSameMoves) {
  for (const char* ties : {"left", "path"}) {
    for (const char* leaf : {"unit", "mobility"}) {
      for (int tree = 1; tree <= 12; ++tree) {
        const std::string game = "pgame:branching=" + std::to_string(2 + tree % 5) +
                                 ",depth=6,tree=" + std::to_string(tree);
        for (const std::uint32_t batch : {1u, 4u}) {
          const auto with = [&](const std::string& stop) {
            SolveRequest request =
                ask(game, std::string("pn:ties=") + ties + ",leaf=" + leaf + ",stop=" + stop);
            request.batch = batch;
            return polled(request);
          };
          const std::vector<Change> full = with("none");
          EXPECT_EQ(with("allis"), full) << game << " batch " << batch;
          EXPECT_EQ(with("own"), full) << game << " batch " << batch;
        }
      }
    }
  }
}

TEST(Interim, AfterADecision) {
  for (const SolveRequest& request : questions()) {
    const Truth right = truth(request.game, request.position);
    const auto solver = make_solver(request);
    const SolveResult result = finish(*solver);
    const std::vector<Move> tied = solver->interim_moves();
    SCOPED_TRACE(name(request));
    if (result.verdict == Verdict::kProved) {
      ASSERT_EQ(tied.size(), 1u);
      EXPECT_EQ(solver->move_text(tied[0]), *result.best_move);
    } else {
      ASSERT_EQ(tied.size(), right.moves.size());
    }
    EXPECT_TRUE(std::is_sorted(tied.begin(), tied.end()));
  }
}

TEST(Interim, BeforeTheFirstStepEveryMoveTies) {
  for (const std::string& algorithm : plain_algorithms()) {
    const auto solver = make_solver(ask("hex:size=3", algorithm, "a1"));
    EXPECT_EQ(solver->interim_moves(), (std::vector<Move>{1, 2, 3, 4, 5, 6, 7, 8}));
    EXPECT_TRUE(solver->result().best_move.has_value());
  }
}

// Pearson's chi-square over the moves that tie, drawn under many seeds.
double chi_square(const SolveRequest& question, std::uint64_t iterations, std::size_t& ties) {
  constexpr int kSeeds = 1200;
  std::vector<int> count;
  SolveRequest request = question;
  for (request.seed = 1; request.seed <= kSeeds; ++request.seed) {
    const auto solver = make_solver(request);
    solver->step(iterations);
    const std::vector<Move> tied = solver->interim_moves();
    if (request.seed == 1) count.resize(tied.size());
    EXPECT_EQ(tied.size(), count.size());
    const auto found = std::find(tied.begin(), tied.end(), solver->interim_move());
    if (found == tied.end()) {
      ADD_FAILURE() << "a move that is not tied";
      return 1e9;
    }
    ++count[static_cast<std::size_t>(found - tied.begin())];
  }
  ties = count.size();
  const double expected = static_cast<double>(kSeeds) / static_cast<double>(ties);
  double sum = 0;
  for (const int n : count) sum += (n - expected) * (n - expected) / expected;
  return sum;
}

TEST(Interim, TiesAreDrawnUniformly) {
  std::size_t ties = 0;
  // 99.9 % quantiles of chi-square with 8, 7 and 3 degrees of freedom.
  EXPECT_LT(chi_square(ask("hex:size=3", "pn"), 0, ties), 26.12);
  EXPECT_EQ(ties, 9u);
  EXPECT_LT(chi_square(ask("hex:size=3", "pn", "a1"), 1, ties), 24.32);
  EXPECT_EQ(ties, 8u);
  EXPECT_LT(chi_square(ask("pgame:branching=4,depth=9,tree=2", "pn"), 5, ties), 16.27);
}

// The score is found in several claims, one search after the other.
TEST(Interim, EveryClaimIsHeard) {
  for (std::uint64_t seed = 1; seed <= 5; ++seed) {
    const SolveRequest request = ask("othello:size=4", "ppn", random_othello(4, 7, seed), "score");
    const std::vector<Change> asked = polled(request);
    const std::vector<Change> told = heard(request);
    ASSERT_GE(asked.size(), 4u);
    EXPECT_EQ(told, asked);
    EXPECT_TRUE(std::is_sorted(told.begin(), told.end(),
                               [](const auto& a, const auto& b) { return a.first < b.first; }));
  }
}

// --- the same again ------------------------------------------------------------------------------

TEST(Determinism, TheSameQuestionGivesTheSameSearch) {
  std::size_t turn = 0;
  for (SolveRequest request : questions()) {
    for (const std::uint32_t batch : {1u, 8u}) {
      if (++turn % 3 == 0 && !nightly()) continue;
      request.batch = batch;
      SCOPED_TRACE(name(request));
      expect_same_search(solve(request), solve(request));
    }
  }
}

TEST(Determinism, SeedsMatterWhereTheyShould) {
  const auto iterations = [](const std::string& algorithm, std::uint64_t seed) {
    SolveRequest request = ask("pgame:branching=4,depth=7,tree=3", algorithm);
    request.seed = seed;
    return solve(request).counters.iterations;
  };
  const auto differ = [&](const std::string& algorithm) {
    int count = 0;
    for (std::uint64_t seed = 2; seed <= 6; ++seed) {
      count += iterations(algorithm, seed) != iterations(algorithm, 1);
    }
    return count;
  };
  for (const char* algorithm : {"ppn", "mcpn", "mcts", "uct", "pn:order=random"}) {
    EXPECT_GE(differ(algorithm), 3) << algorithm;
  }
  for (const char* algorithm : {"pn", "deeppn", "minimax"}) {
    EXPECT_EQ(differ(algorithm), 0) << algorithm;
  }
}

// Leaves without playouts are finished at once, so batches of them change nothing at all.
TEST(Determinism, BatchesMatterOnlyToPlayouts) {
  for (SolveRequest request : questions()) {
    const bool no_playouts = request.algorithm.starts_with("pn") ||
                             request.algorithm.starts_with("deeppn") ||
                             request.algorithm == "minimax";
    if (!no_playouts) continue;
    const SolveResult one = solve(request);
    if (one.counters.playouts > 0) continue;  // pn:leaf=playouts
    for (const std::uint32_t batch : {3u, 8u}) {
      request.batch = batch;
      SCOPED_TRACE(name(request));
      expect_same_search(solve(request), one);
    }
  }
}

}  // namespace
}  // namespace playproof::interim_test
