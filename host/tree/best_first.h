// Best-first proof search over AND/OR trees: select, expand, evaluate, back up (survey S2, sections
// 3.2 and 3.3; Allis, van der Meulen & van den Herik 1994). PN, DeepPN, MCPN and PPN are schemes of
// it (kernels/schemes); what does not depend on the scheme is in host/tree/tree_search.h. A
// two-stroke engine: propose() selects and expands leaves and returns what must be evaluated;
// absorb() labels them and backs up. Whoever drives it owns the loop.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "host/probe/leaf_probe.h"
#include "host/question/search_options.h"
#include "host/tree/tree.h"
#include "host/tree/tree_patterns.h"
#include "host/tree/tree_search.h"
#include "host/tree/tree_zones.h"
#include "kernels/schemes/child_bounds.h"
#include "kernels/schemes/leaf_at.h"
#include "kernels/schemes/replaced_label.h"
#include "kernels/schemes/root_ties.h"
#include "kernels/schemes/scheme.h"
#include "kernels/schemes/stop_rule.h"

namespace playproof {

template <Game G, Scheme S>
class BestFirst : OwnTree<typename S::Label>, public TreeSearch<G> {
  using Base = TreeSearch<G>;
  using OwnTree<typename S::Label>::tree_;

 public:
  using Formulas = S;
  using Label = typename S::Label;
  using State = typename G::State;
  using Rules = typename G::Rules;
  using typename Base::Options;
  using typename Base::Step;

  // The position must not be finished.
  BestFirst(const Rules& rules, const State& position, const Claim& claim, S scheme,
            const Options& options)
      : OwnTree<Label>(options.max_bytes),
        Base(tree_, rules, position, claim, options, playouts_of(scheme)),
        scheme_(std::move(scheme)) {
    begin(position, claim, options.max_nodes, options.max_bytes);
  }
  // Searches another position, as a new search with these limits would. The attacker must be that
  // of the first one, and `max_bytes` not more.
  void begin(const State& position, const Claim& claim, std::uint64_t max_nodes,
             std::uint64_t max_bytes) {
    this->restart(position, claim, max_nodes, max_bytes);
    Leaf root = leaf_at(position, 0);
    root.or_node = G::to_move(rules_, position) == claim.attacker;
    root.playouts = 1;
    root.reached = 0.5;  // the root is never chosen, so it needs no estimate
    add_node(scheme_.leaf(root), unknown_, false);
  }

  // Selects and expands up to `batch` leaves and appends what must be evaluated to `requests`: all
  // children of a leaf in one run. Leaves that need no playouts are finished at once. Returns the
  // leaves taken; 0 when stopped() tells why. With `part` < batch it takes so many of them; the
  // others are taken by more such calls, as long as may_go_on() says that there are any, then
  // absorbed all together. The parts change no count.
  std::uint32_t propose(std::uint32_t batch, std::vector<LeafRequest<G>>& requests,
                        std::uint32_t part = kAllLeaves) {
    if (in_batch_ == 0) root_changed_ = false;
    const bool single = this->is_single(batch);
    std::uint32_t taken = 0;
    while (taken < part && this->goes_on(batch) && take_leaf(single, requests)) {
      ++taken;
      ++in_batch_;
    }
    resumable_ = single || this->several() || in_batch_ == 0 || !cut_by_limit(stop_reason_);
    return taken;
  }

  // Labels the children of the leaves of the oldest batch, in the order of propose(), and backs up.
  void absorb(std::span<const Tally> tallies) {
    if (waits_) {
      label_children(descent_, tallies);
      back_up(descent_, true);
      waits_ = false;
    }
    in_batch_ = 0;
    const std::span<Way> ways = waiting_.take();
    if (ways.empty()) return;
    descent_.follow(ways.back());  // a later leaf may have needed no playouts
    descent_.to_root();
    for (Way& way : ways) {
      const std::uint32_t leaf_depth = way.depth();
      tallies = label_children(way, tallies);
      way.reopen(tree_);
      back_up(way, false);
      if (this->several()) this->close_again(way, leaf_depth);
    }
  }

  // The search in steps, for one whose most-proving nodes are evaluated by other means
  // (host/tree/pn2.h): it selects one, then expand() or decide() says what was found out and backs
  // up. To ask again for the node selected changes nothing.
  struct MostProving {
    const State* state = nullptr;  // until the next one is selected
    NodeIndex node = 0;
    std::uint32_t depth = 0;
    bool attackers = true;  // the attacker is to move
  };
  struct GivenChild {
    Move move;
    Label label;                              // of an open one
    Bounds bounds;                            // those of every position unless they decide
    [[no_unique_address]] Zone<G> zone = {};  // then, if the search has zones
  };
  MostProving most_proving() {
    descend();
    const Step& step = descent_.end();
    return {&step.state, step.node, descent_.depth(), step.or_node};
  }
  // These are all children, or the last one decides the node. False if a limit forbids it.
  bool expand(std::span<const GivenChild> children) {
    const auto count = static_cast<std::uint32_t>(children.size());
    if (!this->room_for(count)) return false;
    const std::uint32_t first = tree_.add_edges(count);
    for (std::uint32_t i = 0; i < count; ++i) {
      const auto& [move, label, bounds, zone] = children[i];
      const bool decides = bounds.decides(claim_.threshold);
      const Label known = decides ? solved(bounds.proves(claim_.threshold)) : label;
      const NodeIndex node = add_node(known, bounds, decides);
      tree_.edge(first + i) = {node, move};
      if (!decides) continue;
      zones_.set(node, zone);
      counts_.decided(node, bounds);
    }
    this->adopt(first, static_cast<int>(count));
    settle();
    return true;
  }
  // It stays a leaf. Not for the root. False as above.
  bool decide(const Bounds& bounds, const Zone<G>& zone) {
    if (!this->room_for(0)) return false;
    this->decide_leaf(bounds, zone);
    leave_decided();
    settle();
    return true;
  }

  // Is the label of node i what its children, or its place as a leaf, say? `depth` and `or_node`
  // are those of its state.
  bool label_agrees(NodeIndex i, const State& state, std::uint32_t depth, bool or_node) const {
    const auto& node = tree_.node(i);
    if (node.sleeps()) return false;  // what waits for playouts has children
    if (node.decided) return node.label == solved(node.bounds.proves(claim_.threshold));
    if (node.edges == 0) return leaf_label_agrees(node.label, state, depth);
    if (!all_created(tree_.children(node))) return false;
    if (node.pending && !is_closed(node)) return waiting_label_agrees(node, state, depth);
    const bool above = depth < descent_.depth() && descent_[depth].node == i;  // updated later
    if (above && this->leaves_old_numbers() && this->is_single(options_.batch)) return true;
    Label label = node.label;
    scheme_.back_up(or_node, tree_.children(node), label);
    return label == node.label;
  }
  // Has a leaf that is put off by its parent, which is an `or_node` or not
  // (host/knowledge/knowledge.h), the label of a lost reply?
  bool sleeping_label_agrees(NodeIndex i, bool or_node) const {
    return tree_.node(i).label == solved(!or_node);
  }
  const Tree<Label>& tree() const { return tree_; }
  const S& scheme() const { return scheme_; }

  // The child that the search would go on with, -1 if it has none.
  int preferred_child(NodeIndex node, bool or_node) const {
    return best_open_child(scheme_, or_node, tree_.children(tree_.node(node)));
  }
  // The root children that the scheme prefers now (indices), all that tie.
  void root_ties(std::vector<int>& ties) const {
    ties.clear();
    const auto children = tree_.children(tree_.node(0));
    const int on_path = descent_.depth() > 0 && this->leaves_old_numbers() ? descent_[0].child : -1;
    const Label fresh = on_path >= 0 ? fresh_root_child() : Label{};
    for_each_root_tie(scheme_, Replaced{children, on_path, fresh},
                      [&](int i) { ties.push_back(i); });
  }

 private:
  using Replaced = ReplacedLabel<typename Tree<Label>::Children, Label>;
  using Base::children_first_;
  using Base::claim_;
  using Base::counts_;
  using Base::descent_;
  using Base::in_batch_;
  using Base::options_;
  using Base::probe_;
  using Base::resumable_;
  using Base::root_changed_;
  using Base::rules_;
  using Base::stop_reason_;
  using Base::unknown_;
  using Base::waiting_;
  using Base::waits_;
  using Base::zones_;
  using typename Base::Way;

  bool take_leaf(bool single, std::vector<LeafRequest<G>>& requests) {
    descend();
    const std::uint32_t leaf_depth = descent_.depth();
    const std::size_t before = requests.size();
    if (!expand(requests)) return false;
    counts_.iteration();
    descent_.end_iteration();
    if (single) {
      waits_ = requests.size() > before;
      if (!waits_) back_up(descent_, true);
      return true;
    }
    if (requests.size() == before) {
      back_up(descent_, false);
    } else {
      waiting_.add(descent_);
      tree_.node(descent_.end().node).pending = true;
    }
    this->close_ancestors(descent_, leaf_depth);
    descent_.to_root();
    return true;
  }

  // Goes to a leaf, by the scheme's preference.
  [[gnu::always_inline]] void descend() {
    while (true) {
      Step& step = descent_.end();
      const auto& node = tree_.node(step.node);
      if (node.edges == 0) return;
      const auto children = tree_.children(node);
      step.child = select(step, children);
      counts_.chose(tree_, node, descent_.depth(), step.child);
      descent_.enter(rules_, claim_.attacker, children.edge(step.child));
      counts_.entered(tree_.node(descent_.end().node).edges != 0);
    }
  }

  int select(const Step& step, const typename Tree<Label>::Children& children) const {
    const bool stay = options_.stay_on_path && descent_.depth() < descent_.previous() &&
                      children[step.child].open();  // on the path of the last iteration
    return best_open_child(scheme_, step.or_node, children, stay ? step.child : -1);
  }

  // Creates the children of the leaf at the end of the path, or goes up again because it is decided
  // without. False if a limit forbids it.
  bool expand(std::vector<LeafRequest<G>>& requests) {
    const Step& step = descent_.end();
    Move moves[G::kMaxMoves];
    const int count = this->candidates(moves);
    if (count < 0) return false;
    if (count == 0) {
      leave_decided();
      return true;
    }
    const std::size_t before = requests.size();
    const std::uint32_t first = tree_.add_edges(static_cast<std::uint32_t>(count));
    int made = 0;
    bool broke = false;
    [[maybe_unused]] Zone<G> outside = {};
    while (made < count && !broke) {
      broke = add_child(step, first, made, moves[made], requests, outside) && options_.early_break;
      ++made;
    }
    this->adopt(first, made);
    if (children_first_) estimate_must_play(step, requests);
    if (broke) requests.resize(before);  // the node is decided: nobody asks about the others
    return true;
  }
  // Replies that were put off are open once all others are lost.
  void wake(const Step& step, std::uint32_t depth) {
    if (!this->is_to_wake(step)) return;
    const auto children = tree_.children(tree_.node(step.node));
    for (int i = 0; i < children.size(); ++i) {
      if (children[i].decided) continue;
      State state = step.state;
      G::play(rules_, state, children.edge(i).move);
      Leaf leaf = leaf_at(state, depth + 1);
      if constexpr (S::kPlayouts) {  // as if they had won them all: they are likely to be lost, too
        leaf.playouts = scheme_.playouts;
        leaf.reached = step.or_node ? 0 : leaf.playouts;
      }
      auto& child = tree_.node(children.edge(i).node);
      child.label = scheme_.leaf(leaf);
      child.pending = false;
    }
  }
  // Goes up from a leaf that is decided and stays one.
  void leave_decided() {
    label_solved(descent_.end().node);
    descent_.up();
  }
  // Ends an iteration in steps.
  void settle() {
    counts_.iteration();
    descent_.end_iteration();
    root_changed_ = false;
    back_up(descent_, true);
  }

  NodeIndex add_node(const Label& label, const Bounds& bounds, bool decided) {
    zones_.add();
    return tree_.add_node(label, bounds, decided);
  }
  // The node is decided, and its label says so.
  void label_solved(NodeIndex index) {
    auto& node = tree_.node(index);
    node.label = solved(node.bounds.proves(claim_.threshold));
  }
  // Solves the children that lie outside the zone of a lost one.
  void solve_siblings(const Step& parent) {
    this->solve_outside(parent);
    for (const NodeIndex index : this->solved_) label_solved(index);
  }

  // The way of a new child.
  struct NewLeaf {
    BestFirst& search;
    const State& state;
    std::vector<LeafRequest<G>>& requests;
    NodeIndex node = kNoNode;  // its own, once there is one

    bool by_rules() {
      if constexpr (!AcyclicGame<G>) {
        node = search.repeated_leaf(state);
        if (node != kNoNode) search.label_solved(node);
        if (node != kNoNode) return true;
      }
      return G::finished(search.rules_, state) && known();
    }
    bool by_probe() { return search.probe_.applies_to(state) && known(); }
    bool by_playouts() {
      if constexpr (S::kPlayouts) {
        requests.push_back(search.request(state));
        open(search.scheme_.disproved());  // until its tally is absorbed
      }
      return S::kPlayouts;
    }
    void by_number() { open(search.leaf_label(state, search.descent_.depth() + 1)); }

   private:
    bool known() {
      node = search.known_leaf(state);
      if (node != kNoNode) search.label_solved(node);
      return node != kNoNode;
    }
    void open(const Label& label) {
      if (node != kNoNode) {
        search.tree_.node(node).label = label;
      } else {
        node = search.add_node(label, search.unknown_, false);
      }
    }
  };

  // The numbers of children that were all looked at first.
  void estimate_must_play(const Step& parent, std::vector<LeafRequest<G>>& requests) {
    solve_siblings(parent);
    const auto children = tree_.children(tree_.node(parent.node));
    const auto put_off = this->put_off(parent);
    for (int i = 0; i < children.size(); ++i) {
      if (children[i].decided) continue;
      const auto& [node, move, choice] = children.edge(i);
      if (zones_.has(put_off, move)) {
        tree_.node(node).label = solved(!parent.or_node);
        tree_.node(node).pending = true;
        continue;
      }
      State state = parent.state;
      G::play(rules_, state, move);
      estimate_leaf(NewLeaf{*this, state, requests, node});
    }
    wake(parent, descent_.depth());
  }
  // Returns true if the child decides its parent.
  [[gnu::always_inline]] bool add_child(const Step& parent, std::uint32_t first, int i, Move move,
                                        std::vector<LeafRequest<G>>& requests, Zone<G>& outside) {
    State state = parent.state;
    G::play(rules_, state, move);
    NewLeaf leaf{*this, state, requests};
    if (children_first_) {
      leaf.node = this->known_child(state, parent, move, outside);
      if (leaf.node != kNoNode) {
        label_solved(leaf.node);
      } else {
        leaf.node = add_node(scheme_.disproved(), unknown_, false);  // it has no numbers yet
      }
    } else {
      leaf_way(leaf);
    }
    tree_.edge(first + static_cast<std::uint32_t>(i)) = {leaf.node, move};
    const auto& child = tree_.node(leaf.node);
    return child.decided && child.bounds.proves(claim_.threshold) == parent.or_node;
  }

  static std::uint32_t playouts_of(const S& scheme) {
    if constexpr (S::kPlayouts) return static_cast<std::uint32_t>(scheme.playouts);
    return 0;
  }
  Label solved(bool proved) const { return proved ? scheme_.proved() : scheme_.disproved(); }

  // The label of a leaf without playouts, `depth` plies below the root.
  Label leaf_label(const State& state, std::uint32_t depth) const {
    return scheme_.leaf(leaf_at(state, depth));
  }
  Leaf leaf_at(const State& state, std::uint32_t depth) const {
    Leaf leaf = playproof::leaf_at<G>(rules_, claim_, scheme_, state, depth);
    if constexpr (!AcyclicGame<G>) leaf.plies_left = 1;  // how many nobody knows: all alike
    return leaf;
  }

  bool is_closed(const NodeLinks& node) const { return tree_.is_closed(node); }

  // Returns the tallies that are left.
  std::span<const Tally> label_children(const Way& way, std::span<const Tally> tallies) {
    std::size_t next = 0;
    if constexpr (S::kPlayouts) {
      const auto& node = tree_.node(way.end().node);
      const auto put_off = this->put_off(way.end());
      for (std::uint32_t i = 0; i < node.edges; ++i) {
        const Edge& edge = tree_.edge(node.first_edge + i);
        auto& child = tree_.node(edge.node);
        if (!this->needs_playouts(child, edge, put_off)) continue;
        State state = way.end().state;
        if (scheme_.needs_mobility()) G::play(rules_, state, edge.move);
        Leaf leaf = leaf_at(state, way.depth() + 1);
        leaf.reached = reached(tallies[next++], claim_);
        leaf.playouts = scheme_.playouts;
        child.label = scheme_.leaf(leaf);
        counts_.evaluated(scheme_.playouts);
      }
    }
    return tallies.subspan(next);
  }

  // Recomputes the nodes of the way from its end upwards, until the stop rule holds. The rules
  // that leave old numbers above need a search that resumes where the update ended; in a batch it
  // begins at the root again, and the update ends where nothing changes.
  void back_up(Way& way, bool resumes) {
    const bool old_above = this->leaves_old_numbers();
    const StopRule rule = old_above && !resumes ? StopRule::kAllis : options_.stop;
    bool bounds_changed = tree_.has_decided_child(tree_.node(way.end().node));
    std::uint32_t depth = way.depth();
    const Step* step = &way.end();
    for (;; --depth, --step) {
      auto& node = tree_.node(step->node);
      const Label old_label = node.label;
      const Bounds old_bounds = node.bounds;
      update(node, *step, depth, bounds_changed);
      bounds_changed = node.bounds != old_bounds;
      if (depth == 0) break;
      const bool open = !node.decided && !bounds_changed;
      if (open && may_stop(rule, node.label, old_label, step[-1])) break;
    }
    counts_.updated(way.depth() - depth + 1);
    if (depth <= 1 || old_above) root_changed_ = true;
    way.up_to(depth);
    if (tree_.node(0).decided) stop_reason_ = StopReason::kDecided;
  }

  void update(typename Tree<Label>::Node& node, const Step& step, std::uint32_t depth,
              bool bounds_changed) {
    if (node.decided) return;  // by another leaf of the same batch
    const auto children = tree_.children(node);
    if (bounds_changed) {
      solve_siblings(step);
      const Bounds bounds =
          back_up_bounds(step.or_node, children, claim_.threshold, options_.early_break, unknown_);
      node.bounds = Bounds::both(node.bounds, bounds);
      if (node.bounds.decides(claim_.threshold)) {
        node.decided = true;
        node.label = solved(node.bounds.proves(claim_.threshold));
        this->note_decided(step);
        return;
      }
      wake(step, depth);
    }
    scheme_.back_up(step.or_node, children, node.label);
  }

  bool may_stop(StopRule rule, const Label& now, const Label& old, const Step& above) const {
    return playproof::may_stop(rule, now, old, tree_.node(above.node).label, above.or_node);
  }

  bool leaf_label_agrees(const Label& label, const State& state, std::uint32_t depth) const {
    if constexpr (S::kPlayouts) {
      // After an early break siblings keep the label they had before any playout.
      return scheme_.possible(label, leaf_at(state, depth)) || label == scheme_.disproved();
    } else {
      return label == leaf_label(state, depth);
    }
  }

  // All children of a node are made at once; a forged tree may lack some.
  static bool all_created(const auto& children) {
    for (int i = 0; i < children.size(); ++i) {
      if (!children.created(i)) return false;
    }
    return true;
  }

  // A leaf whose children wait for their tallies keeps the label that it had.
  bool waiting_label_agrees(const typename Tree<Label>::Node& node, const State& state,
                            std::uint32_t depth) const {
    const auto children = tree_.children(node);
    for (int i = 0; i < children.size(); ++i) {
      const auto& child = children[i];
      if (child.decided) continue;
      if (child.edges != 0 || (!child.sleeps() && child.label != scheme_.disproved())) return false;
    }
    return depth == 0 || leaf_label_agrees(node.label, state, depth);
  }

  // After an early stop the numbers above the path's end are old. This is what the root child on
  // the path would show after a full update, and the tree stays as it is.
  Label fresh_root_child() const {
    Label label = tree_.node(descent_.end().node).label;
    for (std::uint32_t d = descent_.depth() - 1; d >= 1; --d) {
      const auto& node = tree_.node(descent_[d].node);
      const Replaced view{tree_.children(node), descent_[d].child, label};
      Label up = node.label;
      scheme_.back_up(descent_[d].or_node, view, up);
      label = up;
    }
    return label;
  }

  S scheme_;
};

}  // namespace playproof
