// A search holds a proof of all it says: walks its whole tree and checks with the reference rules
// that every decided node follows from its children, down to finished positions. Every engine of a
// game, with playouts that know nothing.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "driven.h"
#include "games/list.h"
#include "host/solve/minimax.h"
#include "host/tree/any_engine.h"
#include "kernels/schemes/deep_pn.h"
#include "kernels/schemes/mcpn.h"
#include "kernels/schemes/pn.h"
#include "kernels/schemes/ppn.h"
#include "trees.h"

namespace playproof {

template <Game G>
class ProofChecker {
  using Ref = typename ReferenceOf<G>::Type;

 public:
  ProofChecker(const typename G::Rules& rules, const Claim& claim, const TreeStructure& tree)
      : rules_(rules),
        ref_rules_(ReferenceOf<G>::rules(rules)),
        claim_(claim),
        tree_(tree),
        any_(unknown_bounds<G>(rules, claim.attacker)) {}

  void check(const typename G::State& position) {
    walk<G>(tree_, rules_, position, [&](NodeIndex index, const auto& node, const auto& state) {
      if (!::testing::Test::HasFailure()) check_node(index, node, state);
    });
  }
  std::uint64_t decided() const { return decided_; }

 private:
  using Node = NodeLinks;

  void check_node(NodeIndex index, const Node& node, const typename G::State& fast) {
    const auto state = ReferenceOf<G>::state(rules_, fast);
    ASSERT_EQ(node.decided, node.bounds.decides(claim_.threshold)) << "node " << index;
    ASSERT_LE(node.bounds.lower(), node.bounds.upper());
    ASSERT_FALSE(node.pending);
    decided_ += node.decided;
    if (Ref::finished(ref_rules_, state)) {
      const Value value = value_for(claim_.attacker, Ref::value(ref_rules_, state));
      ASSERT_EQ(node.bounds, Bounds::exact(value)) << "finished node " << index;
      ASSERT_EQ(node.edges, 0u);
    } else if (node.edges == 0) {
      ASSERT_EQ(node.bounds, any_) << "leaf " << index << " knows more than the rules";
    } else {
      check_children(index, node, state);
    }
  }

  // Each bound must be what the children that exist say; one that does not exist may be anything.
  void check_children(NodeIndex index, const Node& node, const typename Ref::State& state) {
    const auto children = tree_.children(node);
    const std::vector<Move> legal = Ref::moves(ref_rules_, state);
    std::vector<Move> seen;
    std::vector<Bounds> bounds;
    for (int i = 0; i < children.size(); ++i) {
      if (!children.created(i)) continue;
      const Move move = children.edge(i).move;
      ASSERT_TRUE(std::find(legal.begin(), legal.end(), move) != legal.end()) << "node " << index;
      ASSERT_TRUE(std::find(seen.begin(), seen.end(), move) == seen.end()) << "node " << index;
      seen.push_back(move);
      bounds.push_back(children[i].bounds);
    }
    if (seen.size() < legal.size()) bounds.push_back(any_);
    const bool or_node = Ref::to_move(ref_rules_, state) == claim_.attacker;
    Bounds follows = bounds.front();
    for (const Bounds& b : bounds) {
      follows = or_node ? Bounds::best(follows, b) : Bounds::worst(follows, b);
    }
    ASSERT_LE(node.bounds.lower(), follows.lower()) << "node " << index;
    ASSERT_GE(node.bounds.upper(), follows.upper()) << "node " << index;
    // And nothing is left unsaid before the node is decided.
    ASSERT_EQ(node.decided, follows.decides(claim_.threshold)) << "node " << index;
    ASSERT_TRUE(node.decided || node.bounds == follows) << "node " << index;
  }

  typename G::Rules rules_;
  typename Ref::Rules ref_rules_;
  Claim claim_;
  const TreeStructure& tree_;
  Bounds any_;
  std::uint64_t decided_ = 0;
};

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
    options.max_bytes = std::uint64_t{1} << 28;
    options.stop = stop;
    options.early_break = early_break;
    options.random_order = batch == 3;
    options.order_seed = 5;
    DrivenEngine<G, Engine> driven(rules_, position_, claim_, scheme, options);
    solve(driven, driven.seen(), batch, __PRETTY_FUNCTION__);
    int playouts = 0;
    if constexpr (Scheme::kPlayouts) playouts = scheme.playouts;
    expect_counted(driven.seen(), playouts, early_break, false);
    // Solved nodes show it in their numbers, so that their parents count them right.
    const auto& tree = driven.engine().tree();
    for (NodeIndex index = 0; index < tree.nodes(); ++index) {
      const auto& node = tree.node(index);
      if (!node.decided) continue;
      const bool proved = node.bounds.proves(claim_.threshold);
      EXPECT_EQ(node.label, proved ? scheme.proved() : scheme.disproved()) << "node " << index;
    }
  }
  void mcts(const MctsRule& rule, std::uint32_t batch) {
    SearchOptions options;
    options.max_bytes = std::uint64_t{1} << 28;
    DrivenEngine<G, Mcts<G>> driven(rules_, position_, claim_, rule, options);
    solve(driven, driven.seen(), batch, __PRETTY_FUNCTION__);
    expect_counted(driven.seen(), rule.playouts, false, true);
  }

  void solve(Driven<G>& driven, const AnyEngine<G>& engine, std::uint32_t batch,
             const char* function) {
    SCOPED_TRACE(what_ + " batch " + std::to_string(batch) + " " + function);
    ProofChecker<G> checker(rules_, claim_, engine.tree());
    for (const int strokes : {1, 2, 5, 20}) {  // on the way, too
      driven.drive(strokes, batch);
      checker.check(position_);
    }
    driven.drive(kToTheEnd, batch);
    ASSERT_EQ(engine.stopped(), StopReason::kDecided);
    ASSERT_EQ(engine.bounds().proves(claim_.threshold), reached_);
    ASSERT_EQ(engine.bounds().disproves(claim_.threshold), !reached_);
    checker.check(position_);
    EXPECT_GT(checker.decided(), 0u);
  }

  // The counters are what the tree shows.
  void expect_counted(const AnyEngine<G>& engine, int playouts, bool early_break, bool is_mcts) {
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
      evaluated += !is_mcts && early_break && broke ? 0 : asked;
    });
    const Counters counters = engine.counters();
    EXPECT_EQ(counters.nodes_created, tree.nodes());
    EXPECT_EQ(counters.nodes_expanded, expanded);
    EXPECT_EQ(counters.iterations, is_mcts ? tree.nodes() - 1 : expanded);
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

}  // namespace playproof
