// The checks of --selfcheck 2 and 3, and of every state that is read, find what is wrong: faults
// are planted into the trees of real searches. Level 1: tests/certificates/self_check_test.cpp.
#include <gtest/gtest.h>

#include <functional>
#include <limits>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "games/core/error.h"
#include "host/solve/minimax.h"
#include "host/solve/tree_solver.h"
#include "host/tree/best_first.h"
#include "host/tree/mcts.h"
#include "kernels/schemes/ews.h"
#include "kernels/schemes/pn.h"
#include "kernels/schemes/ppn.h"
#include "saved.h"
#include "support.h"

namespace playproof::self_check_test {
namespace {

using Board = Hex<1>;

// The tree of a solver, to be spoilt.
template <class Engine>
Tree<typename Engine::Label>& tree_of(Solver& solver) {
  const auto& known = dynamic_cast<const TreeSolver<Board, Engine>&>(solver);
  return const_cast<Tree<typename Engine::Label>&>(known.engine().tree());
}

template <class Label>
struct Fault {
  const char* name;
  std::function<void(Tree<Label>&, NodeIndex)> plant;
};

// Faults of any tree; the node is expanded, undecided and not the root.
template <class Label>
std::vector<Fault<Label>> faults() {
  const auto first_child = [](Tree<Label>& tree, NodeIndex i) -> Node<Label>& {
    return tree.node(tree.edge(tree.node(i).first_edge).node);
  };
  return {
      {"decided without a reason", [](auto& tree, NodeIndex i) { tree.node(i).decided = true; }},
      {"bounds that prove",
       [](auto& tree, NodeIndex i) { tree.node(i).bounds = Bounds::exact(1); }},
      {"a false proof",
       [](auto& tree, NodeIndex i) {
         tree.node(i).bounds = Bounds::exact(1);
         tree.node(i).decided = true;
       }},
      {"a leaf that knows more",
       [=](auto& tree, NodeIndex i) { first_child(tree, i).bounds = Bounds::exact(-1); }},
      {"another move", [](auto& tree, NodeIndex i) { ++tree.edge(tree.node(i).first_edge).move; }},
      {"another child", [](auto& tree, NodeIndex i) { ++tree.edge(tree.node(i).first_edge).node; }},
      {"a circle", [](auto& tree, NodeIndex i) { tree.edge(tree.node(i).first_edge).node = 0; }},
      {"no such child",
       [](auto& tree, NodeIndex i) { tree.edge(tree.node(i).first_edge).node = 0x7fffffff; }},
      {"other edges", [](auto& tree, NodeIndex i) { tree.node(i).first_edge = 0; }},
      {"no such edges", [](auto& tree, NodeIndex i) { tree.node(i).first_edge = 0xfffffff0; }},
      {"a move less", [](auto& tree, NodeIndex i) { --tree.node(i).edges; }},
      {"never expanded", [](auto& tree, NodeIndex i) { tree.node(i).edges = 0; }},
      {"waits for nobody", [](auto& tree, NodeIndex i) { tree.node(i).pending = true; }},
  };
}

template <class Label>
NodeIndex inner_node(const Tree<Label>& tree) {
  for (NodeIndex i = 1; i < tree.nodes(); ++i) {
    if (tree.node(i).edges > 1 && !tree.node(i).decided && tree.children(tree.node(i)).created(1)) {
      return i;
    }
  }
  ADD_FAILURE() << "no such node";
  return 0;
}

void expect_found(const Solver& solver, const char* name) {
  try {
    solver.self_check();
    ADD_FAILURE() << name << " was not found";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::kInternal);
    EXPECT_NE(std::string(error.what()).find("node "), std::string::npos) << error.what();
  }
}

template <class Engine, class Label = typename Engine::Label>
void expect_fault_found(const std::string& algorithm, const Fault<Label>& fault) {
  const SolveRequest request = ask("hex:size=4", algorithm);
  const auto solver = make_solver(request);
  solver->step(300);
  solver->self_check();
  auto& tree = tree_of<Engine>(*solver);
  fault.plant(tree, inner_node(tree));
  expect_found(*solver, fault.name);
  // What is saved with a fault in it cannot be loaded.
  try {
    resumed(request, saved(*solver));
    ADD_FAILURE() << fault.name << " was loaded";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::kData);
  }
}
template <class Engine>
void expect_all_found(const char* algorithm, std::vector<Fault<typename Engine::Label>> more) {
  using Label = typename Engine::Label;
  std::vector<Fault<Label>> all = faults<Label>();
  all.insert(all.end(), more.begin(), more.end());
  for (const std::string& name : {std::string(algorithm), without_zones(algorithm)}) {
    SCOPED_TRACE(name);
    for (const Fault<Label>& fault : all) expect_fault_found<Engine>(name, fault);
  }
}

TEST(SelfCheck, FindsPlantedFaults) {
  expect_all_found<BestFirst<Board, Pn>>(
      "pn:stop=allis",
      {{"a proof number", [](auto& tree, auto i) { ++tree.node(i).label.pn; }},
       {"a disproof number", [](auto& tree, auto i) { --tree.node(i).label.dn; }}});
  expect_all_found<BestFirst<Board, Ppn>>(
      "ppn",
      {{"a probability", [](auto& tree, auto i) { tree.node(i).label = Probability::from(0.123); }},
       {"no probability", [](auto& tree, auto i) {
          const double nothing = 7;
          std::memcpy(static_cast<void*>(&tree.node(i).label), &nothing, sizeof nothing);
        }}});
  expect_all_found<BestFirst<Board, Ews>>(
      "ews", {{"a proof's work", [](auto& tree, auto i) { tree.node(i).label.proof *= 1.5; }},
              {"a disproof's work", [](auto& tree, auto i) { tree.node(i).label.disproof += 3; }},
              {"a win", [](auto& tree, auto i) { tree.node(i).label.wins += 1; }},
              {"a visit", [](auto& tree, auto i) { tree.node(i).label.visits += 1; }},
              {"no number", [](auto& tree, auto i) {
                 tree.node(i).label.proof = std::numeric_limits<double>::quiet_NaN();
               }}});
  expect_all_found<Mcts<Board>>(
      "uct", {{"visits", [](auto& tree, auto i) { ++tree.node(i).label.visits; }},
              {"rewards", [](auto& tree, auto i) { tree.node(i).label.reward += 100; }},
              {"children", [](auto& tree, auto i) { --tree.node(i).label.created; }}});
}

TEST(SelfCheck, EverySearchIsSoundAllTheWay) {
  std::size_t turn = 0;
  for (const std::string& algorithm : all_variants()) {
    for (const std::uint32_t batch : {1u, 6u}) {
      if (turn++ % 3 != 0 && !nightly()) continue;
      SolveRequest request = ask("othello:size=4", algorithm, "", "score>=2");
      request.batch = batch;
      request.limits.max_nodes = 2500;
      SCOPED_TRACE(algorithm);
      const auto solver = make_solver(request);
      do {
        solver->self_check();
      } while (solver->step(150) == StopReason::kRunning);
      solver->self_check();
    }
  }
}

TEST(SelfCheck, OracleTable) {
  Minimax<Othello> search(Othello::make_rules(4), {Player::kFirst, 1});
  search.ask(Othello::initial(search.rules()));
  search.self_check();
  EXPECT_GT(search.expanded(), 1000u);
}

// An evaluator that fails after some batches: the search throws, and the last saved state goes on.
class FailingEvaluator final : public PlayoutEvaluator<Board> {
 public:
  FailingEvaluator(std::unique_ptr<PlayoutEvaluator<Board>> inner, int good)
      : inner_(std::move(inner)), left_(good) {}
  Ticket submit(std::span<const LeafRequest<Board>> requests) override {
    if (left_-- == 0) throw Error(ErrorCode::kUnavailable, "the device is gone");
    return inner_->submit(requests);
  }
  void collect(Ticket ticket, std::span<Tally> tallies) override {
    inner_->collect(ticket, tallies);
  }
  std::string name() const override { return inner_->name(); }

 private:
  std::unique_ptr<PlayoutEvaluator<Board>> inner_;
  int left_;
};

TEST(Resume, AfterAFailingEvaluator) {
  const SolveRequest request = ask("hex:size=3", "ppn:playouts=32,zones=off", "a1");
  const auto rules = Board::make_rules(3, 3);
  using Engine = BestFirst<Board, Ppn>;
  const auto position = GameText<Board>::parse(rules, request.position);
  typename Engine::Options options;
  options.max_bytes = 1 << 24;
  const Ppn scheme{32, {false, 1.0 / 128}};
  TreeSolver<Board, Engine> solver(
      rules, position, {Player::kSecond, 1}, request, {},
      std::make_unique<FailingEvaluator>(make_evaluator<Board>(rules, "cpu", 1), 25), scheme,
      options);
  std::string state;
  EXPECT_THROW(
      while (true) {
        state = saved(solver);
        solver.step(1);
      },
      Error);
  EXPECT_GE(solver.result().counters.iterations, 26u);  // the last one without its playouts
  expect_same_search(finish(*resumed(request, state)), solve(request));
}

}  // namespace
}  // namespace playproof::self_check_test
