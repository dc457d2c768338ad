// One MCTS solver (kernels/schemes/mcts.h) as one thread runs it, on a device or on the CPU: as
// host/tree/mcts.h does with one leaf at a time, count for count.
#pragma once

#include <cstdint>

#include "games/core/game.h"
#include "kernels/common/playout.h"
#include "kernels/numbers/bounds.h"
#include "kernels/schemes/mcts.h"
#include "kernels/schemes/move_order.h"
#include "kernels/search/leaf_playouts.h"
#include "kernels/search/thread_tree.h"

namespace playproof {

// Nodes have room for all their children from their expansion on: those that MctsLabel::created
// counts are there.
template <AcyclicGame G>
class ThreadMcts : public ThreadTree<G, MctsLabel> {
  using Base = ThreadTree<G, MctsLabel>;

 public:
  using Label = MctsLabel;
  using Node = SearchNode<Label>;
  using State = typename G::State;
  using Rules = typename G::Rules;

  PP_HD ThreadMcts(const Rules& rules, const MctsRule& rule, const TreeOptions& options,
                   Node* nodes, std::uint32_t capacity)
      : Base(rules, options, nodes, capacity), rule_(rule) {}

  PP_HD void begin(const TreeRequest<G>& request, const CurveRoom& curve = {}) {
    this->begin_tree(request, curve, {});
    resumes_ = false;
  }

  // One iteration, unless a limit forbids it.
  PP_HD SearchEnd iterate() {
    if (result_.nodes_created + 1 > request_.max_nodes) {
      result_.end = SearchEnd::kNodes;
    } else if (descend()) {
      ++result_.iterations;
      add_child();
      back_up(evaluate());
    }
    const bool ended = result_.end == SearchEnd::kNodes;
    if (ended || (curve_.count != 0 && result_.end != SearchEnd::kOutgrown)) look_at_root();
    return result_.end;
  }

 protected:
  using Base::add_node;
  using Base::children;
  using Base::curve_;
  using Base::depth_;
  using Base::nodes_;
  using Base::options_;
  using Base::path_;
  using Base::request_;
  using Base::result_;
  using Base::rules_;
  using Base::threshold;
  using Base::unknown;
  using Base::used_;
  using typename Base::Step;

 private:
  PP_HD Node& end() { return nodes_[path_[depth_].node]; }

  // From the root to a node that has not all of its children. False if there is no room for them:
  // then the next call goes on from there.
  PP_HD bool descend() {
    if (!resumes_) depth_ = 0;
    while (true) {
      Node& node = end();
      resumes_ = node.edges == 0 && !expand(node);
      if (resumes_) return false;
      if (node.label.created < node.edges) return true;
      const int best = best_child(node);
      ++result_.re_entries;
      this->count_choice(node, best);
      this->enter(node.first_child + static_cast<std::uint32_t>(best));
    }
  }
  // The open child with the greatest score, the left-most of those that tie.
  PP_HD int best_child(const Node& node) const {
    const SearchChildren<Label> all = children(node);
    const double log_parent = rule_.log_of_parent(node.label);
    const bool or_node = path_[depth_].or_node;
    int best = -1;
    double best_score = 0;
    for (int i = 0; i < all.size(); ++i) {
      if (!all[i].open()) continue;
      const double score = rule_.score(or_node, log_parent, all[i].label);
      if (best >= 0 && !(score > best_score)) continue;
      best = i;
      best_score = score;
    }
    return best;
  }
  // Writes the moves of a node, no child yet. False if there is no room.
  PP_HD bool expand(Node& node) {
    const State& state = path_[depth_].state;
    Move moves[G::kMaxMoves];
    const int count = G::moves(rules_, state, moves);
    if (static_cast<std::uint32_t>(count) > this->capacity_ - used_) {
      result_.end = SearchEnd::kOutgrown;
      return false;
    }
    if (options_.random_order) {
      shuffle_moves(request_.order_seed, G::key(rules_, state), moves, count);
    }
    node.first_child = used_;
    node.edges = static_cast<std::uint16_t>(count);
    for (int i = 0; i < count; ++i) add_node({}, unknown(), false, moves[i]);
    ++result_.nodes_expanded;
    return true;
  }

  // Creates the left-most missing child of the node at the end of the path and steps onto it.
  PP_HD void add_child() {
    Node& parent = end();
    const std::uint32_t child = parent.label.created++;
    this->count_choice(parent, static_cast<int>(child));
    this->enter(parent.first_child + child);
    ++result_.nodes_created;
    if (result_.max_depth < depth_) result_.max_depth = depth_;
  }
  // The reward of the new leaf.
  PP_HD std::uint64_t evaluate() {
    const State& state = path_[depth_].state;
    if (G::finished(rules_, state)) {
      Node& leaf = end();
      leaf.bounds = Bounds::exact(value_for(request_.claim.attacker, G::value(rules_, state)));
      leaf.decided = true;
      return rule_.of(leaf.bounds, request_.claim);
    }
    const RandomKey key = {request_.seed, G::key(rules_, state)};
    const auto playouts = static_cast<std::uint32_t>(rule_.playouts);
    ++result_.evaluations;
    result_.playouts += playouts;
    return rule_.of(LeafPlayouts<G>::play(rules_, state, key, playouts), request_.claim);
  }
  // Adds one visit to every node of the path; proofs go up as far as they decide something.
  PP_HD void back_up(std::uint64_t reward) {
    bool bounds_changed = true;
    for (std::uint32_t d = depth_ + 1; d-- > 0;) {
      Node& node = nodes_[path_[d].node];
      node.label.visits += 1;
      node.label.reward += reward;
      if (node.edges == 0 || node.decided || !bounds_changed) continue;
      const Bounds old = node.bounds;
      node.bounds = Bounds::both(old, bounds_of_children(path_[d].or_node, node));
      node.decided = node.bounds.decides(threshold());
      bounds_changed = !(node.bounds == old);
    }
    result_.node_visits += depth_ + 1;
    if (nodes_[0].decided) result_.end = SearchEnd::kDecided;
  }
  // A child that is not there yet may be worth anything, as its bounds say.
  PP_HD Bounds bounds_of_children(bool or_node, const Node& node) const {
    const SearchChildren<Label> all = children(node);
    Bounds bounds = all[0].bounds;
    for (int i = 1; i < all.size(); ++i) {
      bounds = or_node ? Bounds::best(bounds, all[i].bounds) : Bounds::worst(bounds, all[i].bounds);
    }
    return bounds;
  }

  // What it would play now: the children of the root with the greatest v + A / sqrt(n); before any
  // of them counts, those that are not solved.
  PP_HD void look_at_root() {
    const SearchChildren<Label> all = children(nodes_[0]);
    Move moves[G::kMaxMoves];
    std::uint32_t tied = 0;
    double best = 0;
    for (int i = 0; i < all.size(); ++i) {
      if (all[i].decided || all[i].label.visits == 0) continue;
      const double score = rule_.interim(all[i].label);
      if (tied > 0 && score < best) continue;
      if (tied > 0 && score > best) tied = 0;
      best = score;
      moves[tied++] = all[i].move;
    }
    const bool none = tied == 0;
    for (int i = 0; none && i < all.size(); ++i) {
      if (!all[i].decided) moves[tied++] = all[i].move;
    }
    if (result_.end == SearchEnd::kNodes) {
      this->draw(moves, tied);
    } else {
      this->note_errors(moves, tied);
    }
  }

  const MctsRule& rule_;
  bool resumes_ = false;
};

}  // namespace playproof
