// PN2: a second level changes what is kept, not what is true. Verdicts, certificates and lines of
// every variant are held against the rules with those of all other algorithms (all_variants()).
#include "host/tree/pn2.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

#include "games/core/error.h"
#include "saved.h"
#include "support.h"

namespace playproof::pn2_test {
namespace {

const std::vector<std::string> kVariants = {"pn2:limit=allis,evaluate=delayed",
                                            "pn2:limit=allis,evaluate=immediate",
                                            "pn2:limit=breuker,a=40,b=10,evaluate=delayed",
                                            "pn2:limit=breuker,a=40,b=10,evaluate=immediate"};

TEST(Pn2, Exponential) {
  for (const double x : {-1000.0, -700.0, -30.25, -1.0, -1e-9, 0.0, 1e-9, 0.5, 1.0, 7.5, 88.0,
                         699.9, 700.0, 1000.0}) {
    const double right = std::exp(std::clamp(x, -700.0, 700.0));
    EXPECT_NEAR(natural_exp(x) / right, 1, 4e-15) << x;
  }
  EXPECT_EQ(natural_exp(0), 1);
}

TEST(Pn2, Limits) {
  const Pn2Limit allis;
  for (const std::uint64_t x : {1u, 100u, 1000000u}) EXPECT_EQ(allis(x, 10), x);
  const Pn2Limit breuker{true, 1000, 100};
  const std::uint64_t most = 1 << 30;
  EXPECT_EQ(breuker(1, most), 1u);       // never less
  EXPECT_EQ(breuker(1000, most), 500u);  // f(a) = 1/2
  EXPECT_EQ(breuker(1100, most), 804u);  // f(a + b) = 1 / (1 + 1/e)
  EXPECT_EQ(breuker(900, most), 242u);
  EXPECT_EQ(breuker(100000, most), 100000u);
  EXPECT_EQ(breuker(100000, 150000), 50000u);  // N - x
  EXPECT_EQ(breuker(100000, 100001), 1u);
  EXPECT_EQ(breuker(100000, 5), 1u);
  for (std::uint64_t x = 1; x < 3000; ++x) EXPECT_LE(breuker(x, most), breuker(x + 1, most));
}

// With y = 1 a second-level search only expands its root: the first level is PN-search.
TEST(Pn2, WithoutASecondLevelItIsPn) {
  for (const char* game : {"hex:size=3", "pgame:branching=4,depth=6,tree=3",
                           "connect6:rows=3,columns=3,connect=3,stones=1"}) {
    for (const char* rest : {"", ",order=random", ",earlybreak=off", ",leaf=mobility"}) {
      const std::string options = rest;
      const SolveResult pn = solve(ask(game, "pn:ties=left" + options));
      const SolveResult pn2 = solve(ask(game, "pn2:limit=breuker,a=1e12,b=1" + options));
      SCOPED_TRACE(game + options);
      EXPECT_EQ(pn2.verdict, pn.verdict);
      EXPECT_EQ(pn2.best_move, pn.best_move);
      EXPECT_EQ(pn2.counters.iterations, pn.counters.iterations);
      EXPECT_EQ(pn2.counters.nodes_created, pn.counters.nodes_created);
      EXPECT_EQ(pn2.counters.nodes_expanded, pn.counters.nodes_expanded);
      EXPECT_EQ(pn2.counters.max_depth, pn.counters.max_depth);
      EXPECT_EQ(pn2.counters.second_searches, pn2.counters.iterations);
    }
  }
}

// What it is for (Allis 1994): memory.
TEST(Pn2, KeepsLess) {
  const SolveRequest request = ask("hex:size=4", "pn:zones=off");
  const SolveResult pn = finish(*make_solver(request));
  for (const char* limit : {"allis", "breuker"}) {
    for (const char* evaluate : {"delayed", "immediate"}) {
      const std::string algorithm =
          std::string("pn2:zones=off,limit=") + limit + ",evaluate=" + evaluate;
      SCOPED_TRACE(algorithm);
      const SolveResult pn2 = finish(*make_solver(ask("hex:size=4", algorithm)));
      EXPECT_EQ(pn2.verdict, pn.verdict);
      EXPECT_LT(5 * pn2.counters.peak_bytes, pn.counters.peak_bytes);
      EXPECT_GT(pn2.counters.second_decided, 0u);
    }
  }
}

TEST(Pn2, SmallBoardsAndAllGoals) {
  for (std::uint64_t seed = 1; seed <= 6; ++seed) {
    const std::string position = random_othello(4, 7, seed);
    const Truth exact = truth("othello:size=4", position);
    for (const std::string& variant : kVariants) {
      for (const char* rest : {"", ",endings=4", ",order=random,earlybreak=off,leaf=mobility"}) {
        for (const char* goal : {"win", "draw", "score>=3", "score>=-4", "value", "score"}) {
          expect_right(ask("othello:size=4", variant + rest, position, goal), exact);
        }
      }
    }
    if (HasFailure()) return;
  }
}

// A second-level search that is cut off by a checkpoint begins anew and counts once; its proofs are
// searched for again, in a search that was loaded as in the one that was not.
TEST(Pn2, InPieces) {
  int interruptions = 0;
  for (const std::string& variant : kVariants) {
    for (const char* goal : {"win", "score"}) {
      SolveRequest request = ask("othello:size=4", variant, random_othello(4, 8, 3), goal);
      SCOPED_TRACE(variant + ' ' + goal);
      request.certificate = true;
      const auto whole = make_solver(request);
      const SolveResult expected = finish(*whole);
      auto pieces = make_solver(request);
      while (pieces->step(1) == StopReason::kRunning) {
        pieces = resumed(request, saved(*pieces));
        pieces->self_check();
        ++interruptions;
      }
      expect_same_search(pieces->result(), expected);
      EXPECT_EQ(certificate(*whole), certificate(*pieces));
    }
  }
  EXPECT_GT(interruptions, 100);
}

// Limits of nodes hold for both levels together, and a larger one goes on as if it had been there.
TEST(Pn2, LimitsOfNodes) {
  for (const std::string& variant : kVariants) {
    SolveRequest request = ask("hex:size=3", variant);
    const SolveResult whole = finish(*make_solver(request));
    for (std::uint64_t limit = 1; limit < whole.counters.nodes_created; limit += 1 + limit / 3) {
      SCOPED_TRACE(variant + ' ' + std::to_string(limit));
      request.limits.max_nodes = limit;
      const auto cut = make_solver(request);
      EXPECT_EQ(finish(*cut).reason, StopReason::kNodes);
      EXPECT_LE(cut->result().counters.nodes_created, limit);
      cut->self_check();
      const std::string state = saved(*cut);
      expect_same_search(finish(*resumed(request, state)), cut->result());
      request.limits.max_nodes = SearchLimits::kNone;
      expect_same_search(finish(*resumed(request, state)), whole);
    }
  }
}

// A step is short however long a second-level search is.
TEST(Pn2, StepsAreShort) {
  for (const std::string& variant : kVariants) {
    const auto solver = make_solver(ask("hex:size=6", variant));
    std::uint64_t before = 1;
    std::uint64_t longest = 0;
    for (int step = 0; step < 2000; ++step) {
      ASSERT_EQ(solver->step(1), StopReason::kRunning);
      longest = std::max(longest, solver->result().counters.nodes_created - before);
      before = solver->result().counters.nodes_created;
    }
    EXPECT_LE(longest, 1024 + 2 * 36u) << variant;
  }
}

// A file may say of a leaf that the second level decided it: no verdict follows from that.
TEST(Pn2, ForgedLeavesAreFoundOut) {
  const SolveRequest request = ask("hex:size=3", "pn2", "a1");
  const Verdict right = finish(*make_solver(request)).verdict;
  const auto solver = make_solver(request);
  for (int step = 0; step < 12; ++step) ASSERT_EQ(solver->step(1), StopReason::kRunning);
  const std::string good = saved(*solver);
  int refused = 0;
  int harmless = 0;
  for (std::size_t i = 0; i < good.size(); i += nightly() ? 1 : 5) {
    std::string state = good;
    state[i] = static_cast<char>(state[i] ^ (1 << i % 8));
    try {
      const auto loaded = resumed(request, state);
      const SolveResult result = finish(*loaded);
      EXPECT_EQ(result.verdict, right) << "byte " << i;
      ++harmless;
    } catch (const Error& error) {
      EXPECT_TRUE(error.code() == ErrorCode::kData || error.code() == ErrorCode::kUsage)
          << "byte " << i << ": " << error.what();
      ++refused;
    }
  }
  EXPECT_GT(refused, nightly() ? 100 : 20);
  EXPECT_GT(harmless, 0);
}

// Also where certificates leave endings to their checker, and where the claim is not all that a
// value says.
TEST(Pn2, ForgedLeavesOfEndingsAreFoundOut) {
  for (const char* algorithm : {"pn2:endings=3", "pn2:endings=3,evaluate=immediate"}) {
    for (const char* goal : {"win", "value", "score"}) {
      const SolveRequest request = ask("othello:size=4", algorithm, "", goal);
      const SolveResult right = finish(*make_solver(request));
      const auto solver = make_solver(request);
      for (int step = 0; step < 25; ++step) {
        if (solver->step(1) != StopReason::kRunning) break;
      }
      const std::string good = saved(*solver);
      for (std::size_t i = 0; i < good.size(); i += nightly() ? 3 : 11) {
        std::string state = good;
        state[i] = static_cast<char>(state[i] ^ (1 << i % 8));
        try {
          const auto loaded = resumed(request, state);
          const SolveResult result = finish(*loaded);
          EXPECT_EQ(result.verdict, right.verdict) << algorithm << ' ' << goal << " byte " << i;
          EXPECT_EQ(result.lower, right.lower) << algorithm << ' ' << goal << " byte " << i;
        } catch (const Error& error) {
          EXPECT_TRUE(error.code() == ErrorCode::kData || error.code() == ErrorCode::kUsage)
              << "byte " << i << ": " << error.what();
        }
      }
    }
  }
}

// Breuker's N - x: when memory runs out the second level has what is left, to the end.
TEST(Pn2, BreukersLimitFillsTheMemory) {
  const auto rules = Hex<1>::make_rules(4, 4);
  Pn2<Hex<1>>::Options options;
  options.max_bytes = std::uint64_t{1} << 18;
  options.limit = {true, 40, 10};
  Pn2<Hex<1>> search(rules, Hex<1>::initial(rules), {Player::kFirst, 1}, options);
  std::vector<LeafRequest<Hex<1>>> none;
  while (search.propose(1, none) > 0) search.absorb({});
  const std::uint64_t most = options.max_bytes / (sizeof(Node<PnLabel>) + sizeof(Edge));
  EXPECT_TRUE(search.stopped() == StopReason::kDecided || search.tree().nodes() > most * 3 / 5)
      << search.tree().nodes() << " of " << most;
  EXPECT_LE(search.tree().used_bytes(), options.max_bytes);
}

TEST(Pn2, Names) {
  const auto name = [](const std::string& algorithm) {
    return make_solver(ask("hex:size=3", algorithm))->algorithm();
  };
  EXPECT_EQ(name("pn2"),
            "pn2:limit=allis,evaluate=delayed,leaf=unit,earlybreak=on,order=natural,zones=on");
  EXPECT_EQ(name("pn2:limit=breuker"),
            "pn2:limit=breuker,evaluate=delayed,a=1800000,b=240000,leaf=unit,earlybreak=on,"
            "order=natural,zones=on");
  for (const char* wrong : {"pn2:limit=x", "pn2:limit=breuker,b=0", "pn2:evaluate=now"}) {
    EXPECT_THROW(name(wrong), Error) << wrong;
  }
}

}  // namespace
}  // namespace playproof::pn2_test
