// An engine that keeps a tree (host/tree/tree_engine.h) as all sees it that is done once a search:
// proofs, checks, answers. The type of its numbers is gone, so this is compiled once a game and not
// once an engine of each game.
#pragma once

#include <cstdint>
#include <vector>

#include "host/probe/leaf_probes.h"
#include "host/question/counters.h"
#include "host/question/search_options.h"
#include "host/tree/node_numbers.h"
#include "host/tree/tree.h"
#include "host/tree/tree_engine.h"
#include "host/tree/tree_patterns.h"
#include "host/tree/tree_zones.h"
#include "kernels/numbers/bounds.h"

namespace playproof {

// In the place of a node's numbers: whether they are numbers at all.
struct AnyLabel {
  bool is_valid;
  bool valid() const { return is_valid; }
};

// A tree of which one sees everything but the numbers.
template <>
class Tree<AnyLabel> {
 public:
  using Node = playproof::Node<AnyLabel>;

  class Children {
   public:
    Children(const Tree& tree, const Node& parent)
        : tree_(&tree), first_(parent.first_edge), size_(parent.edges) {}
    int size() const { return size_; }
    const Edge& edge(int i) const { return tree_->edge(first_ + static_cast<std::uint32_t>(i)); }
    bool created(int i) const { return edge(i).node != kNoNode; }
    Node operator[](int i) const { return tree_->node(edge(i).node); }

   private:
    const Tree* tree_;
    std::uint32_t first_;
    int size_;
  };

  Tree() = default;
  virtual ~Tree() = default;
  Tree(const Tree&) = delete;
  Tree& operator=(const Tree&) = delete;

  virtual Node node(NodeIndex i) const = 0;
  virtual const Edge& edge(std::uint32_t i) const = 0;
  virtual std::uint64_t nodes() const = 0;
  virtual std::uint64_t edges() const = 0;
  Children children(const Node& parent) const { return {*this, parent}; }
};

// What each says: host/tree/tree_engine.h.
template <Game G>
class AnyEngine : private Tree<AnyLabel> {
 public:
  using Label = AnyLabel;

  const Tree<AnyLabel>& tree() const { return *this; }
  virtual const TreeZones<G>& zones() const = 0;
  virtual const TreePatterns<G>* patterns() const = 0;  // null: it never has any
  virtual StopReason stopped() const = 0;
  virtual Bounds bounds() const = 0;
  virtual Counters counters() const = 0;
  virtual const Claim& claim() const = 0;
  virtual const SearchOptions& options() const = 0;
  virtual const LeafProbes<G>& probe() const = 0;
  virtual std::vector<NodeIndex> waiting() const = 0;
  virtual bool closed(NodeIndex node) const = 0;
  virtual bool label_stands(NodeIndex node, const typename G::State& state, std::uint32_t depth,
                            bool or_node) const = 0;
  virtual bool sleeping_label_stands(NodeIndex node, bool or_node) const = 0;
  virtual bool counts_stand() const = 0;
  virtual int preferred_child(NodeIndex node, bool or_node) const = 0;
  virtual void root_ties(std::vector<int>& ties) const = 0;
  virtual NodeNumbers numbers(NodeIndex node) const = 0;
};

// An engine seen so; it must outlive what sees it.
template <Game G, class Engine>
requires TreeEngine<Engine, G>
class SeenEngine final : public AnyEngine<G> {
 public:
  explicit SeenEngine(const Engine& engine) : engine_(engine) {}

  const TreeZones<G>& zones() const override { return engine_.zones(); }
  const TreePatterns<G>* patterns() const override {
    if constexpr (requires { engine_.patterns(); }) return engine_.patterns();
    return nullptr;
  }
  StopReason stopped() const override { return engine_.stopped(); }
  Bounds bounds() const override { return engine_.bounds(); }
  Counters counters() const override { return engine_.counters(); }
  const Claim& claim() const override { return engine_.claim(); }
  const SearchOptions& options() const override { return engine_.options(); }
  const LeafProbes<G>& probe() const override { return engine_.probe(); }
  std::vector<NodeIndex> waiting() const override { return engine_.waiting(); }
  bool closed(NodeIndex node) const override { return engine_.closed(node); }
  bool label_stands(NodeIndex node, const typename G::State& state, std::uint32_t depth,
                    bool or_node) const override {
    return engine_.label_stands(node, state, depth, or_node);
  }
  bool sleeping_label_stands(NodeIndex node, bool or_node) const override {
    if constexpr (requires { engine_.sleeping_label_stands(node, or_node); }) {
      return engine_.sleeping_label_stands(node, or_node);
    }
    return false;
  }
  bool counts_stand() const override { return engine_.counts_stand(); }
  int preferred_child(NodeIndex node, bool or_node) const override {
    return engine_.preferred_child(node, or_node);
  }
  void root_ties(std::vector<int>& ties) const override { engine_.root_ties(ties); }
  NodeNumbers numbers(NodeIndex node) const override {
    const auto& label = engine_.tree().node(node).label;
    NodeNumbers numbers = node_numbers(label);
    if constexpr (requires { engine_.mean(label); }) {
      if (label.visits > 0) numbers.emplace_back("mean", engine_.mean(label));
    }
    return numbers;
  }

 private:
  Node<AnyLabel> node(NodeIndex i) const override {
    const auto& node = engine_.tree().node(i);
    bool valid = true;
    if constexpr (requires { node.label.valid(); }) valid = node.label.valid();
    return {{valid}, node.first_edge, node.edges, node.decided, node.pending, node.bounds};
  }
  const Edge& edge(std::uint32_t i) const override { return engine_.tree().edge(i); }
  std::uint64_t nodes() const override { return engine_.tree().nodes(); }
  std::uint64_t edges() const override { return engine_.tree().edges(); }

  const Engine& engine_;
};

}  // namespace playproof
