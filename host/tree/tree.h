// The tree of the best-first searches. Nodes and edges live in arenas with 32-bit indices; the
// children of a node are one run of edges {move, node}. A node holds its label (the numbers of the
// scheme), its proven bounds, and its edges; the position is replayed along the path.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <type_traits>

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
  // What the parent remembers, kept where there is room: in its first edge the child chosen last,
  // in its second the other one chosen before that (kNoMove: none).
  std::uint16_t choice = 0xffff;
};

// What a node has whatever its label is: its place in the tree and what is known of it.
struct NodeLinks {
  std::uint32_t first_edge;
  std::uint16_t edges : 14;   // 0: not expanded (or finished)
  std::uint16_t decided : 1;  // the bounds decide the goal
  // Waits for playouts, itself or all its undecided children; or is a reply that is put off.
  std::uint16_t pending : 1;
  Bounds bounds;

  // A search may descend into it.
  bool open() const { return !decided && !pending; }
  // Is it put off (host/knowledge/knowledge.h)? What waits for playouts has children.
  bool sleeps() const { return pending && edges == 0; }
};

template <class LabelType>
struct Labelled {
  LabelType label;
};
// Searches are saved as they lie in memory: first the label, then the links.
template <class Label>
struct Node : Labelled<Label>, NodeLinks {};

// The children of one node, in the order of their moves.
template <class TreeType>
class ChildrenOf {
 public:
  ChildrenOf(const TreeType& tree, const NodeLinks& parent)
      : tree_(&tree), first_(parent.first_edge), size_(parent.edges) {}
  int size() const { return size_; }
  const Edge& edge(int i) const { return tree_->edge(first_ + static_cast<std::uint32_t>(i)); }
  bool created(int i) const { return edge(i).node != kNoNode; }
  const auto& operator[](int i) const { return tree_->node(edge(i).node); }

 private:
  const TreeType* tree_;
  std::uint32_t first_;
  int size_;
};

// A tree without its labels. Whatever asks for no more takes one, and is compiled once, not once a
// label. It knows how large a node is, and where in it the links lie.
class TreeStructure {
 public:
  using Children = ChildrenOf<TreeStructure>;

  // Removes all nodes, and sets a limit that is at most the first one.
  void clear(std::uint64_t max_bytes) {
    nodes_.clear();
    edges_.clear();
    max_bytes_ = max_bytes;
  }
  // Is there room for so many more, and so many bytes beside the tree?
  bool has_room(std::uint32_t nodes, std::uint32_t edges, std::uint64_t beside = 0) const {
    return nodes_.has_room(nodes) && edges_.has_room(edges) &&
           used_bytes() + nodes * node_bytes() + edges * sizeof(Edge) + beside <= max_bytes_;
  }
  // A leaf whose label is still to come.
  NodeIndex add_links(const Bounds& bounds, bool decided) {
    const NodeIndex index = allocate_node();
    node(index) = {0, 0, decided, false, bounds};
    return index;
  }
  std::uint32_t add_edges(std::uint32_t count) { return edges_.allocate(count); }

  NodeLinks& node(NodeIndex i) {
    return *reinterpret_cast<NodeLinks*>(nodes_.data() + links_of(i));
  }
  const NodeLinks& node(NodeIndex i) const {
    return *reinterpret_cast<const NodeLinks*>(nodes_.data() + links_of(i));
  }
  Edge& edge(std::uint32_t i) { return edges_[i]; }
  const Edge& edge(std::uint32_t i) const { return edges_[i]; }
  Children children(const NodeLinks& parent) const { return {*this, parent}; }

  // Has it children, all of them created, and no open one among them?
  bool is_closed(const NodeLinks& parent) const {
    const Children all = children(parent);
    for (int i = 0; i < all.size(); ++i) {
      if (all[i].open()) return false;
    }
    return all.size() > 0;
  }

  // Has the caches fetch a node; the edges and children of a node that they hold. Children of one
  // node are created one after the other, so they lie side by side from `first` on.
  void prefetch(NodeIndex i) const { prefetch_lines(start_of(i), node_bytes()); }
  void prefetch_children(NodeIndex i, NodeIndex first) const {
    const NodeLinks& parent = node(i);
    prefetch_lines(&edges_[parent.first_edge], parent.edges * sizeof(Edge));
    prefetch_lines(start_of(first), parent.edges * node_bytes());
  }

  // Does the search go from `parent` to another child than the last time?
  bool switches(const NodeLinks& parent, int i) const {
    if (parent.edges < 2) return false;
    const std::uint16_t last = edges_[parent.first_edge].choice;
    return last != kNoMove && last != static_cast<std::uint16_t>(i);
  }
  // Notes that the search goes from `parent` to child i. True for the A of a switch A-B-A (E24 b).
  bool note_choice(const NodeLinks& parent, int i) {
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
  std::uint64_t node_bytes() const { return nodes_.element_bytes(); }
  std::uint64_t used_bytes() const { return nodes_.used_bytes() + edges_.used_bytes(); }

  // Nodes and edges as they lie in memory. What is loaded is not to be used before it was checked
  // (host/tree/check.h).
  template <class Archive>
  void serialize(Archive& archive) {
    auto node_bytes = static_cast<std::uint32_t>(this->node_bytes());
    std::uint32_t edge_bytes = sizeof(Edge);
    archive(node_bytes, edge_bytes);
    archive.check(node_bytes == this->node_bytes() && edge_bytes == sizeof(Edge),
                  "nodes of another size");
    archive(nodes_, edges_);
    if (Archive::kLoading && used_bytes() > max_bytes_) {
      throw Error(ErrorCode::kUsage, "the search that is to be resumed takes " +
                                         std::to_string(used_bytes()) +
                                         " bytes, more than --max-memory allows");
    }
  }

 protected:
  // Nodes and edges together take at most `max_bytes` of memory.
  TreeStructure(std::uint64_t max_bytes, std::size_t node_bytes)
      : max_bytes_(max_bytes),
        links_at_(node_bytes - sizeof(NodeLinks)),
        nodes_(std::min<std::uint64_t>(max_bytes / node_bytes, kNoNode - 1), node_bytes),
        edges_(std::min<std::uint64_t>(max_bytes / sizeof(Edge), kNoNode - 1)) {}
  ~TreeStructure() = default;

  NodeIndex allocate_node() { return nodes_.allocate(1); }
  std::byte* all_nodes() { return nodes_.data(); }
  const std::byte* all_nodes() const { return nodes_.data(); }

 private:
  std::size_t links_of(NodeIndex i) const { return i * node_bytes() + links_at_; }
  const std::byte* start_of(NodeIndex i) const { return nodes_.data() + i * node_bytes(); }

  std::uint64_t max_bytes_;
  std::size_t links_at_;  // in a node
  ArenaMemory nodes_;
  Arena<Edge> edges_;
};

template <class Label>
class Tree : public TreeStructure {
 public:
  using Node = playproof::Node<Label>;
  using Children = ChildrenOf<Tree>;
  static_assert(std::is_trivially_copyable_v<Node> &&
                sizeof(Node) == sizeof(Label) + sizeof(NodeLinks));

  // Nodes and edges together take at most `max_bytes` of memory.
  explicit Tree(std::uint64_t max_bytes) : TreeStructure(max_bytes, sizeof(Node)) {}

  NodeIndex add_node(const Label& label, Bounds bounds, bool decided) {
    const NodeIndex index = allocate_node();
    node(index) = Node{{label}, {0, 0, decided, false, bounds}};
    return index;
  }
  Node& node(NodeIndex i) { return reinterpret_cast<Node*>(all_nodes())[i]; }
  const Node& node(NodeIndex i) const { return reinterpret_cast<const Node*>(all_nodes())[i]; }
  Children children(const NodeLinks& parent) const { return {*this, parent}; }

  // Asked once an iteration, so by who knows how large a node is.
  bool has_decided_child(const NodeLinks& parent) const {
    const Children all = children(parent);
    for (int i = 0; i < all.size(); ++i) {
      if (all[i].decided) return true;
    }
    return false;
  }
};

// The tree of a search, as a base of it: it stands before the search's other bases, which refer to
// it.
template <class Label>
class OwnTree {
 protected:
  explicit OwnTree(std::uint64_t max_bytes) : tree_(max_bytes) {}
  ~OwnTree() = default;

  Tree<Label> tree_;
};

}  // namespace playproof
