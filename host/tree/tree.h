// The tree of the best-first searches. Nodes and edges live in arenas with 32-bit indices; the
// children of a node are one run of edges {move, node}. A node holds its label (the numbers of the
// scheme), its proven bounds, and its edges; the position is replayed along the path.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>

#include "games/core/error.h"
#include "games/core/game.h"
#include "host/tree/arena.h"
#include "kernels/numbers/bounds.h"

namespace playproof {

using NodeIndex = std::uint32_t;
inline constexpr NodeIndex kNoNode = 0xffffffffu;
inline constexpr unsigned kMaxEdges = 0x3fff;

struct Edge {
  NodeIndex node;  // kNoNode: this child has not been created yet
  Move move;
  // Of the parent, kept where there is room: in its first edge the child chosen last, in its second
  // the other one chosen before that (kNoMove: none).
  std::uint16_t choice = 0xffff;
};

template <class Label>
struct Node {
  Label label;
  std::uint32_t first_edge;
  std::uint16_t edges : 14;   // 0: not expanded (or finished)
  std::uint16_t decided : 1;  // the bounds decide the goal
  // Waits for playouts, itself or all its undecided children; or is a reply that is put off.
  std::uint16_t pending : 1;
  Bounds bounds;

  // A search may descend into it.
  bool open() const { return !decided && !pending; }
  // Is it put off (host/tree/must_play.h)? What waits for playouts has children.
  bool sleeps() const { return pending && edges == 0; }
};

template <class Label>
class Tree {
 public:
  using Node = playproof::Node<Label>;

  // At most `max_bytes` of memory for nodes and edges together.
  explicit Tree(std::uint64_t max_bytes)
      : max_bytes_(max_bytes),
        nodes_(std::min<std::uint64_t>(max_bytes / sizeof(Node), kNoNode - 1)),
        edges_(std::min<std::uint64_t>(max_bytes / sizeof(Edge), kNoNode - 1)) {}

  // Without nodes, and with a limit that is at most the first one.
  void clear(std::uint64_t max_bytes) {
    nodes_.clear();
    edges_.clear();
    max_bytes_ = max_bytes;
  }
  // Room for so many more, and so many bytes beside the tree?
  bool has_room(std::uint32_t nodes, std::uint32_t edges, std::uint64_t beside = 0) const {
    return nodes_.has_room(nodes) && edges_.has_room(edges) &&
           used_bytes() + nodes * sizeof(Node) + edges * sizeof(Edge) + beside <= max_bytes_;
  }
  NodeIndex add_node(const Label& label, Bounds bounds, bool decided) {
    const NodeIndex index = nodes_.allocate(1);
    nodes_[index] = Node{label, 0, 0, decided, false, bounds};
    return index;
  }
  std::uint32_t add_edges(std::uint32_t count) { return edges_.allocate(count); }

  Node& node(NodeIndex i) { return nodes_[i]; }
  const Node& node(NodeIndex i) const { return nodes_[i]; }
  Edge& edge(std::uint32_t i) { return edges_[i]; }
  const Edge& edge(std::uint32_t i) const { return edges_[i]; }

  // The children of one node, in the order of their moves.
  class Children {
   public:
    Children(const Tree& tree, const Node& parent)
        : tree_(&tree), first_(parent.first_edge), size_(parent.edges) {}
    int size() const { return size_; }
    const Edge& edge(int i) const { return tree_->edge(first_ + static_cast<std::uint32_t>(i)); }
    bool created(int i) const { return edge(i).node != kNoNode; }
    const Node& operator[](int i) const { return tree_->node(edge(i).node); }

   private:
    const Tree* tree_;
    std::uint32_t first_;
    int size_;
  };
  Children children(const Node& parent) const { return {*this, parent}; }
  // Has it children, all of them created, and no open one among them? And a decided one?
  bool is_closed(const Node& parent) const {
    const Children all = children(parent);
    for (int i = 0; i < all.size(); ++i) {
      if (all[i].open()) return false;
    }
    return all.size() > 0;
  }
  bool has_decided_child(const Node& parent) const {
    const Children all = children(parent);
    for (int i = 0; i < all.size(); ++i) {
      if (all[i].decided) return true;
    }
    return false;
  }

  // Has the caches fetch a node; the edges and children of a node that they hold. Children of one
  // node are created one after the other, so they lie side by side from `first` on.
  void prefetch(NodeIndex i) const { prefetch_lines(&nodes_[i], sizeof(Node)); }
  void prefetch_children(NodeIndex i, NodeIndex first) const {
    const Node& parent = nodes_[i];
    prefetch_lines(&edges_[parent.first_edge], parent.edges * sizeof(Edge));
    prefetch_lines(&nodes_[first], parent.edges * sizeof(Node));
  }

  // Does the search go from `parent` to another child than the last time?
  bool switches(const Node& parent, int i) const {
    if (parent.edges < 2) return false;
    const std::uint16_t last = edges_[parent.first_edge].choice;
    return last != kNoMove && last != static_cast<std::uint16_t>(i);
  }
  // Notes that the search goes from `parent` to child i. True for the A of a switch A-B-A (E24 b).
  bool note_choice(const Node& parent, int i) {
    const auto chosen = static_cast<std::uint16_t>(i);
    if (parent.edges < 2 || edges_[parent.first_edge].choice == chosen) return false;
    std::uint16_t& last = edges_[parent.first_edge].choice;
    std::uint16_t& before = edges_[parent.first_edge + 1].choice;
    const bool back = before == chosen;
    before = last;
    last = chosen;
    return back;
  }

  std::uint64_t nodes() const { return nodes_.size(); }
  std::uint64_t edges() const { return edges_.size(); }
  std::uint64_t used_bytes() const { return nodes_.used_bytes() + edges_.used_bytes(); }

  // Nodes and edges as they lie in memory. What is loaded is not to be used before it was checked
  // (host/tree/check.h).
  template <class Archive>
  void serialize(Archive& archive) {
    std::uint32_t node_bytes = sizeof(Node);
    std::uint32_t edge_bytes = sizeof(Edge);
    archive(node_bytes, edge_bytes);
    archive.check(node_bytes == sizeof(Node) && edge_bytes == sizeof(Edge),
                  "nodes of another size");
    archive(nodes_, edges_);
    if (Archive::kLoading && used_bytes() > max_bytes_) {
      throw Error(ErrorCode::kUsage, "the search that is to be resumed takes " +
                                         std::to_string(used_bytes()) +
                                         " bytes, more than --max-memory allows");
    }
  }

 private:
  std::uint64_t max_bytes_;
  Arena<Node> nodes_;
  Arena<Edge> edges_;
};

}  // namespace playproof
