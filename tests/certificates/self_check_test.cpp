// --selfcheck 1 and the look of level 3 find a verdict that the rules do not bear out.
#include "src/self_check.h"

#include <gtest/gtest.h>

#include <string>

#include "games/error.h"
#include "games/hex.h"
#include "host/best_first.h"
#include "host/schemes/pn.h"
#include "host/tree_solver.h"
#include "tests/host/support.h"

namespace playproof {
namespace {

using Board = Hex<1>;
using Engine = BestFirst<Board, Pn>;

Tree<PnLabel>& tree_of(Solver& solver) {
  const auto& known = dynamic_cast<const TreeSolver<Board, Engine>&>(solver);
  return const_cast<Tree<PnLabel>&>(known.engine().tree());
}

void expect_refused(Solver& solver, const SolveRequest& request, const std::string& verdict,
                    const char* part) {
  try {
    check_certificate(solver, request.position, verdict);
    ADD_FAILURE() << "accepted";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::kInternal);
    EXPECT_NE(std::string(error.what()).find(part), std::string::npos) << error.what();
  }
}

TEST(SelfCheck, RightVerdictsPass) {
  for (const std::string& algorithm : plain_algorithms()) {
    for (const char* goal : {"win", "value"}) {
      SolveRequest request = ask("othello:size=4", algorithm, "-XXX-XXXOOXX-OX- X", goal);
      request.certificate = true;
      const auto solver = make_solver(request);
      const SolveResult result = finish(*solver);
      const std::string verdict = std::string(goal) == "win" ? to_string(result.verdict)
                                  : result.lower > 0         ? "win"
                                  : result.lower < 0         ? "loss"
                                                             : "draw";
      check_certificate(*solver, request.position, verdict);
      expect_refused(*solver, request, verdict == "win" ? "loss" : "win", "is refused");
    }
  }
}

TEST(SelfCheck, AForgedProofIsRefused) {
  const SolveRequest request = ask("hex:size=3", "pn", "b2");  // lost for the side to move
  const auto solver = make_solver(request);
  ASSERT_EQ(finish(*solver).verdict, Verdict::kDisproved);
  check_certificate(*solver, request.position, "disproved");
  // Every node says that the attacker wins, and so does the search.
  auto& tree = tree_of(*solver);
  for (NodeIndex i = 0; i < tree.nodes(); ++i) {
    tree.node(i).bounds = Bounds::exact(1);
    tree.node(i).decided = true;
  }
  ASSERT_EQ(solver->result().verdict, Verdict::kProved);
  EXPECT_THROW(check_certificate(*solver, request.position, "proved"), Error);
  EXPECT_THROW(solver->self_check(), Error);
}

TEST(SelfCheck, AWrongLeafIsRefusedByTheRules) {
  // One move before the end: Black wins with a3 and with nothing else.
  const SolveRequest request = ask("hex:size=3", "pn:earlybreak=off", "a1 b1 a2 b2");
  const auto solver = make_solver(request);
  ASSERT_EQ(finish(*solver).verdict, Verdict::kProved);
  check_certificate(*solver, request.position, "proved");
  auto& tree = tree_of(*solver);
  for (NodeIndex i = 0; i < tree.nodes(); ++i) {
    auto& node = tree.node(i);
    node.bounds = node.edges == 0 ? Bounds::exact(-1) : node.bounds;
  }
  EXPECT_THROW(check_certificate(*solver, request.position, "proved"), Error);
}

TEST(SelfCheck, TheGuardLooksWhileTheSearchRuns) {
  const auto solver = make_solver(ask("hex:size=5", "pn"));
  TreeGuard guard;
  for (int i = 0; i < 20; ++i) {
    guard.look(*solver);
    solver->step(100);
  }
  tree_of(*solver).node(1).pending = true;
  const auto look_until_grown = [&] {
    for (int i = 0; i < 20; ++i) {
      guard.look(*solver);
      solver->step(100);
    }
  };
  EXPECT_THROW(look_until_grown(), Error);
}

}  // namespace
}  // namespace playproof
