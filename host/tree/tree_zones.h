// Proof zones beside a tree (host/zone/zone.h): of each node, by its index,
//   decided   its zone, and whether its own subtree has it or a sibling has solved it: a reply that
//             is lost for who moves solves those outside its zone, with the same bounds and zone.
//             What is below a node solved so no longer matters.
//   open      the cells that lie outside the zone of some reply that is lost: what is left to try
//             is the must-play.
// A search has them if it asked for them and its game is a connection game.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "games/core/connection.h"
#include "host/question/search_options.h"
#include "host/tree/arena.h"
#include "host/tree/tree.h"
#include "host/zone/zone.h"

namespace playproof {

// Who moves at a node, and what its children are to him.
struct Mover {
  bool attacker;
  Value threshold;
  bool has_won(const auto& child) const {
    return child.decided && child.bounds.proves(threshold) == attacker;
  }
  bool has_lost(const auto& child) const {
    return child.decided && child.bounds.proves(threshold) != attacker;
  }
};

template <class G>
class TreeZones {  // of a game without zones
 public:
  TreeZones(const auto& /*rules*/, const SearchOptions& /*options*/) {}
  static constexpr bool on() { return false; }
  static constexpr std::uint64_t node_bytes() { return 0; }
  static bool has_room(std::uint32_t /*nodes*/) { return true; }
  static std::uint64_t used_bytes() { return 0; }
  void clear() {}
  void add() {}
  void set(NodeIndex /*node*/, const Zone<G>& /*zone*/) {}
  static Zone<G> zone(NodeIndex /*node*/) { return {}; }
  void set_leaf(NodeIndex /*node*/, const auto& /*state*/, Player /*winner*/) {}
  static bool by_sibling(NodeIndex /*node*/) { return false; }
  void settle(const auto& /*tree*/, NodeIndex /*node*/, Mover /*mover*/) {}
  void prune(const auto& /*tree*/, NodeIndex /*node*/, Mover /*mover*/, const auto& /*told*/) {}
  static bool is_outside(NodeIndex /*node*/, Move /*cell*/) { return false; }
  static bool has(const Zone<G>& /*cells*/, Move /*cell*/) { return false; }
  void add_outside(NodeIndex /*reason*/, Zone<G>& /*out*/) const {}
  static Zone<G> outside(const auto& /*children*/, Mover /*mover*/) { return {}; }
  void serialize(auto& /*archive*/, std::uint64_t /*nodes*/) {}
};

template <ConnectionGame G>
class TreeZones<G> {
 public:
  using Cells = Zone<G>;
  using Rules = typename G::Rules;
  using State = typename G::State;

  TreeZones(const Rules& rules, const SearchOptions& options)
      : rules_(rules), board_(Cells::all(Connection<G>::cells(rules))) {
    if (!options.zones) return;
    const std::uint64_t most =
        std::min<std::uint64_t>(options.max_bytes / sizeof(Cells), kNoNode - 1);
    cells_.emplace(most);
    solver_.emplace(most);
  }

  bool on() const { return cells_.has_value(); }
  std::uint64_t node_bytes() const { return on() ? sizeof(Cells) + sizeof(NodeIndex) : 0; }
  bool has_room(std::uint32_t nodes) const {
    return !on() || (cells_->has_room(nodes) && solver_->has_room(nodes));
  }
  std::uint64_t used_bytes() const {
    return on() ? cells_->used_bytes() + solver_->used_bytes() : 0;
  }
  void clear() {
    if (!on()) return;
    written_ = std::max(written_, cells_->size());
    cells_->clear();
    solver_->clear();
  }
  // Of the next node; it is open. Memory that was never written is zero, and is left alone.
  void add() {
    if (!on()) return;
    const std::uint32_t node = cells_->allocate(1);
    solver_->allocate(1);
    if (node >= written_) return;
    (*cells_)[node] = {};
    (*solver_)[node] = 0;
  }

  // Of a decided node.
  Cells zone(NodeIndex node) const { return on() ? (*cells_)[node] : Cells{}; }
  void set(NodeIndex node, const Cells& zone) {
    if (on()) (*cells_)[node] = zone;
  }
  // Of one below which nothing was searched. Whatever a probe has found needs no more than that
  // the loser has no other stones: more stones of his own never hurt the winner.
  void set_leaf(NodeIndex node, const State& state, Player winner) {
    if (on()) (*cells_)[node] = leaf(state, winner);
  }
  Cells leaf(const State& state, Player winner) const {
    if (G::finished(rules_, state)) return ZoneRules<G>::finished(rules_, state);
    return board_ - Connection<G>::stones(state, opponent(winner));
  }
  // Has a sibling solved it? Which one; kNoNode: none.
  bool by_sibling(NodeIndex node) const { return solver(node) != kNoNode; }
  NodeIndex solver(NodeIndex node) const { return on() ? (*solver_)[node] - 1 : kNoNode; }

  // A node whose children have decided it takes its zone from them: the smallest of those of won
  // children, or few of those of the lost ones.
  template <class Label>
  void settle(const Tree<Label>& tree, NodeIndex node, Mover mover) {
    if (!on()) return;
    const auto children = tree.children(tree.node(node));
    const Cells* least = nullptr;
    for (int i = 0; i < children.size(); ++i) {
      if (!children.created(i) || !mover.has_won(children[i])) continue;
      const Cells& zone = (*cells_)[children.edge(i).node];
      if (least == nullptr || zone.size() < least->size()) least = &zone;
    }
    (*cells_)[node] = least != nullptr ? ZoneRules<G>::won(*least) : of_replies(children, mover);
  }

  // Solves the open children of an open node that lie outside the zone of a lost one, and calls
  // told(child, its index among the nodes) for each.
  template <class Label>
  void prune(Tree<Label>& tree, NodeIndex node, Mover mover, const auto& told) {
    if (!on()) return;
    const auto children = tree.children(tree.node(node));
    for (int i = 0; i < children.size(); ++i) {
      if (!is_reason(children, i, mover)) continue;
      const NodeIndex reason = children.edge(i).node;
      Cells& out = (*cells_)[node];
      const Cells more = ZoneRules<G>::outside((*cells_)[reason], board_) - out;
      if (more.empty()) continue;
      out |= more;
      for (int j = 0; j < children.size(); ++j) {
        if (!children.created(j) || children[j].decided || !more.has(children.edge(j).move)) {
          continue;
        }
        const NodeIndex child = children.edge(j).node;
        tree.node(child).decided = true;
        tree.node(child).bounds = children[i].bounds;
        (*cells_)[child] = (*cells_)[reason];
        (*solver_)[child] = reason + 1;
        told(tree.node(child), child);
      }
    }
  }
  // Of an open node: does a reply need no search because of a lost one?
  bool is_outside(NodeIndex node, Move cell) const { return on() && (*cells_)[node].has(cell); }
  static bool has(const Cells& cells, Move cell) { return cells.has(cell); }
  // Adds the cells that lie outside the zone of a lost reply.
  void add_outside(NodeIndex reason, Cells& out) const {
    out |= ZoneRules<G>::outside((*cells_)[reason], board_);
  }
  // What prune() has taken out of any node, from its children.
  template <class Children>
  Cells outside(const Children& children, Mover mover) const {
    Cells out;
    for (int i = 0; on() && i < children.size(); ++i) {
      if (!is_reason(children, i, mover)) continue;
      add_outside(children.edge(i).node, out);
    }
    return out;
  }
  // A reply that is lost for the mover, by what is below it.
  bool is_reason(const auto& children, int i, Mover mover) const {
    return children.created(i) && mover.has_lost(children[i]) && !by_sibling(children.edge(i).node);
  }

  // Beside a tree of so many nodes; nothing if zones are off.
  template <class Archive>
  void serialize(Archive& archive, std::uint64_t nodes) {
    if (!on()) return;
    written_ = std::max(written_, cells_->size());
    archive(*cells_, *solver_);
    archive.check(cells_->size() == nodes && solver_->size() == nodes,
                  "zones of more nodes than there are, or fewer");
  }

 private:
  Cells of_replies(const auto& children, Mover mover) const {
    std::vector<Cells> zones;
    Cells replies;
    for (int i = 0; i < children.size(); ++i) {
      replies.add(children.edge(i).move);
      if (is_reason(children, i, mover)) zones.push_back((*cells_)[children.edge(i).node]);
    }
    return ZoneRules<G>::lost(zones, replies);
  }

  Rules rules_;
  Cells board_;
  std::optional<Arena<Cells>> cells_;
  std::optional<Arena<NodeIndex>> solver_;  // + 1; 0: none
  std::uint64_t written_ = 0;               // so many nodes there were before this search
};

}  // namespace playproof
