// An engine that keeps a tree (host/tree/tree_engine.h) as all sees it that is done once a search:
// proofs, checks, answers. The type of its numbers is gone, so this is compiled once a game and not
// once an engine of each game.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "host/probe/tree_probes.h"
#include "host/question/counters.h"
#include "host/question/search_options.h"
#include "host/tree/node_numbers.h"
#include "host/tree/second_level.h"
#include "host/tree/tree.h"
#include "host/tree/tree_engine.h"
#include "host/tree/tree_patterns.h"
#include "host/tree/tree_zones.h"
#include "kernels/numbers/bounds.h"

namespace playproof {

// What each says: host/tree/tree_engine.h.
template <Game G>
class AnyEngine {
 public:
  AnyEngine() = default;
  virtual ~AnyEngine() = default;
  AnyEngine(const AnyEngine&) = delete;
  AnyEngine& operator=(const AnyEngine&) = delete;

  virtual const TreeStructure& tree() const = 0;
  virtual const TreeZones<G>& zones() const = 0;
  virtual const TreePatterns<G>* patterns() const = 0;  // null: it never has any
  virtual StopReason stopped() const = 0;
  virtual Bounds bounds() const = 0;
  virtual Counters counters() const = 0;
  virtual Counters tree_counters() const = 0;  // without those of a second level
  virtual const Claim& claim() const = 0;
  virtual const SearchOptions& options() const = 0;
  virtual const TreeProbes<G>& probe() const = 0;
  virtual std::vector<NodeIndex> waiting() const = 0;
  virtual bool closed(NodeIndex node) const = 0;
  // Is the label of a node one at all? For what was read from a file.
  virtual bool label_is_valid(NodeIndex node) const = 0;
  virtual bool label_agrees(NodeIndex node, const typename G::State& state, std::uint32_t depth,
                            bool or_node) const = 0;
  virtual bool sleeping_label_agrees(NodeIndex node, bool or_node) const = 0;
  virtual bool counts_stand() const = 0;
  virtual int preferred_child(NodeIndex node, bool or_node) const = 0;
  virtual void root_ties(std::vector<int>& ties) const = 0;
  virtual NodeNumbers numbers(NodeIndex node) const = 0;
  // Does a second level decide leaves (host/tree/pn2.h)? Then a search like those of it, without
  // limits, finds once more what they found.
  virtual bool has_second_level() const = 0;
  virtual std::unique_ptr<SecondLevel<G>> second_level() const = 0;
};

// An engine seen so; it must outlive what sees it.
template <Game G, class Engine>
requires TreeEngine<Engine, G>
class SeenEngine final : public AnyEngine<G> {
 public:
  explicit SeenEngine(const Engine& engine) : engine_(engine) {}

  const TreeStructure& tree() const override { return engine_.tree(); }
  const TreeZones<G>& zones() const override { return engine_.zones(); }
  const TreePatterns<G>* patterns() const override {
    if constexpr (requires { engine_.patterns(); }) return engine_.patterns();
    return nullptr;
  }
  StopReason stopped() const override { return engine_.stopped(); }
  Bounds bounds() const override { return engine_.bounds(); }
  Counters counters() const override { return engine_.counters(); }
  Counters tree_counters() const override {
    if constexpr (kTwoLevels) return engine_.tree_counters();
    return engine_.counters();
  }
  const Claim& claim() const override { return engine_.claim(); }
  const SearchOptions& options() const override { return engine_.options(); }
  const TreeProbes<G>& probe() const override { return engine_.probe(); }
  std::vector<NodeIndex> waiting() const override { return engine_.waiting(); }
  bool closed(NodeIndex node) const override { return engine_.closed(node); }
  bool label_is_valid(NodeIndex node) const override {
    const auto& label = engine_.tree().node(node).label;
    if constexpr (requires { label.valid(); }) return label.valid();
    return true;
  }
  bool label_agrees(NodeIndex node, const typename G::State& state, std::uint32_t depth,
                    bool or_node) const override {
    return engine_.label_agrees(node, state, depth, or_node);
  }
  bool sleeping_label_agrees(NodeIndex node, bool or_node) const override {
    if constexpr (requires { engine_.sleeping_label_agrees(node, or_node); }) {
      return engine_.sleeping_label_agrees(node, or_node);
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

  bool has_second_level() const override { return kTwoLevels; }
  std::unique_ptr<SecondLevel<G>> second_level() const override {
    if constexpr (kTwoLevels) return engine_.second_level();
    return nullptr;
  }

 private:
  static constexpr bool kTwoLevels = requires(const Engine& engine) { engine.second_level(); };

  const Engine& engine_;
};

}  // namespace playproof
