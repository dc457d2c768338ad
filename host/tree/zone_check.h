// Holds the proof zones beside a tree (host/tree/tree_zones.h) against the rules of
// host/zone/zone.h, node by node. Part of host/tree/check.h.
#pragma once

#include <string>
#include <vector>

#include "games/core/connection.h"
#include "games/core/error.h"
#include "host/knowledge/knowledge.h"
#include "host/question/question.h"
#include "host/tree/tree.h"
#include "host/tree/tree_zones.h"

namespace playproof {

inline void expect_at(bool good, NodeIndex index, const char* what) {
  if (!good) throw Error(ErrorCode::kInternal, "node " + std::to_string(index) + ": " + what);
}

template <ZonedGame G>
class ZoneCheck {
 public:
  using Cells = Zone<G>;
  using State = typename G::State;

  // `knowledge`: of nodes that the search went on from, the root excepted.
  ZoneCheck(const typename G::Rules& rules, const Claim& claim, const TreeStructure& tree,
            const TreeZones<G>& zones, Knowledge<G>& knowledge)
      : rules_(rules), claim_(claim), tree_(tree), zones_(zones), knowledge_(knowledge) {}

  // Whoever knows the node's parent has called check_solved() for it if a sibling has solved it.
  // What an open node that `waits` knows of its children, its zone may not say yet.
  void check(NodeIndex index, const State& state, bool or_node, bool waits) const {
    const auto& node = tree_.node(index);
    const Cells zone = zones_.zone(index);
    const Mover mover{or_node, claim_.threshold};
    if (!node.decided) {
      expect_at(!zones_.by_sibling(index), index, "a sibling has solved it, and it is open");
      const Cells out = zones_.outside(tree_.children(node), mover);
      expect_at(waits ? zone.within(out) : zone == out, index,
                "its must-play is not what its lost replies leave");
      return;
    }
    const bool proved = node.bounds.proves(claim_.threshold);
    const Player winner = proved ? claim_.attacker : opponent(claim_.attacker);
    const Cells board = Cells::all(Zoned<G>::cells(rules_));
    const Cells loser = Zoned<G>::stones(state, opponent(winner));
    expect_at(zone.within(board - loser), index, "the loser has a stone in its zone");
    if (!zones_.by_sibling(index)) check_own(index, state, mover, winner, zone);
  }
  // The open children of a node lie in its must-play, and those that a sibling has solved outside
  // the zone of that one.
  void check_children(NodeIndex index, bool or_node, bool waits) const {
    const auto& node = tree_.node(index);
    const auto children = tree_.children(node);
    const Mover mover{or_node, claim_.threshold};
    const Cells out = zones_.outside(children, mover);
    for (int i = 0; i < children.size(); ++i) {
      if (!children.created(i)) continue;
      const Move move = children.edge(i).move;
      const NodeIndex child = children.edge(i).node;
      expect_at(waits || node.decided || children[i].decided || !out.has(move), child,
                "it is open, and lies outside the zone of a lost reply");
      if (zones_.by_sibling(child)) check_solved(children, i, mover);
    }
  }

 private:
  void check_solved(const auto& children, int i, Mover mover) const {
    const NodeIndex child = children.edge(i).node;
    int by = 0;
    while (by < children.size() && !solves(children, by, child)) ++by;
    expect_at(by < children.size() && zones_.is_reason(children, by, mover), child,
              "no lost sibling has solved it");
    expect_at(children[i].decided && children[i].bounds == children[by].bounds, child,
              "it has not the proof of the sibling that solved it");
    expect_at(!zones_.zone(child).has(children.edge(i).move), child,
              "it lies inside the zone that solved it");
  }
  bool solves(const auto& children, int i, NodeIndex other) const {
    return children.created(i) && zones_.is_solver(children.edge(i).node, other);
  }
  // Rules 1 to 3.
  void check_own(NodeIndex index, const State& state, Mover mover, Player winner,
                 const Cells& zone) const {
    const auto& node = tree_.node(index);
    if (G::finished(rules_, state)) {
      expect_at(zone == Zoned<G>::of_finished(rules_, state, winner), index,
                "the game is over, and its zone is another");
      return;
    }
    if (node.edges == 0) return;  // a probe's: looked at where it is asked again
    const auto children = tree_.children(node);
    const bool won = mover.has_won(node);
    Cells left;  // replies in all zones used
    bool follows = false;
    std::vector<Cells> lost;
    for (int i = 0; i < children.size(); ++i) left.add(children.edge(i).move);
    for (int i = 0; i < children.size(); ++i) {
      if (!children.created(i)) continue;
      const Cells& other = zones_.zone(children.edge(i).node);
      if (won) {
        follows = follows || (mover.has_won(children[i]) && other == zone);
      } else if (zones_.is_reason(children, i, mover)) {
        lost.push_back(other);
        if (other.within(zone)) left &= other;
      }
    }
    if (!won && knowledge_.any() && index != 0) {
      follows = knowledge_.follows(state, lost, zone);
    } else if (!won) {
      follows = left.empty();
    }
    expect_at(follows, index, "its zone does not follow from those of its children");
  }

  typename G::Rules rules_;
  Claim claim_;
  const TreeStructure& tree_;
  const TreeZones<G>& zones_;
  Knowledge<G>& knowledge_;
};

}  // namespace playproof
