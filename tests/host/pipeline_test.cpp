// Several batches of one tree out at a time (docs/pipeline.md): the verdicts are right, and the
// search is a function of batch and pipeline alone, whoever plays, however it is cut and resumed.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "games/core/error.h"
#include "host/solve/fleet.h"
#include "saved.h"
#include "support.h"

namespace playproof::pipeline_test {
namespace {

constexpr std::uint32_t kPipelines[] = {1, 2, 3, 7};
constexpr std::uint32_t kBatches[] = {1, 2, 8, 64};

// Every engine and scheme of a tree, with and without what changes how a tree grows.
const std::vector<std::string>& tree_algorithms() {
  static const std::vector<std::string> all = {"pn",
                                               "pn:ties=path,stop=own",
                                               "pn:leaf=playouts,playouts=8",
                                               "pn:leaf=playouts,playouts=8,ties=path,stop=one",
                                               "pn2",
                                               "deeppn",
                                               "wpns",
                                               "mcpn",
                                               "mcpn:playouts=3,earlybreak=off,zones=off",
                                               "ppn",
                                               "ppn:playouts=5,rule=beta,order=random",
                                               "ppn:patterns=20",
                                               "ppn:playouts=3,patterns=64,earlybreak=off",
                                               "ews",
                                               "mcts",
                                               "mcts:playouts=2,zones=off",
                                               "uct",
                                               "uct:reward=sign,playouts=3,order=random"};
  return all;
}
// Those of which leaves wait.
const std::vector<std::string>& waiting_algorithms() {
  static const std::vector<std::string> all = {"pn:leaf=playouts,playouts=8,ties=path",
                                               "mcpn",
                                               "ppn:order=random",
                                               "ppn:playouts=4,earlybreak=off",
                                               "ppn:patterns=20,order=random",
                                               "ppn:playouts=3,patterns=64,earlybreak=off",
                                               "ews",
                                               "mcts",
                                               "uct:reward=sign"};
  return all;
}

SolveRequest piped(SolveRequest request, std::uint32_t batch, std::uint32_t pipeline) {
  request.batch = batch;
  request.pipeline = pipeline;
  return request;
}

std::string describe(const SolveRequest& request) {
  return request.game + " '" + request.position + "' " + request.algorithm + ' ' + request.goal +
         " batch " + std::to_string(request.batch) + " pipeline " +
         std::to_string(request.pipeline) + " nodes " + std::to_string(request.limits.max_nodes);
}

struct Problem {
  const char* game;
  const char* position;
  const char* goal;
};
constexpr Problem kProblems[] = {
    {"hex:size=3", "", "win"},
    {"hex:rows=8,columns=9", "d4", "win"},
    {"othello:size=4", "-XXX-XXXOOXX-OX- X", "score"},
    {"othello:size=6", "", "value"},
    {"connect6:rows=4,columns=4,connect=3,stones=2", "", "win"},
    {"pgame:branching=3,depth=7,tree=5", "", "value"},
};
SolveRequest ask_of(const Problem& problem, const std::string& algorithm) {
  return ask(problem.game, algorithm, problem.position, problem.goal);
}

void expect_right_everywhere(const std::string& game, const std::string& position,
                             const std::vector<std::string>& goals) {
  const Truth right = truth(game, position);
  static std::size_t turn = 0;
  for (const std::string& goal : goals) {
    for (const std::string& algorithm : tree_algorithms()) {
      for (const std::uint32_t batch : kBatches) {
        for (const std::uint32_t pipeline : kPipelines) {
          if (turn++ % 2 == 0 && !nightly()) continue;
          SolveRequest request = piped(ask(game, algorithm, position, goal), batch, pipeline);
          SCOPED_TRACE("pipeline " + std::to_string(pipeline));
          expect_right(request, right);
          if (::testing::Test::HasFailure()) return;
        }
      }
    }
  }
}

TEST(Pipeline, AgreesWithExhaustiveSearch) {
  AllGames::for_each([]<class Entry>() {
    if (repeats(Entry::kSmall)) return;
    if (!HasFailure()) expect_right_everywhere(Entry::kSmall, Entry::kPosition, {"win", "value"});
  });
  for (int tree = 1; tree <= (nightly() ? 40 : 3) && !HasFailure(); ++tree) {
    const std::string shape = tree % 2 == 0 ? "branching=3,depth=5" : "branching=2,depth=7";
    expect_right_everywhere("pgame:" + shape + ",tree=" + std::to_string(tree),
                            tree % 3 == 0 ? "1" : "", {"win", "draw"});
  }
  if (!HasFailure()) expect_right_everywhere("hex:size=3", "a1", {"win"});
}

// Where nothing waits, or only one batch is out, there is nothing to overlap.
TEST(Pipeline, ChangesNothingWithoutPlayouts) {
  for (const char* algorithm : {"pn", "pn:ties=path,stop=one", "deeppn", "wpns", "pn2"}) {
    for (const Problem& problem : kProblems) {
      SolveRequest request = ask_of(problem, algorithm);
      request.limits.max_nodes = 2000;
      const SolveResult alone = solve(request);
      expect_same_search(solve(piped(request, 1, 5)), alone);
    }
  }
}

TEST(Pipeline, ChangesTheSearchWithPlayouts) {
  const SolveRequest request = ask("hex:size=4", "ppn", "a1");
  const SolveResult one = solve(piped(request, 4, 1));
  const SolveResult two = solve(piped(request, 4, 2));
  EXPECT_EQ(one.verdict, two.verdict);
  EXPECT_NE(one.counters.iterations, two.counters.iterations);
}

// Whoever plays the playouts, on however many threads, however long a step is.
TEST(Pipeline, CountsDependOnBatchAndPipelineAlone) {
  std::size_t turn = 0;
  std::uint64_t draw = 3;
  for (const Problem& problem : kProblems) {
    for (const std::string& algorithm : waiting_algorithms()) {
      draw = mix64(draw);
      if (++turn % 3 != 0 && !nightly()) continue;
      SolveRequest request = piped(ask_of(problem, algorithm), kBatches[draw % 4],
                                   2 + static_cast<std::uint32_t>(draw >> 8 & 0xff) % 6);
      request.limits.max_nodes = 300;
      SCOPED_TRACE(describe(request));
      const SolveResult whole = solve(request);
      for (const char* backend : {"reference", "cpu", "latency:us=30", "check:every=3"}) {
        SolveRequest other = request;
        other.backend = backend;
        other.threads = 1 + static_cast<int>((draw >> 16) % 3);
        const auto solver = make_solver(other);
        do {
          draw = mix64(draw);
        } while (solver->step(1 + draw % 50) == StopReason::kRunning);
        expect_same_search(solver->result(), whole);
      }
    }
  }
}

// Saved, thrown away and loaded again, the search is the one that was never interrupted.
void expect_same_in_pieces(const SolveRequest& request, std::uint64_t draw, std::uint64_t most) {
  SCOPED_TRACE(describe(request));
  const auto whole = make_solver(request);
  finish(*whole);
  auto pieces = make_solver(request);
  while (true) {
    draw = mix64(draw);
    const StopReason reason = pieces->step(1 + draw % most);
    pieces->self_check();
    ASSERT_TRUE(reason == StopReason::kMemory || pieces->resumable());
    if (reason != StopReason::kRunning) break;
    const std::string state = saved(*pieces);
    pieces = resumed(request, state);
    ASSERT_EQ(saved(*pieces), state);
  }
  expect_same_search(pieces->result(), whole->result());
  EXPECT_EQ(pieces->interim_moves(), whole->interim_moves());
  EXPECT_EQ(pieces->interim_move(), whole->interim_move());
  if (whole->result().reason != StopReason::kDecided) return;
  EXPECT_EQ(certificate(*pieces), certificate(*whole));
  const auto again = resumed(request, saved(*pieces));
  EXPECT_EQ(again->step(1), StopReason::kDecided);
  EXPECT_EQ(certificate(*again), certificate(*whole));
}

TEST(Pipeline, InPiecesIsTheSameSearch) {
  std::uint64_t draw = 1;
  for (const Problem& problem : kProblems) {
    for (const std::string& algorithm : waiting_algorithms()) {
      for (int i = 0; i < (nightly() ? 12 : 2); ++i) {
        draw = mix64(draw);
        SolveRequest request = piped(ask_of(problem, algorithm), kBatches[draw % 4],
                                     2 + static_cast<std::uint32_t>(draw >> 8 & 0xff) % 6);
        request.limits.max_nodes = nightly() ? 1500 : 400;
        request.certificate = true;
        expect_same_in_pieces(request, draw, i % 2 == 0 ? 1 : 4 * request.batch);
        if (HasFailure()) return;
      }
    }
  }
}

// A limit of nodes leaves what is out where it is: with a larger one the search goes on as if that
// had been given at first.
TEST(Pipeline, LargerLimits) {
  std::uint64_t draw = 5;
  for (const Problem& problem : kProblems) {
    for (const std::string& algorithm : waiting_algorithms()) {
      draw = mix64(draw);
      SolveRequest request = piped(ask_of(problem, algorithm), kBatches[draw % 3],
                                   2 + static_cast<std::uint32_t>(draw >> 8 & 0xff) % 3);
      request.limits.max_nodes = 3000;
      SCOPED_TRACE(describe(request));
      const SolveResult whole = solve(request);
      for (const std::uint64_t limit : {1, 2, 50, 333, 1000}) {
        request.limits.max_nodes = limit;
        const auto first = make_solver(request);
        const SolveResult cut = finish(*first);
        first->self_check();
        ASSERT_TRUE(first->resumable());
        const std::string state = saved(*first);
        expect_same_search(finish(*resumed(request, state)), cut);  // with the same limit
        request.limits.max_nodes = 3000;
        expect_same_search(finish(*resumed(request, state)), whole);
      }
    }
  }
}

TEST(Pipeline, TinyMemory) {
  for (const std::string& algorithm : waiting_algorithms()) {
    for (const std::uint64_t memory : {2000u, 9000u, 40000u}) {
      SolveRequest request = piped(ask("hex:size=5", algorithm), 8, 3);
      request.limits.max_nodes = 20000;
      const SolveResult whole = solve(request);
      SolveRequest tiny = request;
      tiny.limits.max_memory = memory;
      SCOPED_TRACE(describe(tiny) + " bytes " + std::to_string(memory));
      const auto cut = make_solver(tiny);
      std::string state = saved(*cut);
      while (cut->step(1) == StopReason::kRunning) state = saved(*cut);
      EXPECT_EQ(cut->result().reason, StopReason::kMemory);
      cut->self_check();
      expect_same_search(cut->result(), solve(tiny));
      if (cut->resumable()) state = saved(*cut);
      expect_same_search(finish(*resumed(request, state)), whole);
    }
  }
}

// A listener hears in pieces what it hears of the whole.
TEST(Pipeline, InterimMovesAreTheSame) {
  std::size_t turn = 0;
  using News = std::vector<std::pair<std::uint64_t, std::vector<Move>>>;
  const auto listen = [](Solver& solver, News* news) {
    solver.on_interim([news](std::uint64_t iteration, const std::vector<Move>& tied) {
      news->emplace_back(iteration, tied);
    });
  };
  for (const Problem& problem : kProblems) {
    for (const std::string& algorithm : waiting_algorithms()) {
      for (const std::uint32_t batch : {1u, 5u}) {
        if (turn++ % 3 != 0 && !nightly()) continue;
        SolveRequest request = piped(ask_of(problem, algorithm), batch, 3);
        request.limits.max_nodes = 2000;
        SCOPED_TRACE(describe(request));
        News whole;
        News pieces;
        auto solver = make_solver(request);
        listen(*solver, &whole);
        finish(*solver);
        solver = make_solver(request);
        listen(*solver, &pieces);
        while (solver->step(17) == StopReason::kRunning) {
          solver = resumed(request, saved(*solver));
          listen(*solver, &pieces);
        }
        EXPECT_EQ(pieces, whole);
      }
    }
  }
}

// Leaves of very many playouts: a run pauses within them, and what is saved there is the search.
TEST(Pipeline, PausesWithinLargeLeaves) {
  for (const char* algorithm : {"ppn:playouts=3000", "uct:playouts=20000"}) {
    SolveRequest request = piped(ask("hex:size=3", algorithm), 2, 3);
    request.limits.max_nodes = 100;
    SolveRequest slow = request;
    slow.backend = "reference";
    int steps = 0;
    auto solver = make_solver(slow);
    while (solver->step(1) == StopReason::kRunning) {
      ++steps;
      EXPECT_TRUE(solver->finish_leaf(0));
      solver->self_check();
      if (steps % 5 == 0) solver = resumed(slow, saved(*solver));
    }
    EXPECT_GT(steps, 3);
    expect_same_search(solver->result(), solve(request));
  }
}

TEST(Pipeline, ManySearchesAreTheSameAsAlone) {
  std::vector<SolveRequest> searches;
  for (int i = 1; i <= 60; ++i) {
    const std::string& algorithm = waiting_algorithms()[static_cast<std::size_t>(i) % 7];
    SolveRequest request = ask("pgame:branching=3,depth=7,tree=" + std::to_string(i), algorithm);
    searches.push_back(piped(request, i % 4 == 0 ? 4 : 1, 1 + static_cast<unsigned>(i) % 4));
    if (i % 7 == 0) searches.back().limits.max_nodes = 60;
  }
  std::vector<SolveResult> alone;
  for (const SolveRequest& search : searches) alone.push_back(solve(search));
  for (const std::uint32_t in_flight : {1u, 7u, 1000u}) {
    for (const std::uint32_t batch : {1u, 4u, 64u}) {
      FleetRequest request;
      request.threads = static_cast<int>(1 + (in_flight + batch) % 3);
      request.feeders = static_cast<int>((in_flight + batch) % 3);
      request.in_flight = in_flight;
      request.batch_searches = batch;
      request.backend = batch == 4 ? "latency:us=3" : "cpu";
      std::map<std::size_t, SolveResult> results;
      run_fleet(searches, request, [&](std::size_t number, const Solver& solver) {
        EXPECT_TRUE(results.emplace(number, solver.result()).second);
      });
      ASSERT_EQ(results.size(), searches.size());
      for (const auto& [number, result] : results) {
        SCOPED_TRACE(describe(searches[number]));
        expect_same_search(result, alone[number]);
      }
    }
  }
}

// A file that lies about what is out, or about what a second level has decided: bad data, or
// another way to the right verdict.
TEST(Pipeline, ForgedStates) {
  const char* game = "pgame:branching=3,depth=8,tree=5";
  const Truth right = truth(game, "");
  for (const auto& [algorithm, iterations] :
       {std::pair("ppn:playouts=2", 20u), {"uct:playouts=2", 20u}, {"pn2", 9u}}) {
    const SolveRequest request = piped(ask(game, algorithm, "", "win"), 3, 3);
    const auto solver = make_solver(request);
    while (solver->result().counters.iterations < iterations) {
      ASSERT_EQ(solver->step(1), StopReason::kRunning);
    }
    const std::string good = saved(*solver);
    int refused = 0;
    for (std::size_t i = 0; i < good.size(); i += nightly() ? 1 : 5) {
      std::string state = good;
      state[i] = static_cast<char>(state[i] ^ (1 << i % 8));
      try {
        const auto loaded = resumed(request, state);
        for (int step = 0; step < 500 && loaded->step(100) == StopReason::kRunning; ++step) {
        }
        const Verdict verdict = loaded->result().verdict;
        if (verdict == Verdict::kUnknown) continue;
        EXPECT_EQ(verdict == Verdict::kProved, right.value >= 1) << algorithm << ", byte " << i;
        loaded->self_check();
      } catch (const Error& error) {
        ++refused;
        EXPECT_TRUE(error.code() == ErrorCode::kData || error.code() == ErrorCode::kUsage)
            << algorithm << ", byte " << i << ": " << error.what();
      }
    }
    EXPECT_GT(refused, nightly() ? 100 : 20) << algorithm;
  }
}

TEST(Pipeline, Refusals) {
  const auto refuse = [](const SolveRequest& request, const std::string& word) {
    try {
      make_solver(request);
      ADD_FAILURE() << describe(request) << " is taken";
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ErrorCode::kUsage);
      EXPECT_NE(std::string(error.what()).find(word), std::string::npos) << error.what();
    }
  };
  for (const std::string& algorithm : table_algorithms()) {
    refuse(piped(ask("hex:size=3", algorithm), 1, 2), "--pipeline: " + algorithm);
    make_solver(piped(ask("hex:size=3", algorithm), 1, 1));
  }
  refuse(piped(ask("hex:size=3", "ppn"), 1, 0), "pipeline");
  refuse(piped(ask("hex:size=3", "ppn"), 1, kMostPipeline + 1), "pipeline");
}

}  // namespace
}  // namespace playproof::pipeline_test
