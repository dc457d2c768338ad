// What leaves cite that patterns have decided (host/tree/tree_patterns.h): which node, and the
// position that was proven there.
#pragma once

#include <algorithm>
#include <cstdint>
#include <unordered_map>
#include <vector>

#include "games/core/game.h"
#include "host/tree/tree.h"
#include "host/tree/tree_patterns.h"
#include "host/zone/board_maps.h"

namespace playproof {

template <class G>
class CitedNodes {};  // of a game without zones
template <ConnectionGame G>
class CitedNodes<G> {
 public:
  using State = typename G::State;

  // `position` is that of the root.
  CitedNodes(const typename G::Rules& rules, const TreeStructure& tree,
             const TreePatterns<G>& patterns, const State& position)
      : rules_(rules), position_(position), maps_(rules) {
    citations_.reserve(patterns.citations());
    std::vector<bool> is_above(tree.nodes());  // or is cited itself
    for (std::uint32_t i = 0; i < patterns.citations(); ++i) {
      citations_.push_back(patterns.citation(i));
      is_above[patterns.citation(i).source.node] = true;
    }
    std::sort(citations_.begin(), citations_.end(),
              [](const Citation& a, const Citation& b) { return a.leaf < b.leaf; });
    for (auto node = static_cast<NodeIndex>(tree.nodes()); node-- > 0;) {
      const auto children = tree.children(tree.node(node));  // come after it
      for (int i = 0; i < children.size(); ++i) {
        const Edge& edge = children.edge(i);
        if (!children.created(i) || !is_above[edge.node]) continue;
        ways_.emplace(edge.node, Way{node, edge.move});
        is_above[node] = true;
      }
    }
  }

  const BoardMaps<G>& maps() const { return maps_; }
  // Null: no pattern has decided the node.
  const PatternSource* cited_by(NodeIndex leaf) const {
    const auto found = std::lower_bound(
        citations_.begin(), citations_.end(), leaf,
        [](const Citation& citation, NodeIndex node) { return citation.leaf < node; });
    return found == citations_.end() || found->leaf != leaf ? nullptr : &found->source;
  }
  // The position of a node that is cited.
  State state_of(NodeIndex node) const {
    std::vector<Move> moves;
    while (node != 0) {
      const Way& way = ways_.at(node);
      moves.push_back(way.move);
      node = way.parent;
    }
    State state = position_;
    for (; !moves.empty(); moves.pop_back()) G::play(rules_, state, moves.back());
    return state;
  }

 private:
  struct Way {
    NodeIndex parent;
    Move move;
  };

  typename G::Rules rules_;
  State position_;
  BoardMaps<G> maps_;
  std::vector<Citation> citations_;          // by their leaves
  std::unordered_map<NodeIndex, Way> ways_;  // to nodes that are cited, and those above them
};

}  // namespace playproof
