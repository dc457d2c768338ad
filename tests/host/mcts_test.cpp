// The MCTS solvers against PlainMcts: which node is added when, what is proved, which root moves
// lead (E31, E32).
#include "host/tree/mcts.h"

#include <gtest/gtest.h>

#include <cmath>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "games/hex/connection.h"
#include "games/hex/rules.h"
#include "games/pgame/rules.h"
#include "plain_mcts.h"
#include "trees.h"

namespace playproof::mcts_test {
namespace {

using Engine = Mcts<PGame>;

// Paths of all nodes but the root in the order of their creation.
std::vector<std::string> creation_order(const Tree<MctsLabel>& tree) {
  std::vector<std::string> paths(tree.nodes());
  for (NodeIndex i = 0; i < tree.nodes(); ++i) {
    const auto children = tree.children(tree.node(i));
    for (int c = 0; c < children.size(); ++c) {
      if (!children.created(c)) continue;
      paths[children.edge(c).node] = paths[i] + std::to_string(children.edge(c).move) + ' ';
    }
  }
  paths.erase(paths.begin());
  return paths;
}

SearchOptions options() {
  SearchOptions options;
  options.max_bytes = std::uint64_t{1} << 26;
  return options;
}

std::vector<Move> interim_moves(const Engine& engine) {
  std::vector<int> ties;
  engine.root_ties(ties);
  std::vector<Move> moves;
  const auto children = engine.tree().children(engine.tree().node(0));
  for (const int i : ties) moves.push_back(children.edge(i).move);
  return moves;
}

void expect_plain_order(const MctsRule& rule) {
  constexpr std::size_t kLimit = 2000;
  for (std::uint64_t tree = 0; tree < 100; ++tree) {
    const PGame::Rules rules{tree, static_cast<std::uint8_t>(2 + tree % 5),
                             static_cast<std::uint8_t>(3 + tree % 7)};
    Engine engine(rules, PGame::initial(rules), {Player::kFirst, 1}, rule, options());
    drive<PGame>(engine, kLimit);
    PlainMcts plain({rules.tree, rules.branching, rules.depth}, rule);
    const std::vector<std::string> expected = plain.run(kLimit);
    ASSERT_EQ(creation_order(engine.tree()), expected) << "tree " << tree;
    EXPECT_EQ(engine.counters().iterations, expected.size());
    EXPECT_EQ(engine.bounds().proves(1), plain.solved() == 1);
    EXPECT_EQ(engine.bounds().disproves(1), plain.solved() == -1);
    if (plain.solved() == 0) {
      EXPECT_EQ(interim_moves(engine), plain.interim());
    }
  }
}

TEST(MctsOrder, Pure) {
  expect_plain_order({10, MctsRule::Form::kPure, 0});
  expect_plain_order({1, MctsRule::Form::kPure, 0});
}

TEST(MctsOrder, UctInside) {
  expect_plain_order({10, MctsRule::Form::kInside, 2});
  expect_plain_order({1, MctsRule::Form::kInside, 0.3});
}

TEST(MctsOrder, UctOutside) { expect_plain_order({10, MctsRule::Form::kOutside, 1.5}); }

// Rewards 1, 0, -1, as the thesis prints them; draws are among the playouts and at the leaves.
TEST(MctsOrder, RewardsWithASign) {
  expect_plain_order({10, MctsRule::Form::kPure, 0, MctsRule::Reward::kSign});
  expect_plain_order({10, MctsRule::Form::kInside, std::sqrt(2), MctsRule::Reward::kSign});
  expect_plain_order({1, MctsRule::Form::kInside, 8, MctsRule::Reward::kSign, 0.25});
  expect_plain_order({10, MctsRule::Form::kOutside, 1.5, MctsRule::Reward::kSign, 3});
  expect_plain_order({10, MctsRule::Form::kInside, 2, MctsRule::Reward::kUnit, 3});
}

// Playouts of a game without draws.
class NoDraws final : public PlayoutEvaluator<Hex<1>> {
 public:
  Ticket submit(std::span<const LeafRequest<Hex<1>>> requests) override {
    return hashed_.submit(requests);
  }
  void collect(Ticket ticket, std::span<Tally> tallies) override {
    hashed_.collect(ticket, tallies);
    for (Tally& tally : tallies) tally.losses += std::exchange(tally.draws, 0);
  }
  std::string name() const override { return "no draws"; }

 private:
  HashedEvaluator<Hex<1>> hashed_{1};
};

// Where nothing is drawn, both rewards are one search whose constants differ (docs/readings.md):
// after every iteration the same tree, and the same move of the moment.
void expect_one_search(const MctsRule& sign, const MctsRule& unit) {
  const Hex<1>::Rules rules = Hex<1>::make_rules(4, 4);
  const auto make = [&](const MctsRule& rule) {
    return Mcts<Hex<1>>(rules, Hex<1>::initial(rules), {Player::kFirst, 1}, rule, options());
  };
  Mcts<Hex<1>> a = make(sign);
  Mcts<Hex<1>> b = make(unit);
  NoDraws evaluator;
  std::vector<int> ties, others;
  for (int i = 0; i < 3000; ++i) {
    drive_with<Hex<1>>(evaluator, a, 1);
    drive_with<Hex<1>>(evaluator, b, 1);
    a.root_ties(ties);
    b.root_ties(others);
    ASSERT_EQ(ties, others) << "iteration " << i;
  }
  EXPECT_EQ(creation_order(a.tree()), creation_order(b.tree()));
  EXPECT_EQ(a.counters().iterations, 3000u);
}

TEST(MctsOrder, ASignMakesConstantsWeighLess) {
  using Form = MctsRule::Form;
  using Reward = MctsRule::Reward;
  for (const double C : {0.5, std::sqrt(2), 3.0}) {
    expect_one_search({10, Form::kInside, C, Reward::kSign, 1},
                      {10, Form::kInside, C / 4, Reward::kUnit, 0.5});
    expect_one_search({10, Form::kOutside, C, Reward::kSign, 3},
                      {10, Form::kOutside, C / 2, Reward::kUnit, 1.5});
  }
  expect_one_search({1, Form::kPure, 0, Reward::kSign, 1}, {1, Form::kPure, 0, Reward::kUnit, 0.5});
}

// The interim move after every iteration of one search, not only at its end.
TEST(MctsOrder, InterimMovesAllTheWay) {
  const PGame::Rules rules{5, 6, 10};
  const MctsRule rule{10, MctsRule::Form::kInside, 2};
  Engine engine(rules, PGame::initial(rules), {Player::kFirst, 1}, rule, options());
  PlainMcts plain({rules.tree, rules.branching, rules.depth}, rule);
  for (int i = 0; i < 1500 && plain.solved() == 0; ++i) {
    drive<PGame>(engine, 1);
    plain.run(1);
    if (plain.solved() != 0 || plain.interim().empty()) continue;
    ASSERT_EQ(interim_moves(engine), plain.interim()) << "iteration " << i;
  }
  EXPECT_EQ(engine.counters().iterations, 1500u);
}

// One visit is one leaf with all its playouts, a finished one too; solved children stay in the
// means of their ancestors.
TEST(MctsOrder, VisitsAddUp) {
  const PGame::Rules rules{3, 8, 8};
  Engine engine(rules, PGame::initial(rules), {Player::kFirst, 1}, {10, MctsRule::Form::kInside, 2},
                options());
  drive<PGame>(engine, 3000);
  const auto& tree = engine.tree();
  walk<PGame>(tree, rules, PGame::initial(rules), [&](NodeIndex index, const auto& node, auto&) {
    std::uint64_t visits = index == 0 ? 0 : 1;
    std::uint64_t reward = 0;
    const auto children = tree.children(node);
    for (int i = 0; i < children.size(); ++i) {
      if (!children.created(i)) continue;
      visits += children[i].label.visits;
      reward += children[i].label.reward;
    }
    EXPECT_EQ(node.label.visits, visits);
    EXPECT_GE(node.label.reward, reward);
    EXPECT_LE(node.label.reward, reward + 10);
  });
  EXPECT_EQ(tree.node(0).label.visits, 3000u);
  EXPECT_EQ(engine.counters().iterations, 3000u);
}

}  // namespace
}  // namespace playproof::mcts_test
