// The MCTS solvers by the formulas of kernels/schemes/mcts.h. One iteration adds one node;
// unvisited children come first, left to right. One visit is one leaf with all its playouts.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "host/path/line.h"
#include "host/path/repetition.h"
#include "host/probe/leaf_probe.h"
#include "host/probe/tree_probes.h"
#include "host/question/counters.h"
#include "host/question/search_options.h"
#include "host/tree/counts.h"
#include "host/tree/descent.h"
#include "host/tree/tree.h"
#include "host/tree/tree_zones.h"
#include "host/tree/waiting.h"
#include "kernels/schemes/mcts.h"

namespace playproof {

template <Game G>
class Mcts {
 public:
  using Label = MctsLabel;
  using Formulas = MctsRule;
  using State = typename G::State;
  using Rules = typename G::Rules;
  using Options = SearchOptions;

  // The position must not be finished.
  Mcts(const Rules& rules, const State& position, const Claim& claim, const MctsRule& rule,
       const Options& options)
      : rules_(rules),
        claim_(claim),
        rule_(rule),
        options_(options),
        unknown_(unknown_bounds<G>(rules, claim.attacker)),
        probe_(rules, options),
        tree_(options.max_bytes),
        zones_(rules, options),
        descent_({0, true, position}) {
    add_node();
    counts_.created(1, 0);
  }

  // Like BestFirst, it selects and adds up to `batch` nodes; those to evaluate go to `requests`.
  std::uint32_t propose(std::uint32_t batch, std::vector<LeafRequest<G>>& requests,
                        std::uint32_t part = kAllLeaves) {
    if (in_batch_ == 0) root_changed_ = false;
    std::uint32_t taken = 0;
    while (taken < part && goes_on(batch) && take_leaf(batch == 1 && !several(), requests)) {
      ++taken;
      ++in_batch_;
    }
    resumable_ = stop_reason_ != StopReason::kMemory &&
                 (several() || in_batch_ == 0 || stop_reason_ != StopReason::kNodes);
    return taken;
  }
  bool may_go_on(std::uint32_t batch) const { return in_batch_ > 0 && goes_on(batch); }
  // These three do what those of a best-first search do.
  void send() { waiting_.send(std::exchange(in_batch_, 0)); }
  std::size_t out() const { return waiting_.out(); }
  void ask_again(std::size_t i, std::vector<LeafRequest<G>>& requests) const {
    for (const Way& way : waiting_.batch(i)) requests.push_back(request(way.end().state));
  }

  void absorb(std::span<const Tally> tallies) {
    in_batch_ = 0;
    if (std::exchange(waits_, false)) back_up_tally(descent_, tallies[0]);
    const std::span<Way> ways = waiting_.take();
    for (std::size_t i = 0; i < ways.size(); ++i) {
      ways[i].reopen(tree_);
      back_up_tally(ways[i], tallies[i]);
      if (several()) close_again(ways[i]);
    }
  }

  StopReason stopped() const { return stop_reason_; }
  // What BestFirst says. The memory limit may end an iteration half way down the tree.
  bool resumable() const { return resumable_; }
  template <class Archive>
  void serialize(Archive& archive) {
    archive(tree_, counts_, stop_reason_);
    zones_.serialize(archive, tree_);
    if constexpr (Archive::kLoading) {
      if (stop_reason_ != StopReason::kDecided) stop_reason_ = StopReason::kRunning;
      const std::uint64_t deepest = counts_.counters.max_depth;
      const std::uint64_t most = AcyclicGame<G> ? most_plies<G>() : tree_.nodes();
      archive.check(deepest <= most, "a depth that no game reaches");
      // Every descent begins at the root: all that is left of the old ones is how long the path
      // was.
      descent_ = Way(descent_[0]);
      descent_.restore(static_cast<std::uint32_t>(deepest) + 1, 0, 0);
    }
    if (several()) {
      const bool ended = stop_reason_ == StopReason::kDecided;
      waiting_.serialize(archive, rules_, claim_.attacker, tree_, descent_[0], options_, ended,
                         &in_batch_);
    }
    if constexpr (Archive::kLoading) {
      zones_.expect_room(waiting_.steps(), options_.max_bytes - tree_.used_bytes());
    }
  }
  std::vector<NodeIndex> waiting() const { return waiting_.leaves(); }
  bool closed(NodeIndex i) const { return is_closed(tree_.node(i)); }
  bool label_agrees(NodeIndex i, const State& /*state*/, std::uint32_t /*depth*/,
                    bool or_node) const {
    const auto& node = tree_.node(i);
    const auto children = tree_.children(node);
    const bool waits = node.pending && node.edges == 0;
    if (node.pending && !waits && !is_closed(node)) return false;
    std::uint64_t reward = 0;
    std::uint64_t visits = i == 0 || waits ? 0 : 1;  // its own
    std::uint32_t created = 0;
    for (int child = 0; child < children.size(); ++child) {
      if (!children.created(child)) continue;
      reward += children[child].label.reward;
      visits += children[child].label.visits;
      created = static_cast<std::uint32_t>(child) + 1;
    }
    const Label& label = node.label;
    const auto own =
        static_cast<std::uint64_t>(i == 0 || waits ? 0 : rule_.most() * rule_.playouts);
    return next_agrees(i, or_node, created) && label.visits == visits && label.reward >= reward &&
           label.reward - reward <= own;
  }
  // Each iteration adds a node.
  bool counts_stand() const {
    return counts_.stand(tree_, static_cast<std::uint64_t>(rule_.playouts)) &&
           counts_.counters.iterations == tree_.nodes() - 1;
  }
  const Options& options() const { return options_; }
  const MctsRule& scheme() const { return rule_; }
  Bounds bounds() const { return tree_.node(0).bounds; }
  Counters counters() const {
    Counters c = counts_.counters;
    c.peak_bytes = tree_.used_bytes() + zones_.used_bytes() + descent_.bytes();
    return c;
  }
  const Tree<Label>& tree() const { return tree_; }
  // The mean reward of a visited node, 0..1.
  double mean(const Label& label) const { return rule_.mean(label); }
  const TreeZones<G>& zones() const { return zones_; }
  const Claim& claim() const { return claim_; }
  // What decides leaves before they are searched.
  const TreeProbes<G>& probe() const { return probe_; }
  bool root_changed() const { return root_changed_; }
  void listen(SearchListener* listener) { counts_.listen(listener); }
  // The most visited child that is not solved, -1 if there is none.
  int preferred_child(NodeIndex node, bool /*or_node*/) const {
    const auto children = tree_.children(tree_.node(node));
    int best = -1;
    for (int i = 0; i < children.size(); ++i) {
      if (!children.created(i) || !children[i].open()) continue;
      if (best < 0 || children[i].label.visits > children[best].label.visits) best = i;
    }
    return best;
  }

  // The root children (indices) with the greatest v + A / sqrt(n); children proven not to reach the
  // goal stand below all others. Before any child exists the answer is empty: nothing is known.
  void root_ties(std::vector<int>& ties) const {
    ties.clear();
    const auto children = tree_.children(tree_.node(0));
    double best = 0;
    for (int i = 0; i < children.size(); ++i) {
      if (!children.created(i) || children[i].decided || children[i].label.visits == 0) continue;
      const double score = rule_.interim(children[i].label);
      if (!ties.empty() && score < best) continue;
      if (!ties.empty() && score > best) ties.clear();
      best = score;
      ties.push_back(i);
    }
    if (!ties.empty()) return;
    for (int i = 0; i < children.size(); ++i) {
      const bool solved = children.created(i) ? children[i].decided != 0
                                              : zones_.is_outside(0, children.edge(i).move);
      if (!solved) ties.push_back(i);
    }
  }

 private:
  // It keeps no choices: every descent begins at the root.
  struct Step {
    NodeIndex node;
    bool or_node;
    State state;
  };
  using Way = Descent<G, Step>;

  bool several() const { return options_.pipeline > 1; }
  bool goes_on(std::uint32_t batch) const {
    return in_batch_ < batch && stop_reason_ == StopReason::kRunning && !tree_.node(0).pending;
  }
  bool take_leaf(bool single, std::vector<LeafRequest<G>>& requests) {
    if (!room_for(1, 0)) return false;  // before anything is counted
    descent_.to_root();
    while (true) {
      auto& node = tree_.node(descent_.end().node);
      if (node.edges == 0 && !generate()) return false;
      if (node.label.created < node.edges) break;
      descend();
    }
    counts_.iteration();
    add_child();
    const Step& leaf = descent_.end();
    leaf_way(NewLeaf{*this, leaf, requests});
    if (tree_.node(leaf.node).decided) {
      back_up(descent_, rule_.of(tree_.node(leaf.node).bounds, claim_));
      if (!single) close_ancestors(descent_);
      return true;
    }
    waits_ = single;
    if (!single) {
      waiting_.add(descent_);
      tree_.node(leaf.node).pending = true;
      close_ancestors(descent_);
    }
    return true;
  }

  // Writes the moves of the node at the end of the path, no child yet. False at the memory limit.
  bool generate() {
    const Step& step = descent_.end();
    Move moves[G::kMaxMoves];
    const int count = G::moves(rules_, step.state, moves);
    if (!room_for(1, static_cast<std::uint32_t>(count))) return false;
    if (options_.random_order) {
      order_moves(options_, G::key(rules_, step.state), moves, count);
    }
    auto& node = tree_.node(step.node);
    node.first_edge = tree_.add_edges(static_cast<std::uint32_t>(count));
    node.edges = static_cast<unsigned>(count) & kMaxEdges;
    for (int i = 0; i < count; ++i) {
      tree_.edge(node.first_edge + static_cast<std::uint32_t>(i)) = {kNoNode, moves[i]};
    }
    counts_.expanded(step.node);
    return true;
  }

  bool room_for(std::uint32_t nodes, std::uint32_t edges) {
    if (counts_.counters.nodes_created + nodes > options_.max_nodes) {
      stop_reason_ = StopReason::kNodes;
    } else if (!zones_.has_room(nodes, open_nodes()) ||
               !tree_.has_room(nodes, edges, zones_.most_bytes(nodes, open_nodes()))) {
      stop_reason_ = StopReason::kMemory;
    }
    return stop_reason_ == StopReason::kRunning;
  }

  // As many may get zones before the next iteration: those on the ways that wait and on a new one.
  std::uint64_t open_nodes() const { return waiting_.steps() + counts_.counters.max_depth + 1; }

  // One step down, from a node whose children all exist.
  void descend() {
    const Step& step = descent_.end();
    const auto& node = tree_.node(step.node);
    const auto children = tree_.children(node);
    const double log_parent = rule_.log_of_parent(node.label);
    int best = -1;
    double best_score = 0;
    for (int i = 0; i < children.size(); ++i) {
      if (!children.created(i)) continue;
      const auto& child = children[i];
      if (!child.open()) continue;
      const double score = rule_.score(step.or_node, log_parent, child.label);
      if (best < 0 || score > best_score) {
        best = i;
        best_score = score;
      }
    }
    counts_.entered(true);
    counts_.chose(tree_, node, descent_.depth(), best);
    descent_.enter(rules_, claim_.attacker, children.edge(best));
  }

  NodeIndex add_node() {
    zones_.add();
    return tree_.add_node({}, unknown_, false);
  }
  Mover mover(bool or_node) const { return {or_node, claim_.threshold}; }
  // A child that a lost one solves is not created any more.
  void pass_over(NodeIndex index) {
    auto& node = tree_.node(index);
    while (node.label.created < node.edges && is_solved_unborn(index, node.label.created)) {
      ++node.label.created;
    }
  }
  bool is_solved_unborn(NodeIndex index, std::uint32_t child) const {
    return zones_.is_outside(index, tree_.edge(tree_.node(index).first_edge + child).move);
  }
  // Is the child to be created next that after the last one that exists, or after those that need
  // not exist?
  bool next_agrees(NodeIndex index, bool or_node, std::uint32_t next) const {
    const auto& node = tree_.node(index);
    if constexpr (ZonedGame<G>) {
      const auto out = zones_.outside(tree_.children(node), mover(or_node));
      const auto unborn = [&](std::uint32_t child) {
        return child < node.edges && out.has(tree_.edge(node.first_edge + child).move);
      };
      while (next < node.label.created && unborn(next)) ++next;
      if (!node.decided && unborn(next)) return false;
    }
    return node.label.created == next;
  }

  // Creates the left-most missing child of the node at the end of the path and steps onto it.
  void add_child() {
    auto& parent = tree_.node(descent_.end().node);
    counts_.chose(tree_, parent, descent_.depth(), static_cast<int>(parent.label.created));
    Edge& edge = tree_.edge(parent.first_edge + parent.label.created);
    ++parent.label.created;
    pass_over(descent_.end().node);
    edge.node = add_node();
    descent_.enter(rules_, claim_.attacker, edge);
    counts_.created(1, descent_.depth());
  }

  // Where positions can come again: does the leaf at the end of the path stand on it already? Then
  // that ends the line (host/path/repetition.h).
  std::optional<Bounds> repetition() const requires(!AcyclicGame<G>) {
    const auto above = descent_.steps().first(descent_.depth());
    const State& leaf = descent_.end().state;
    const bool again = std::any_of(above.begin(), above.end(),
                                   [&](const Step& step) { return step.state == leaf; });
    if (!again) return std::nullopt;
    const Player mover = G::to_move(rules_, above.back().state);
    const Value value = value_of_repetition(path_rule<G>(rules_), mover);
    return Bounds::exact(value_for(claim_.attacker, value));
  }

  // The way of a new leaf, at the end of the path.
  struct NewLeaf {
    Mcts& search;
    const Step& step;
    std::vector<LeafRequest<G>>& requests;

    bool by_rules() {
      if constexpr (!AcyclicGame<G>) {
        if (const auto bounds = search.repetition()) return decided(*bounds);
      }
      if (!G::finished(search.rules_, step.state)) return false;
      const Value value = G::value(search.rules_, step.state);
      return decided(Bounds::exact(value_for(search.claim_.attacker, value)));
    }
    bool by_probe() {
      if (!search.probe_.applies_to(step.state)) return false;
      const Bounds bounds = ask(search.probe_, step.state, search.claim_).bounds;
      search.probe_.count(search.counts_.counters);
      return bounds.decides(search.claim_.threshold) && decided(bounds);
    }
    bool by_playouts() {
      requests.push_back(search.request(step.state));
      return true;
    }
    void by_number() {}  // its number is what playouts say

   private:
    bool decided(const Bounds& known) {
      const Bounds bounds = search.zones_.proved(known, search.claim_);
      auto& node = search.tree_.node(step.node);
      node.bounds = bounds;
      node.decided = true;
      const Player attacker = search.claim_.attacker;
      const bool proved = bounds.proves(search.claim_.threshold);
      search.zones_.set_leaf(step.node, step.state, proved ? attacker : opponent(attacker));
      search.counts_.decided(step.node, bounds);
      return true;
    }
  };

  LeafRequest<G> request(const State& state) const {
    return {state,
            {options_.seed, G::key(rules_, state)},
            0,
            static_cast<std::uint32_t>(rule_.playouts)};
  }

  // In a batch, a node without a child to add or to enter is closed until the tallies come.
  void close_ancestors(const Way& way) {
    for (std::uint32_t d = way.depth(); d-- > 0;) {
      auto& node = tree_.node(way[d].node);
      if (node.decided) continue;
      if (!is_closed(node)) return;
      node.pending = true;
    }
  }
  // When the tallies are there, others may still wait. Nodes on the way may be decided by now, and
  // those above them closed, though it is open below.
  void close_again(const Way& way) {
    for (std::uint32_t d = way.depth(); d-- > 0;) {
      auto& node = tree_.node(way[d].node);
      if (!node.decided && is_closed(node)) node.pending = true;
    }
  }
  bool is_closed(const typename Tree<Label>::Node& node) const {
    if (node.edges == 0 || node.label.created < node.edges) return false;
    const auto children = tree_.children(node);
    for (int i = 0; i < children.size(); ++i) {
      if (children.created(i) && children[i].open()) return false;
    }
    return true;
  }

  void back_up_tally(const Way& way, const Tally& tally) {
    counts_.evaluated(rule_.playouts);
    back_up(way, rule_.of(tally, claim_));
  }
  // Adds one visit to every node of the way; proofs go up as far as they decide something.
  void back_up(const Way& way, std::uint64_t reward) {
    bool bounds_changed = true;
    for (std::uint32_t d = way.depth() + 1; d-- > 0;) {
      auto& node = tree_.node(way[d].node);
      node.label.visits += 1;
      node.label.reward += reward;
      if (node.edges == 0 || node.decided || !bounds_changed) continue;
      const Bounds old = node.bounds;
      solved_.clear();
      zones_.prune(tree_, way[d].node, mover(way[d].or_node), &solved_);
      for (const NodeIndex index : solved_) {
        auto& child = tree_.node(index);
        if (is_closed(child)) child.pending = false;  // a leaf that waits still does
        counts_.decided(index, child.bounds);
      }
      pass_over(way[d].node);
      node.bounds = Bounds::both(old, back_up_bounds(way[d].or_node, node));
      node.decided = node.bounds.decides(claim_.threshold);
      if (node.decided) {
        zones_.settle(tree_, way[d].node, mover(way[d].or_node));
        counts_.decided(way[d].node, node.bounds);
      }
      bounds_changed = node.bounds != old;
    }
    counts_.updated(way.depth() + 1);
    root_changed_ = true;
    if (tree_.node(0).decided) stop_reason_ = StopReason::kDecided;
  }

  // A child that does not exist yet may be worth anything; one that need not exist has the bounds
  // of another.
  Bounds back_up_bounds(bool or_node, const typename Tree<Label>::Node& node) const {
    const auto children = tree_.children(node);
    const auto bounds_of = [&](int i) {
      return children.created(i) ? children[i].bounds : unknown_;
    };
    Bounds bounds = bounds_of(0);
    for (int i = 1; i < children.size(); ++i) {
      if (!children.created(i) && static_cast<std::uint32_t>(i) < node.label.created) continue;
      bounds = or_node ? Bounds::best(bounds, bounds_of(i)) : Bounds::worst(bounds, bounds_of(i));
    }
    return bounds;
  }

  Rules rules_;
  Claim claim_;
  MctsRule rule_;
  Options options_;
  Bounds unknown_;
  TreeProbes<G> probe_;
  Tree<Label> tree_;
  TreeZones<G> zones_;
  std::vector<NodeIndex> solved_;  // by the siblings that the update has just found lost
  Way descent_;                    // under way, or where the last one ended
  bool waits_ = false;             // its leaf waits for its tally
  WaitingDescents<G, Step> waiting_;
  std::uint32_t in_batch_ = 0;  // leaves taken since the last absorb()
  bool root_changed_ = false;
  bool resumable_ = true;
  StopReason stop_reason_ = StopReason::kRunning;
  TreeCounts counts_;
};

}  // namespace playproof
