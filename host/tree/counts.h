// The counters of a search that keeps a tree (docs/numbers.md), as its events move them.
#pragma once

#include <algorithm>
#include <cstdint>

#include "host/question/counters.h"
#include "host/question/events.h"
#include "host/question/search_options.h"
#include "host/tree/tree.h"

namespace playproof {

class TreeCounts {
 public:
  // Tells another one too; null: nobody. It must outlive the search.
  void listen(SearchListener* listener) { listener_ = listener; }

  // Another search begins; whoever listens still does.
  void restart() {
    counters = {};
    last_root_child_ = -1;
  }

  void iteration() { ++counters.iterations; }
  // A descent goes on from `node`, `depth` plies below the root, to its child `chosen`.
  void chose(TreeStructure& tree, const NodeLinks& node, std::uint32_t depth, int chosen) {
    if (depth == 0 && chosen != last_root_child_) {
      counters.root_switches += last_root_child_ >= 0;
      last_root_child_ = chosen;
    }
    if (depth <= kShallow) counters.shallow_switches += tree.switches(node, chosen);
    counters.branch_switches += tree.note_choice(node, chosen);
  }
  // It has entered a node.
  void entered(bool expanded) { counters.re_entries += expanded; }
  void created(int nodes, std::uint32_t depth) {
    counters.nodes_created += static_cast<std::uint64_t>(nodes);
    counters.max_depth = std::max<std::uint64_t>(counters.max_depth, depth);
  }
  void expanded(NodeIndex node) {
    ++counters.nodes_expanded;
    if (listener_ != nullptr) listener_->on_expanded(node);
  }
  void evaluated(int playouts) {
    ++counters.evaluations;
    counters.playouts += static_cast<std::uint64_t>(playouts);
  }
  void updated(std::uint64_t nodes) { counters.node_visits += nodes; }
  void decided(NodeIndex node, const Bounds& bounds) const {
    if (listener_ != nullptr) listener_->on_decided(node, bounds);
  }

  template <class Archive>
  void serialize(Archive& archive) {  // host/archive/archive.h
    archive(counters, last_root_child_);
    archive.check(counters.of_tree(), "counts that a tree has none of");
  }
  // Can a search have counted so that has this tree, of so many nodes, and plays so many `playouts`
  // for each evaluation? The tree is one; nodes, depth and probes: host/tree/check.h.
  bool stand(const TreeStructure& tree, std::uint64_t playouts) const {
    const Counters& c = counters;
    const std::uint64_t begun = c.iterations + 1;  // one may have been cut short
    if (c.iterations > tree.nodes() || c.re_entries > begun * c.max_depth) return false;
    const std::uint64_t steps = c.re_entries + begun;
    return c.nodes_expanded <= c.iterations && c.node_visits <= c.iterations * (c.max_depth + 1) &&
           c.evaluations < (playouts == 0 ? 1 : tree.nodes()) &&
           c.playouts == c.evaluations * playouts && c.root_switches <= c.shallow_switches &&
           c.shallow_switches <= steps && c.branch_switches <= steps && c.zone_solved == 0 &&
           c.second_searches == 0 && c.second_decided == 0 && c.peak_bytes == 0 &&
           last_child_agrees(tree);
  }

  Counters counters;

 private:
  bool last_child_agrees(const TreeStructure& tree) const {
    const NodeLinks& root = tree.node(0);
    if (root.edges < 2) return -1 <= last_root_child_ && last_root_child_ < root.edges;
    const std::uint16_t last = tree.edge(root.first_edge).choice;
    return last_root_child_ == (last == kNoMove ? -1 : static_cast<int>(last));
  }

  SearchListener* listener_ = nullptr;
  int last_root_child_ = -1;  // -1: none yet
};

}  // namespace playproof
