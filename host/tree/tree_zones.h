// Proof zones beside a tree (host/zone/zone.h): of each node, by its index,
//   decided   its zone, and whether its own subtree has it or a sibling has solved it: a reply that
//             is lost for who moves solves those outside its zone, with the same bounds and zone.
//             What is below a node solved so no longer matters.
//   open      the cells that lie outside the zone of some reply that is lost: what is left to try
//             is the must-play.
// Most nodes are open and have none, and many have that of another: the child by which they are
// won, or the sibling that has solved them. So a node takes 4 bytes, which say where its zone
// stands. A search has them if it asked for them and its game is a connection game.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "games/core/connection.h"
#include "games/core/error.h"
#include "host/knowledge/zone_loss.h"
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
  static bool has_room(std::uint32_t /*nodes*/, std::uint64_t /*open*/) { return true; }
  static std::uint64_t used_bytes() { return 0; }
  static std::uint64_t most_bytes(std::uint32_t /*nodes*/, std::uint64_t /*open*/) { return 0; }
  void clear() {}
  void add() {}
  void set(NodeIndex /*node*/, const Zone<G>& /*zone*/) {}
  static Zone<G> zone(NodeIndex /*node*/) { return {}; }
  static Bounds proved(const Bounds& bounds, const Claim& /*claim*/) { return bounds; }
  void set_leaf(NodeIndex /*node*/, const auto& /*state*/, Player /*winner*/) {}
  static bool by_sibling(NodeIndex /*node*/) { return false; }
  void settle(const auto& /*tree*/, NodeIndex /*node*/, Mover /*mover*/) {}
  void settle(const auto& /*tree*/, NodeIndex /*node*/, Mover /*mover*/, const auto& /*lost*/) {}
  void prune(const auto& /*tree*/, NodeIndex /*node*/, Mover /*mover*/,
             std::vector<NodeIndex>* /*solved*/) {}
  static bool is_outside(NodeIndex /*node*/, Move /*cell*/) { return false; }
  static bool has(const Zone<G>& /*cells*/, Move /*cell*/) { return false; }
  void add_outside(NodeIndex /*reason*/, Zone<G>& /*out*/) const {}
  static Zone<G> outside(const auto& /*children*/, Mover /*mover*/) { return {}; }
  void serialize(auto& /*archive*/, const auto& /*tree*/) {}
  void expect_room(std::uint64_t /*open*/, std::uint64_t /*bytes*/) const {}
};

template <ZonedGame G>
class TreeZones<G> {
 public:
  using Cells = Zone<G>;
  using Rules = typename G::Rules;
  using State = typename G::State;

  TreeZones(const Rules& rules, const SearchOptions& options)
      : rules_(rules), board_(Cells::all(Zoned<G>::cells(rules))) {
    if (!options.zones) return;
    const auto most = [&](std::uint64_t bytes, std::uint64_t limit) {
      return std::min<std::uint64_t>(options.max_bytes / bytes, limit);
    };
    places_.emplace(most(sizeof(Place), kNoNode - 1));
    cells_.emplace(most(sizeof(Cells), kMostZones));
    clear();
  }

  bool on() const { return places_.has_value(); }
  // A node with a zone of its own takes so many.
  std::uint64_t node_bytes() const { return on() ? sizeof(Place) + sizeof(Cells) : 0; }
  // Could so many more nodes all get zones, and so many of the open ones?
  bool has_room(std::uint32_t nodes, std::uint64_t open) const {
    return !on() || (places_->has_room(nodes) && cells_->has_room(nodes + open));
  }
  std::uint64_t used_bytes() const {
    return on() ? places_->used_bytes() + cells_->used_bytes() : 0;
  }
  // What is used once all of these nodes have zones.
  std::uint64_t most_bytes(std::uint32_t nodes, std::uint64_t open) const {
    return on() ? used_bytes() + nodes * node_bytes() + open * sizeof(Cells) : 0;
  }
  void clear() {
    if (!on()) return;
    places_->clear_to_zero();
    cells_->clear();
    (*cells_)[cells_->allocate(1)] = {};
  }
  // Makes room for the zone of the next node, which is open.
  void add() {
    if (on()) places_->allocate(1);
  }

  Cells zone(NodeIndex node) const { return on() ? at(node) : Cells{}; }
  // What is said of a node of which rules or probes say `bounds`: no more than its zone proves.
  Bounds proved(const Bounds& bounds, const Claim& claim) const {
    return on() ? proved_by_zone<G>(rules_, bounds, claim) : bounds;
  }
  // The node is open, or has just been decided.
  void set(NodeIndex node, const Cells& zone) {
    if (!on()) return;
    Place& place = (*places_)[node];
    if (place == 0) place = cells_->allocate(1) << 1;
    (*cells_)[place >> 1] = zone;
  }
  // Nothing was searched below the node. Whatever a probe has found needs no more than that
  // the loser has no other stones: more stones of his own never hurt the winner.
  void set_leaf(NodeIndex node, const State& state, Player winner) {
    if (on()) set(node, leaf(state, winner));
  }
  Cells leaf(const State& state, Player winner) const {
    if (G::finished(rules_, state)) return ZoneRules<G>::finished(rules_, state, winner);
    return board_ - Zoned<G>::stones(state, opponent(winner));
  }
  bool by_sibling(NodeIndex node) const { return on() && ((*places_)[node] & kBySibling) != 0; }
  void solve_by(NodeIndex sibling, NodeIndex node) {
    if (on()) (*places_)[node] = (*places_)[sibling] | kBySibling;
  }
  // Is this the sibling that has solved the node?
  bool is_solver(NodeIndex sibling, NodeIndex node) const {
    return (*places_)[node] == ((*places_)[sibling] | kBySibling) && !by_sibling(sibling);
  }

  // A node whose children have decided it takes its zone from them: the smallest of those of won
  // children, or few of those of the lost ones.
  void settle(const TreeStructure& tree, NodeIndex node, Mover mover) {
    settle(tree, node, mover, [](const std::vector<Cells>& zones, const Cells& replies) {
      return zone_of_loss<G>(zones, replies);
    });
  }
  // Calls lost(zones, replies) for the zone of a lost node from those of lost replies, which with
  // these replies are all that it has.
  template <class Lost>
  void settle(const TreeStructure& tree, NodeIndex node, Mover mover, const Lost& lost) {
    if (!on()) return;
    const auto children = tree.children(tree.node(node));
    NodeIndex least = kNoNode;
    for (int i = 0; i < children.size(); ++i) {
      if (!children.created(i) || !mover.has_won(children[i])) continue;
      const NodeIndex won = children.edge(i).node;
      if (least == kNoNode || at(won).size() < at(least).size()) least = won;
    }
    const Cells zone =
        least != kNoNode ? ZoneRules<G>::won(at(least)) : of_replies(children, mover, lost);
    if (least != kNoNode && zone == at(least)) {
      (*places_)[node] = (*places_)[least];  // both are decided, so it stays what it is
    } else {
      set(node, zone);
    }
  }

  // Solves the open children of an open node that lie outside the zone of a lost one, and adds
  // them to `solved`.
  void prune(TreeStructure& tree, NodeIndex node, Mover mover, std::vector<NodeIndex>* solved) {
    if (!on()) return;
    const auto children = tree.children(tree.node(node));
    for (int i = 0; i < children.size(); ++i) {
      if (!is_reason(children, i, mover)) continue;
      const NodeIndex reason = children.edge(i).node;
      const Cells more = ZoneRules<G>::outside(at(reason), board_) - at(node);
      if (more.empty()) continue;
      set(node, at(node) | more);
      for (int j = 0; j < children.size(); ++j) {
        if (!children.created(j) || children[j].decided || !more.has(children.edge(j).move)) {
          continue;
        }
        const NodeIndex child = children.edge(j).node;
        tree.node(child).decided = true;
        tree.node(child).bounds = children[i].bounds;
        solve_by(reason, child);
        solved->push_back(child);
      }
    }
  }
  // The node is open: does this reply need no search because of a lost one?
  bool is_outside(NodeIndex node, Move cell) const { return on() && at(node).has(cell); }
  static bool has(const Cells& cells, Move cell) { return cells.has(cell); }
  // Adds the cells that lie outside the zone of a lost reply.
  void add_outside(NodeIndex reason, Cells& out) const {
    out |= ZoneRules<G>::outside(at(reason), board_);
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

  // Saves or loads beside that tree; nothing if zones are off.
  template <class Archive>
  void serialize(Archive& archive, const TreeStructure& tree) {
    if (!on()) return;
    if constexpr (Archive::kLoading) clear();
    archive(*places_, *cells_);
    if constexpr (!Archive::kLoading) return;
    archive.check(places_->size() == tree.nodes(), "zones of more nodes than there are, or fewer");
    archive.check(0 < cells_->size() && cells_->size() <= tree.nodes() + 1 && (*cells_)[0].empty(),
                  "more zones than nodes, or no empty one");
    for (std::uint32_t i = 0; i < cells_->size(); ++i) {
      archive.check((*cells_)[i].within(board_), "a zone beyond the board");
    }
    // The zone of an open node will change, so nobody else may have it.
    std::vector<bool> taken(cells_->size());
    for (const bool decided : {false, true}) {
      for (std::uint32_t node = 0; node < tree.nodes(); ++node) {
        if (tree.node(node).decided != decided) continue;
        archive.check(decided || !by_sibling(node), "a sibling has solved an open node");
        const Place zone = (*places_)[node] >> 1;
        archive.check(zone < cells_->size(), "a node has a zone that there is not");
        archive.check(!taken[zone], "an open node has the zone of another");
        if (!decided && zone != 0) taken[zone] = true;
      }
    }
  }
  // After loading so many open nodes may get zones before anybody asks for room again.
  void expect_room(std::uint64_t open, std::uint64_t bytes) const {
    if (has_room(0, open) && most_bytes(0, open) <= bytes) return;
    throw Error(ErrorCode::kUsage,
                "--max-memory leaves no room for the zones of the search that is to be resumed");
  }

 private:
  using Place = std::uint32_t;  // twice the place among the zones, + kBySibling
  static constexpr Place kBySibling = 1;
  static constexpr std::uint64_t kMostZones = std::uint64_t{1} << 31;

  const Cells& at(NodeIndex node) const { return (*cells_)[(*places_)[node] >> 1]; }
  Cells of_replies(const auto& children, Mover mover, const auto& lost) const {
    std::vector<Cells> zones;
    Cells replies;
    for (int i = 0; i < children.size(); ++i) {
      replies.add(children.edge(i).move);
      if (is_reason(children, i, mover)) zones.push_back(at(children.edge(i).node));
    }
    return lost(zones, replies);
  }

  Rules rules_;
  Cells board_;
  std::optional<Arena<Place>> places_;  // of the nodes; zero beyond them
  std::optional<Arena<Cells>> cells_;   // the zones; the first is empty
};

}  // namespace playproof
