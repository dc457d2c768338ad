// --selfcheck 1 and the look of level 3 find a verdict that the rules do not bear out.
#include "src/solve/self_check.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "games/core/error.h"
#include "games/hex/connection.h"
#include "games/hex/rules.h"
#include "host/solve/tree_solver.h"
#include "host/tree/best_first.h"
#include "kernels/schemes/pn.h"
#include "tests/host/support.h"

namespace playproof::self_check_test {
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

// A search that answers something else than what it found.
class Liar final : public Solver {
 public:
  Liar(Solver& solver, std::function<void(SolveResult&)> lie)
      : solver_(solver), lie_(std::move(lie)) {}
  SolveResult result() const override {
    SolveResult result = solver_.result();
    lie_(result);
    return result;
  }
  StopReason step(std::uint64_t iterations) override { return solver_.step(iterations); }
  void on_interim(InterimListener listener) override { solver_.on_interim(std::move(listener)); }
  std::vector<Move> interim_moves() const override { return solver_.interim_moves(); }
  Move interim_move() const override { return solver_.interim_move(); }
  std::string move_text(Move move) const override { return solver_.move_text(move); }
  std::vector<NodeRow> nodes(const NodeLook& look) const override { return solver_.nodes(look); }
  void write_certificate(ByteSink& out) override { solver_.write_certificate(out); }
  bool resumable() const override { return solver_.resumable(); }
  void save(ByteSink& out) override { solver_.save(out); }
  void load(ByteSource& in) override { solver_.load(in); }
  void self_check() const override { solver_.self_check(); }
  std::string game() const override { return solver_.game(); }
  std::string algorithm() const override { return solver_.algorithm(); }
  std::string goal() const override { return solver_.goal(); }
  std::string backend() const override { return solver_.backend(); }
  std::string device() const override { return solver_.device(); }

 private:
  Solver& solver_;
  std::function<void(SolveResult&)> lie_;
};

// X to move wins by 8 with d4 (O must pass, c4) and by 2 with c4, the only other move.
TEST(SelfCheck, WrongMovesAreRefused) {
  struct Lie {
    const char* goal;
    const char* verdict;
    const char* part;
    std::function<void(SolveResult&)> tell;
  };
  const auto play = [](const char* first, const char* second, const char* third = nullptr) {
    return [=](SolveResult& result) {
      result.best_move = first;
      result.principal_variation = {first, second};
      if (third != nullptr) result.principal_variation.emplace_back(third);
    };
  };
  const std::vector<Lie> lies = {
      {"score", "8", "there is no best move", [](SolveResult& r) { r.best_move.reset(); }},
      {"score", "8", "lacks the best move", [](SolveResult& r) { r.best_move = "c4"; }},
      {"score", "8", "not a legal move", play("d4", "c4")},
      {"score", "8", "before the game is over", play("d4", "--")},
      {"score", "8", "does not end as the verdict says", play("c4", "d4")},
      {"score>=3", "proved", "does not end as the verdict says", play("c4", "d4")},
      {"win", "proved", "the proof plays c4", play("d4", "--", "c4")},
      {"value", "win", "the proof plays c4", play("d4", "--", "c4")},
  };
  for (const Lie& lie : lies) {
    for (const std::string algorithm : {"minimax", "pn:order=random", "ppn", "uct"}) {
      SolveRequest request = ask("othello:size=4", algorithm, "OOOXXOXXXOOOXO-- X", lie.goal);
      request.certificate = true;
      SCOPED_TRACE(algorithm + ' ' + lie.goal + ' ' + lie.part);
      const auto solver = make_solver(request);
      finish(*solver);
      check_certificate(*solver, request.position, lie.verdict);
      Liar liar(*solver, lie.tell);
      expect_refused(liar, request, lie.verdict, lie.part);
    }
  }
}

TEST(SelfCheck, AForgedProofIsRefused) {
  const SolveRequest request =
      ask("hex:size=3", "pn:zones=off", "b2");  // lost for the side to move
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
  const SolveRequest request = ask("hex:size=3", "pn:earlybreak=off,zones=off", "a1 b1 a2 b2");
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
}  // namespace playproof::self_check_test
