// Every engine on every game, on small boards, with playouts that know nothing: the tree it leaves
// is a proof by the reference rules, and its verdict is that of minimax.
#include "integrity.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <string>
#include <type_traits>
#include <vector>

#include "host/solve/minimax.h"
#include "kernels/schemes/deep_pn.h"
#include "kernels/schemes/mcpn.h"
#include "kernels/schemes/pn.h"
#include "kernels/schemes/ppn.h"
#include "trees.h"

namespace playproof {
namespace {

constexpr std::uint64_t kMemory = std::uint64_t{1} << 28;

template <Game G>
class Checks {
  using Rules = typename G::Rules;
  using State = typename G::State;

 public:
  Checks(const Rules& rules, const State& position, int threshold, const std::string& what)
      : rules_(rules),
        position_(position),
        claim_{G::to_move(rules, position), static_cast<Value>(threshold)},
        what_(what + " threshold " + std::to_string(threshold)) {
    Minimax<G> oracle(rules, claim_);
    reached_ = oracle.ask(position);
  }

  void all_engines() {
    for (const std::uint32_t batch : {1u, 3u, 8u}) {
      for (const bool early_break : {true, false}) {
        best_first(Pn{}, StopRule::kOwn, early_break, batch);
        best_first(Ppn{10, {false, 0.025}}, StopRule::kAllis, early_break, batch);
      }
      best_first(Pn{true}, StopRule::kAllis, true, batch);
      best_first(DeepestPn{}, StopRule::kAllis, true, batch);
      best_first(DeepPn{0.65, false}, StopRule::kAllis, true, batch);
      best_first(Mcpn{10, {true, 0}}, StopRule::kAllis, true, batch);
      best_first(Ppn{3, {true, 0}}, StopRule::kNone, true, batch);
      mcts({10, MctsRule::Form::kPure, 0}, batch);
      mcts({10, MctsRule::Form::kInside, 2}, batch);
      mcts({10, MctsRule::Form::kInside, 2, MctsRule::Reward::kSign}, batch);
    }
  }

 private:
  template <class Scheme>
  void best_first(const Scheme& scheme, StopRule stop, bool early_break, std::uint32_t batch) {
    using Engine = BestFirst<G, Scheme>;
    typename Engine::Options options;
    options.max_bytes = kMemory;
    options.stop = stop;
    options.early_break = early_break;
    options.random_order = batch == 3;
    options.order_seed = 5;
    Engine engine(rules_, position_, claim_, scheme, options);
    solve(engine, batch);
    int playouts = 0;
    if constexpr (Scheme::kPlayouts) playouts = scheme.playouts;
    expect_counted(engine, playouts, early_break);
    // Solved nodes show it in their numbers, so that their parents count them right.
    walk<G>(engine.tree(), rules_, position_, [&](NodeIndex index, const auto& node, auto&) {
      if (!node.decided) return;
      const bool proved = node.bounds.proves(claim_.threshold);
      EXPECT_EQ(node.label, proved ? scheme.proved() : scheme.disproved()) << "node " << index;
    });
  }
  void mcts(const MctsRule& rule, std::uint32_t batch) {
    SearchOptions options;
    options.max_bytes = kMemory;
    Mcts<G> engine(rules_, position_, claim_, rule, options);
    solve(engine, batch);
    expect_counted(engine, rule.playouts, false);
  }

  template <class Engine>
  void solve(Engine& engine, std::uint32_t batch) {
    SCOPED_TRACE(what_ + " batch " + std::to_string(batch) + " " + __PRETTY_FUNCTION__);
    ProofChecker<G, typename Engine::Label> checker(rules_, claim_, engine.tree());
    for (const int strokes : {1, 2, 5, 20}) {  // on the way, too
      drive<G>(engine, strokes, batch);
      checker.check(position_);
    }
    drive<G>(engine, kToTheEnd, batch);
    ASSERT_EQ(engine.stopped(), StopReason::kDecided);
    ASSERT_EQ(engine.bounds().proves(claim_.threshold), reached_);
    ASSERT_EQ(engine.bounds().disproves(claim_.threshold), !reached_);
    checker.check(position_);
    EXPECT_GT(checker.decided(), 0u);
  }

  // The counters are what the tree shows.
  template <class Engine>
  void expect_counted(const Engine& engine, int playouts, bool early_break) {
    constexpr bool kMcts = std::is_same_v<Engine, Mcts<G>>;
    const auto& tree = engine.tree();
    std::vector<std::uint64_t> depth(tree.nodes());
    std::uint64_t expanded = 0, evaluated = 0;
    walk<G>(tree, rules_, position_, [&](NodeIndex index, const auto& node, const State& state) {
      const bool or_node = G::to_move(rules_, state) == claim_.attacker;
      const auto children = tree.children(node);
      expanded += children.size() > 0;
      std::uint64_t asked = 0;
      bool broke = false;  // nobody asks about the siblings of a child that ends it all
      for (int c = 0; c < children.size(); ++c) {
        if (!children.created(c)) continue;
        depth[children.edge(c).node] = depth[index] + 1;
        const bool finished = children[c].decided && children[c].edges == 0;
        asked += !finished;
        broke = broke || (finished && children[c].bounds.proves(claim_.threshold) == or_node);
      }
      evaluated += !kMcts && early_break && broke ? 0 : asked;
    });
    const Counters counters = engine.counters();
    EXPECT_EQ(counters.nodes_created, tree.nodes());
    EXPECT_EQ(counters.nodes_expanded, expanded);
    EXPECT_EQ(counters.iterations, kMcts ? tree.nodes() - 1 : expanded);
    EXPECT_EQ(counters.max_depth, *std::max_element(depth.begin(), depth.end()));
    EXPECT_EQ(counters.evaluations, playouts == 0 ? 0 : evaluated);
    EXPECT_EQ(counters.playouts, static_cast<std::uint64_t>(playouts) * counters.evaluations);
  }

  Rules rules_;
  State position_;
  Claim claim_;
  std::string what_;
  bool reached_ = false;
};

template <Game G>
void check_everything(const typename G::Rules& rules, const typename G::State& position,
                      const std::vector<int>& thresholds, const std::string& what) {
  for (const int threshold : thresholds) {
    Checks<G>(rules, position, threshold, what).all_engines();
    if (::testing::Test::HasFailure()) return;
  }
}

// After `plies` random moves; not finished (shorter if the game ends before).
template <Game G>
typename G::State after_random_moves(const typename G::Rules& rules, int plies,
                                     std::uint64_t seed) {
  auto state = G::initial(rules);
  std::uint64_t draw = mix64(seed);
  for (int ply = 0; ply < plies; ++ply) {
    Move moves[G::kMaxMoves];
    const int count = G::moves(rules, state, moves);
    draw = mix64(draw);
    auto next = state;
    G::play(rules, next, moves[draw % static_cast<std::uint64_t>(count)]);
    if (G::finished(rules, next)) break;
    state = next;
  }
  return state;
}

TEST(Integrity, PGames) {
  for (std::uint64_t tree = 1; tree <= 20; ++tree) {
    const PGame::Rules rules{tree, static_cast<std::uint8_t>(2 + tree % 4),
                             static_cast<std::uint8_t>(5)};
    check_everything<PGame>(rules, PGame::initial(rules), {1, 0}, "tree " + std::to_string(tree));
    // From a node where MIN is to move.
    check_everything<PGame>(rules, after_random_moves<PGame>(rules, 1, tree), {1, 0},
                            "below tree " + std::to_string(tree));
  }
}

TEST(Integrity, Hex) {
  const auto two = Hex<1>::make_rules(2, 2);
  check_everything<Hex<1>>(two, Hex<1>::initial(two), {1, 0}, "hex 2x2");
  const auto wide = Hex<1>::make_rules(2, 4);
  check_everything<Hex<1>>(wide, Hex<1>::initial(wide), {1}, "hex 2x4");
  const auto three = Hex<1>::make_rules(3, 3);
  for (const Move first : std::vector<Move>{0, 1, 4, 7}) {
    auto state = Hex<1>::initial(three);
    Hex<1>::play(three, state, first);
    check_everything<Hex<1>>(three, state, {1}, "hex 3x3 " + std::to_string(first));
  }
}

TEST(Integrity, Connect) {
  const auto rules = Connect<1>::make_rules(3, 3, 3, 2);
  check_everything<Connect<1>>(rules, Connect<1>::initial(rules), {1, 0}, "connect 3x3x3");
  const auto four = Connect<1>::make_rules(3, 4, 4, 1);
  for (std::uint64_t seed = 1; seed <= 6; ++seed) {
    check_everything<Connect<1>>(four, after_random_moves<Connect<1>>(four, 5, seed), {1, 0},
                                 "connect 3x4x4 seed " + std::to_string(seed));
  }
}

TEST(Integrity, Othello) {
  const auto rules = Othello::make_rules(4);
  for (std::uint64_t seed = 1; seed <= 12; ++seed) {
    check_everything<Othello>(rules, after_random_moves<Othello>(rules, 6, seed),
                              {1, 0, -4, 3, 10, 16, -15}, "othello seed " + std::to_string(seed));
  }
}

// Boards of several words take other paths through the rules.
TEST(Integrity, WideBoards) {
  const auto rules = Connect<6>::make_rules(3, 3, 3, 2);
  check_everything<Connect<6>>(rules, after_random_moves<Connect<6>>(rules, 2, 1), {1, 0},
                               "wide connect");
  const auto hex = Hex<6>::make_rules(3, 3);
  check_everything<Hex<6>>(hex, after_random_moves<Hex<6>>(hex, 2, 2), {1}, "wide hex");
}

}  // namespace
}  // namespace playproof
