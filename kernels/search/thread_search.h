// One best-first search (survey S2, sections 3.2 and 3.3) as one thread runs it, on a device or on
// the CPU: select, expand, evaluate by playouts, back up, as host/tree/best_first.h does with one
// leaf at a time. The formulas are those of kernels/schemes, and all counts are the same: sums run
// in the order of the children, and a tally is a function of seed and position alone.
#pragma once

#include <cstdint>

#include "games/core/game.h"
#include "kernels/common/playout.h"
#include "kernels/numbers/bounds.h"
#include "kernels/schemes/child_bounds.h"
#include "kernels/schemes/leaf_at.h"
#include "kernels/schemes/move_order.h"
#include "kernels/schemes/replaced_label.h"
#include "kernels/schemes/root_ties.h"
#include "kernels/schemes/scheme.h"
#include "kernels/schemes/stop_rule.h"
#include "kernels/search/leaf_playouts.h"
#include "kernels/search/thread_tree.h"

namespace playproof {

template <AcyclicGame G, Scheme S>
class ThreadSearch : public ThreadTree<G, typename S::Label> {
  using Base = ThreadTree<G, typename S::Label>;

 public:
  using Label = typename S::Label;
  using Node = SearchNode<Label>;
  using State = typename G::State;
  using Rules = typename G::Rules;

  PP_HD ThreadSearch(const Rules& rules, const S& scheme, const TreeOptions& options, Node* nodes,
                     std::uint32_t capacity)
      : Base(rules, options, nodes, capacity), scheme_(scheme) {}

  PP_HD void begin(const TreeRequest<G>& request, const CurveRoom& curve = {}) {
    Leaf root = leaf_at<G>(rules_, request.claim, scheme_, request.position, 0);
    root.or_node = G::to_move(rules_, request.position) == request.claim.attacker;
    root.playouts = 1;
    root.reached = 0.5;  // the root is never chosen, so it needs no estimate
    this->begin_tree(request, curve, scheme_.leaf(root));
  }

  // One iteration, unless a limit forbids it.
  PP_HD SearchEnd iterate() {
    const bool expanded = extend();
    if constexpr (S::kPlayouts) {
      if (expanded) play();
    }
    return conclude(expanded);
  }
  // The same in parts, for threads that play their leaves together. Down to a leaf, which gets its
  // children; false if a limit forbids it.
  PP_HD bool extend() {
    descend();
    return expand();
  }
  // Of a leaf that was extended: how many plies it is from its end, at most; its children; whether
  // one waits for its playouts; where it is; what they have found.
  PP_HD std::uint32_t plies_left() const {
    return static_cast<std::uint32_t>(G::max_plies_left(rules_, path_[depth_].state));
  }
  PP_HD int new_children() const { return nodes_[path_[depth_].node].edges; }
  PP_HD bool waits(int child) const { return !decides_ && !new_child(child).decided; }
  PP_HD State child_state(int child) const {
    State state = path_[depth_].state;
    G::play(rules_, state, new_child(child).move);
    return state;
  }
  PP_HD std::uint64_t seed() const { return request_.seed; }
  PP_HD void evaluate(int child, const State& state, const Tally& tally) {
    Leaf leaf = leaf_at<G>(rules_, request_.claim, scheme_, state, depth_ + 1);
    leaf.reached = reached(tally, request_.claim);
    leaf.playouts = scheme_.playouts;
    new_child(child).label = scheme_.leaf(leaf);
    ++result_.evaluations;
    result_.playouts += static_cast<std::uint32_t>(scheme_.playouts);
  }
  // The rest of it; `expanded` is what extend() said.
  PP_HD SearchEnd conclude(bool expanded) {
    if (expanded) {
      ++result_.iterations;
      previous_ = depth_;
      back_up();
    }
    const bool changed = expanded && (depth_ <= 1 || leaves_old_numbers(options_.stop));
    if ((changed && curve_.count != 0) || result_.end == SearchEnd::kNodes) [[unlikely]]
      look_at_root();
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
  using Base::previous_;
  using Base::request_;
  using Base::result_;
  using Base::rules_;
  using Base::threshold;
  using Base::unknown;
  using Base::used_;
  using typename Base::Step;

 private:
  using Replaced = ReplacedLabel<SearchChildren<Label>, Label>;
  PP_HD Label solved(bool proved) const { return proved ? scheme_.proved() : scheme_.disproved(); }

  // Steps down to a leaf by the scheme's preference.
  PP_HD void descend() {
    const std::uint32_t from = depth_;
    while (true) {
      Step& step = path_[depth_];
      Node& node = nodes_[step.node];
      if (node.edges == 0) break;
      const SearchChildren<Label> all = children(node);
      int held = -1;
      if (options_.stay_on_path) [[unlikely]]
        held = held_child(step, all);
      step.child = best_open_child(scheme_, step.or_node, all, held);
      this->count_choice(node, step.child);
      this->enter(node.first_child + static_cast<std::uint32_t>(step.child));
    }
    if (depth_ != from) result_.re_entries += depth_ - from - 1;  // all but the leaf
  }
  // The child on the path of the last iteration, if it is open.
  PP_HD int held_child(const Step& step, const SearchChildren<Label>& all) const {
    return depth_ < previous_ && all[step.child].open() ? step.child : -1;
  }
  // What the scheme would play now: the children of the root that tie, as they would be after a
  // full update. A search that has ended by a limit draws one of them; one with an error curve adds
  // a point to it if the share of wrong moves among them is another one than before. (In one place,
  // since all that is inlined here would be there again for each.)
  PP_HD void look_at_root() {
    const bool old_path = depth_ > 0 && leaves_old_numbers(options_.stop);
    const Label* fresh = &nodes_[path_[depth_].node].label;
    Label below;
    for (std::uint32_t d = depth_ - 1; old_path && d >= 1; --d) {
      const Node& node = nodes_[path_[d].node];
      Label label = node.label;
      scheme_.back_up(path_[d].or_node, Replaced{children(node), path_[d].child, *fresh}, label);
      below = label;
      fresh = &below;
    }
    const Replaced root{children(nodes_[0]), old_path ? path_[0].child : -1, *fresh};
    Move moves[G::kMaxMoves];
    std::uint32_t tied = 0;
    for_each_root_tie(scheme_, root, [&](int i) { moves[tied++] = root.children[i].move; });
    if (result_.end == SearchEnd::kNodes) {
      this->draw(moves, tied);
    } else {
      this->note_errors(moves, tied);
    }
  }
  // Creates the children of the leaf at the end of the path. False if a limit forbids it.
  PP_HD bool expand() {
    const Step& step = path_[depth_];
    Move moves[G::kMaxMoves];
    const int count = G::moves(rules_, step.state, moves);
    if (result_.nodes_created + static_cast<std::uint64_t>(count) > request_.max_nodes) {
      result_.end = SearchEnd::kNodes;
    } else if (static_cast<std::uint32_t>(count) > this->capacity_ - used_) {
      result_.end = SearchEnd::kOutgrown;
    }
    if (result_.end != SearchEnd::kRunning) return false;
    if (options_.random_order) {
      shuffle_moves(request_.order_seed, G::key(rules_, step.state), moves, count);
    }
    Node& node = nodes_[step.node];
    node.first_child = used_;
    bool broke = false;
    int made = 0;
    while (made < count && !broke) {
      broke = add_child(step, moves[made]) && options_.early_break;
      ++made;
    }
    node.edges = static_cast<std::uint16_t>(made);
    result_.nodes_created += static_cast<std::uint64_t>(made);
    if (result_.max_depth <= depth_) result_.max_depth = depth_ + 1;
    ++result_.nodes_expanded;
    decides_ = broke;
    return true;
  }
  // True if the child decides its parent.
  PP_HD bool add_child(const Step& parent, Move move) {
    State state = parent.state;
    G::play(rules_, state, move);
    if (G::finished(rules_, state)) {
      const Value value = value_for(request_.claim.attacker, G::value(rules_, state));
      const bool proved = Bounds::exact(value).proves(threshold());
      add_node(solved(proved), Bounds::exact(value), true, move);
      return proved == parent.or_node;
    }
    if constexpr (S::kPlayouts) {
      add_node(scheme_.disproved(), unknown(), false, move);  // until it is evaluated
    } else {
      const Leaf leaf = leaf_at<G>(rules_, request_.claim, scheme_, state, depth_ + 1);
      add_node(scheme_.leaf(leaf), unknown(), false, move);
    }
    return false;
  }
  PP_HD Node& new_child(int child) const {
    return nodes_[nodes_[path_[depth_].node].first_child + static_cast<std::uint32_t>(child)];
  }
  // This thread plays the leaves itself.
  PP_HD void play() {
    for (int i = 0; i < new_children(); ++i) {
      if (!waits(i)) continue;
      const State state = child_state(i);
      const RandomKey key = {request_.seed, G::key(rules_, state)};
      const auto playouts = static_cast<std::uint32_t>(scheme_.playouts);
      evaluate(i, state, LeafPlayouts<G>::play(rules_, state, key, playouts));
    }
  }

  // Recomputes the nodes of the path from its end upwards, until the stop rule holds; the next
  // descent goes on from there.
  PP_HD void back_up() {
    bool bounds_changed = has_decided_child(nodes_[path_[depth_].node]);
    const std::uint32_t from = depth_;
    while (true) {
      const Step& step = path_[depth_];
      Node& node = nodes_[step.node];
      const Label old_label = node.label;
      const Bounds old_bounds = node.bounds;
      update(node, step.or_node, bounds_changed);
      bounds_changed = !(node.bounds == old_bounds);
      if (depth_ == 0) break;
      const Step& above = path_[depth_ - 1];
      const bool open = !node.decided && !bounds_changed;
      if (open &&
          may_stop(options_.stop, node.label, old_label, nodes_[above.node].label, above.or_node)) {
        break;
      }
      --depth_;
    }
    result_.node_visits += from - depth_ + 1;
    if (nodes_[0].decided) result_.end = SearchEnd::kDecided;
  }
  PP_HD bool has_decided_child(const Node& node) const {
    const SearchChildren<Label> all = children(node);
#pragma unroll 1
    for (int i = 0; i < all.size(); ++i) {
      if (all[i].decided) return true;
    }
    return false;
  }
  PP_HD void update(Node& node, bool or_node, bool bounds_changed) {
    const SearchChildren<Label> all = children(node);
    if (bounds_changed) {
      const Bounds bounds =
          back_up_bounds(or_node, all, threshold(), options_.early_break, unknown());
      node.bounds = Bounds::both(node.bounds, bounds);
      if (node.bounds.decides(threshold())) {
        node.decided = true;
        node.label = solved(node.bounds.proves(threshold()));
        return;
      }
    }
    scheme_.back_up(or_node, all, node.label);
  }

  const S& scheme_;
  // A child decides the leaf that was extended, and is its last one: nobody asks about the others.
  bool decides_ = false;
};

}  // namespace playproof
