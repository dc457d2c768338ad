// A search that is saved, thrown away and loaded again, at any moment and as often as one likes, is
// the search that was never interrupted.
#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "games/core/error.h"
#include "saved.h"
#include "support.h"

namespace playproof::resume_test {
namespace {

// A request and how the interruptions are drawn.
struct Case {
  SolveRequest request;
  std::uint64_t draw = 1;
};

std::string describe(const SolveRequest& request) {
  return request.game + " '" + request.position + "' " + request.algorithm + ' ' + request.goal +
         " batch " + std::to_string(request.batch) + " nodes " +
         std::to_string(request.limits.max_nodes);
}

bool decided(const Solver& solver) { return solver.result().reason == StopReason::kDecided; }

// Runs with interruptions after up to `most` batches each; returns how many there were.
int expect_same_in_pieces(const SolveRequest& request, std::uint64_t seed, std::uint64_t most) {
  SCOPED_TRACE(describe(request));
  const auto whole = make_solver(request);
  finish(*whole);
  auto pieces = make_solver(request);
  int interruptions = 0;
  std::uint64_t draw = seed;
  while (true) {
    draw = mix64(draw);
    if (pieces->step((1 + draw % most) * request.batch) != StopReason::kRunning) break;
    pieces = resumed(request, saved(*pieces));
    ++interruptions;
  }
  expect_same_search(pieces->result(), whole->result());
  EXPECT_EQ(pieces->interim_moves(), whole->interim_moves());
  EXPECT_EQ(pieces->interim_move(), whole->interim_move());
  if (request.certificate && decided(*whole)) {
    EXPECT_EQ(certificate(*pieces), certificate(*whole));
    // A decided search can be saved too, and still knows its proof.
    const auto again = resumed(request, saved(*pieces));
    EXPECT_EQ(again->step(1), StopReason::kDecided);
    EXPECT_EQ(certificate(*again), certificate(*whole));
  }
  return interruptions;
}

struct Problem {
  const char* game;
  const char* position;
  const char* goal;
  std::uint64_t max_nodes = 3000;
};

constexpr Problem kProblems[] = {
    {"hex:size=3", "", "win"},
    {"hex:rows=8,columns=9", "d4", "win"},
    {"othello:size=4", "", "score>=2"},
    {"othello:size=4", "-XXX-XXXOOXX-OX- X", "score"},
    {"othello:size=6", "", "value"},
    {"connect6:rows=4,columns=4,connect=3,stones=2", "", "win"},
    {"connect6:rows=9,columns=9,connect=6,stones=2", "EE", "draw", 1200},
    {"pgame:branching=3,depth=7,tree=5", "", "value"},
    {"pgame:branching=4,depth=6,tree=9", "1", "win"},
};

std::vector<std::string> saved_variants() {
  std::vector<std::string> all = all_variants();
  all.erase(all.begin());  // minimax
  return all;
}

SolveRequest small(const Problem& problem, const std::string& algorithm, std::uint32_t batch) {
  SolveRequest request = ask(problem.game, algorithm, problem.position, problem.goal);
  request.batch = batch;
  request.limits.max_nodes = problem.max_nodes;
  // An H-search at every node: a tenth of the nodes takes as long.
  if (algorithm.find("connections") != std::string::npos) request.limits.max_nodes /= 10;
  request.certificate = true;
  return request;
}

// A search that virtual connections decide, to its end and its certificate.
TEST(Resume, WithConnections) {
  for (const char* position : {"", "d1", "c4", "e1"}) {
    for (const char* name :
         {"dfpn:playouts=16", "dfpn:leaf=unit,widening=0.25", "pds:playouts=16,widening=0.5",
          "dfpn:leaf=mustplay,epsilon=0.25,widening=0.25,fill=full", "pds:playouts=16",
          "dfppn:playouts=16", "dfews:playouts=16"}) {
      SolveRequest request =
          ask("hex:size=6", std::string(name) + ",patterns=20,probe=connections", position);
      request.certificate = true;
      expect_same_in_pieces(request, 1, 7);
    }
  }
}

class ResumeGames : public testing::TestWithParam<std::size_t> {};

// Every variant of every algorithm meets one of the games, each game all algorithms; all games by
// night.
TEST_P(ResumeGames, InPiecesIsTheSameSearch) {
  const std::vector<std::string> variants = saved_variants();
  constexpr std::size_t kGames = std::size(kProblems);
  const std::size_t j = GetParam();
  int interruptions = 0;
  for (std::size_t i = 0; i < variants.size(); ++i) {
    if ((i + j) % kGames != 0 && !nightly()) continue;
    const std::uint32_t batch = (i / 4 + j) % 3 == 0 ? 7 : 1;
    SolveRequest request = small(kProblems[j], variants[i], batch);
    if (!nightly()) request.limits.max_nodes /= 10;
    interruptions += expect_same_in_pieces(request, mix64(i * kGames + j), 200);
  }
  EXPECT_GT(interruptions, 5);
}
INSTANTIATE_TEST_SUITE_P(Each, ResumeGames, testing::Range<std::size_t>(0, std::size(kProblems)));

TEST(Resume, AfterEveryIteration) {
  for (const char* algorithm : {"pn",
                                "pn:ties=path",
                                "pn:ties=path,stop=one",
                                "pn:ties=deepest",
                                "pn:stop=literal",
                                "pn2:limit=breuker",
                                "deeppn",
                                "mcpn",
                                "ppn",
                                "ews",
                                "mcts",
                                "uct",
                                "uct:reward=sign",
                                "dfpn:endings=0",
                                "dfpn:endings=0,leaf=unit,table=1KiB",
                                "dfppn",
                                "dfppn:table=1KiB",
                                "dfews",
                                "dfews:table=1KiB",
                                "alphabeta:endings=0",
                                "alphabeta:endings=0,table=1KiB"}) {
    for (const std::uint32_t batch : {1u, 5u}) {
      SolveRequest request = small({"othello:size=4", "", "value"}, algorithm, batch);
      request.limits.max_nodes = nightly() ? 400 : 150;
      EXPECT_GT(expect_same_in_pieces(request, 1, 1), 5) << algorithm << ' ' << batch;
    }
  }
}

// What a limit ended goes on with a larger one as if that had been given at first.
TEST(Resume, LargerLimits) {
  std::size_t turn = 0;
  for (const Problem& problem : kProblems) {
    for (const char* algorithm : {"pn", "pn:ties=path", "pn2", "pn2:evaluate=immediate", "deeppn",
                                  "mcpn", "ppn", "ews", "mcts", "uct", "dfpn"}) {
      SolveRequest request = small(problem, algorithm, 1);
      SCOPED_TRACE(describe(request));
      const SolveResult whole = solve(request);
      for (const std::uint64_t limit : {1, 2, 50, 333, 1000}) {
        if (++turn % 7 != 0 && !nightly()) continue;
        request.limits.max_nodes = limit;
        const auto first = make_solver(request);
        const SolveResult cut = finish(*first);
        ASSERT_TRUE(first->resumable());
        const std::string state = saved(*first);
        expect_same_search(finish(*resumed(request, state)), cut);  // with the same limit
        request.limits.max_nodes = problem.max_nodes;
        expect_same_search(finish(*resumed(request, state)), whole);
      }
    }
  }
}

TEST(Resume, ACutBatchIsNotSaved) {
  int cut = 0;
  for (const char* algorithm : {"mcpn", "ppn", "mcts"}) {
    for (std::uint64_t limit = 100; limit < 130; ++limit) {
      SolveRequest request = small(kProblems[1], algorithm, 8);
      request.limits.max_nodes = limit;
      const auto solver = make_solver(request);
      std::string state = saved(*solver);
      while (solver->step(8) == StopReason::kRunning) state = saved(*solver);
      cut += !solver->resumable();
      if (solver->resumable()) state = saved(*solver);
      request.limits.max_nodes = 1000;
      expect_same_search(finish(*resumed(request, state)), solve(request));
    }
  }
  EXPECT_GT(cut, 15);
}

TEST(Resume, TimeAddsUp) {
  SolveRequest request = ask("hex:size=7", "pn");
  request.limits.max_seconds = 0.05;
  const auto first = make_solver(request);
  EXPECT_EQ(finish(*first).reason, StopReason::kSeconds);
  const double seconds = first->result().seconds;
  const auto same = resumed(request, saved(*first));
  EXPECT_EQ(same->result().seconds, seconds);
  same->step(1);
  EXPECT_EQ(same->step(1 << 20), StopReason::kSeconds);
  EXPECT_LT(same->result().seconds, seconds + 0.05);
  request.limits.max_seconds = 0.2;
  const auto longer = resumed(request, saved(*first));
  EXPECT_EQ(finish(*longer).reason, StopReason::kSeconds);
  EXPECT_GE(longer->result().seconds, 0.2);
}

TEST(Resume, MemoryLimit) {
  for (const char* algorithm : {"pn", "ppn", "uct"}) {
    SolveRequest request = ask("hex:size=6", algorithm);
    request.limits.max_nodes = 20000;
    const SolveResult whole = solve(request);
    request.limits.max_memory = 300000;
    const auto cut = make_solver(request);
    std::string state = saved(*cut);
    while (cut->step(100) == StopReason::kRunning) state = saved(*cut);
    EXPECT_EQ(cut->result().reason, StopReason::kMemory);
    if (cut->resumable()) state = saved(*cut);
    SolveRequest larger = request;
    larger.limits.max_memory = 1 << 28;
    expect_same_search(finish(*resumed(larger, state)), whole);
    request.limits.max_memory = 100000;  // less than what there is already
    try {
      resumed(request, state);
      ADD_FAILURE() << "loaded";
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ErrorCode::kUsage);
      EXPECT_NE(std::string(error.what()).find("--max-memory"), std::string::npos);
    }
  }
}

// A listener hears in pieces what it hears of the whole.
TEST(Resume, InterimMovesAreTheSame) {
  using News = std::vector<std::pair<std::uint64_t, std::vector<Move>>>;
  std::size_t turn = 0;
  for (const Problem& problem : kProblems) {
    for (const char* algorithm : {"pn", "pn:stop=one", "pn2", "deeppn", "ppn", "uct", "dfpn"}) {
      if (turn++ % 3 != 0 && !nightly()) continue;
      const SolveRequest request = small(problem, algorithm, 1);
      SCOPED_TRACE(describe(request));
      News whole;
      News pieces;
      const auto listen = [](Solver& solver, News* news) {
        solver.on_interim([news](std::uint64_t iteration, const std::vector<Move>& tied) {
          news->emplace_back(iteration, tied);
        });
      };
      auto solver = make_solver(request);
      listen(*solver, &whole);
      finish(*solver);
      solver = make_solver(request);
      listen(*solver, &pieces);
      // A table is much longer to read than a tree of as many iterations.
      const std::uint64_t piece = request.algorithm == "dfpn" ? 700 : 37;
      while (solver->step(piece) == StopReason::kRunning) {
        solver = resumed(request, saved(*solver));
        listen(*solver, &pieces);
      }
      EXPECT_EQ(pieces, whole);
    }
  }
}

TEST(Resume, FinishedPosition) {
  const SolveRequest request = ask("hex:size=2", "pn", "a1 b1 a2");
  const auto solver = make_solver(request);
  const auto again = resumed(request, saved(*solver));
  expect_same_search(finish(*again), finish(*solver));
  SolveRequest both = request;
  both.goal = "value";
  expect_same_search(finish(*resumed(both, saved(*make_solver(both)))), solve(both));
}

TEST(Resume, MinimaxRefuses) {
  for (const char* goal : {"win", "value"}) {
    const auto solver = make_solver(ask("hex:size=3", "minimax", "", goal));
    EXPECT_FALSE(solver->resumable());
    StringSink sink;
    try {
      solver->save(sink);
      ADD_FAILURE();
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ErrorCode::kUsage);
    }
  }
}

TEST(Resume, ProofsOfEarlierClaims) {
  SolveRequest request = ask("othello:size=4", "pn", "-XXX-XXXOOXX-OX- X", "score");
  const auto without = make_solver(request);
  without->step(20);
  const std::string bare = saved(*without);
  request.certificate = true;
  const auto with = make_solver(request);
  with->step(20);
  const std::string proofs = saved(*with);
  EXPECT_THROW(resumed(request, bare), Error);
  request.certificate = false;
  expect_same_search(finish(*resumed(request, proofs)), finish(*without));
}

// The last leaf of a batch may need no playouts: the path is then that of an earlier one.
TEST(Resume, ABatchThatEndsWithoutPlayouts) {
  for (std::uint64_t seed = 1; seed <= 40; ++seed) {
    SolveRequest request =
        ask("connect6:rows=3,columns=4,connect=4,stones=1",
            "pn:ties=path,leaf=playouts,playouts=2,order=random", "DB AA DA CA AB BC CB", "value");
    request.batch = static_cast<std::uint32_t>(2 + seed % 4);
    request.seed = seed;
    const auto solver = make_solver(request);
    while (solver->step(1) == StopReason::kRunning) {
      const auto loaded = resumed(request, saved(*solver));
      ASSERT_EQ(saved(*loaded), saved(*solver)) << seed;
    }
    expect_same_search(finish(*resumed(request, saved(*solver))), solver->result());
  }
}

// What is kept of earlier claims (bounds, moves) is believed as far as nothing contradicts it; a
// file that lies is bad data, never a wrong line or an internal error.
TEST(Resume, ForgedMovesOfEarlierClaims) {
  for (const char* algorithm : {"pn", "uct:playouts=2", "dfpn:leaf=unit,endings=0"}) {
    const SolveRequest request = ask("othello:size=4", algorithm, "-XXX-XXXOOXX-OX- X", "score");
    const auto solver = make_solver(request);
    solver->step(1);
    while (solver->step(1) == StopReason::kRunning && solver->result().counters.iterations < 150) {
    }
    const std::string good = saved(*solver);
    // Bounds, counters, moves and lines of the claims before stand in front.
    for (std::size_t i = 0; i < std::min<std::size_t>(good.size(), 800); ++i) {
      std::string state = good;
      state[i] = static_cast<char>(state[i] ^ (1 << i % 8));
      try {
        const auto loaded = resumed(request, state);
        for (int step = 0; step < 100 && loaded->step(100) == StopReason::kRunning; ++step) {
        }
        loaded->result();
      } catch (const Error& error) {
        EXPECT_TRUE(error.code() == ErrorCode::kData || error.code() == ErrorCode::kUsage)
            << algorithm << ", byte " << i << ": " << error.what();
      }
    }
  }
}

}  // namespace
}  // namespace playproof::resume_test
