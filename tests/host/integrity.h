// A search holds a proof of all it says: walks its whole tree and checks with the reference rules
// that every decided node follows from its children, down to finished positions.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <vector>

#include "games/list.h"
#include "host/tree/tree.h"
#include "trees.h"

namespace playproof {

template <Game G, class Label>
class ProofChecker {
  using Ref = typename ReferenceOf<G>::Type;

 public:
  ProofChecker(const typename G::Rules& rules, const Claim& claim, const Tree<Label>& tree)
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
  using Node = typename Tree<Label>::Node;

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
  const Tree<Label>& tree_;
  Bounds any_;
  std::uint64_t decided_ = 0;
};

}  // namespace playproof
