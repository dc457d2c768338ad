// The MCTS solvers: Winands, Bjornsson & Saito 2008; thesis section 5.3.2 with E31, E32. One
// iteration adds one node. Selection by the mean reward v of the attacker (v at OR nodes, 1 - v at
// AND nodes): unvisited children first, left to right; then
//   pure MCTS      v
//   UCT inside     v + sqrt(C ln n_p / n_i)
//   UCT outside    v + C sqrt(ln n_p / n_i)
// Solved children are never selected and stay in the means. One visit is one leaf with all its
// playouts. Interim move: greatest v + A / sqrt(n), A = 1. Draws count as the goal says.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <span>
#include <vector>

#include "host/numbers/natural_log.h"
#include "host/question/counters.h"
#include "host/question/search_options.h"
#include "host/tree/scheme.h"
#include "host/tree/tree.h"

namespace playproof {

struct MctsLabel {
  std::uint64_t reached = 0;  // playouts below this node in which the attacker reached the goal
  std::uint32_t visits = 0;   // leaves evaluated at or below this node
  std::uint32_t created = 0;  // children that exist, from the left
  bool operator==(const MctsLabel&) const = default;
};

struct MctsRule {
  enum class Form : std::uint8_t { kPure, kInside, kOutside };
  int playouts = 10;
  Form form = Form::kPure;
  double C = 2;

  double mean(const MctsLabel& n) const {
    return static_cast<double>(n.reached) / (static_cast<double>(n.visits) * playouts);
  }
  // Of a visited child i of a parent with ln n_p = log_parent.
  double score(bool or_node, double log_parent, const MctsLabel& i) const {
    const double v = or_node ? mean(i) : 1 - mean(i);
    const double n = i.visits;
    switch (form) {
      case Form::kInside:
        return v + std::sqrt(C * log_parent / n);
      case Form::kOutside:
        return v + C * std::sqrt(log_parent / n);
      default:
        return v;
    }
  }
  double interim(const MctsLabel& i) const {
    return mean(i) + 1 / std::sqrt(static_cast<double>(i.visits));
  }
};

template <AcyclicGame G>
class Mcts {
 public:
  using Label = MctsLabel;
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
        tree_(options.max_bytes) {
    tree_.add_node({}, unknown_, false);
    path_.push_back({0, true, position});
    counters_.nodes_created = 1;
  }

  // As BestFirst: selects and adds up to `batch` nodes; those to evaluate go to `requests`.
  std::uint32_t propose(std::uint32_t batch, std::vector<LeafRequest<G>>& requests) {
    std::uint32_t taken = 0;
    root_changed_ = false;
    while (taken < batch && stop_reason_ == StopReason::kRunning) {
      if (tree_.node(0).pending || !take_leaf(batch == 1, requests)) break;
      ++taken;
    }
    whole_ =
        stop_reason_ != StopReason::kMemory && (taken == 0 || stop_reason_ != StopReason::kNodes);
    return taken;
  }

  void absorb(std::span<const Tally> tallies) {
    for (std::size_t i = 0; i < tickets_.size(); ++i) {
      if (!tickets_[i].empty()) {
        path_.assign(tickets_[i].begin(), tickets_[i].end());
        for (const Step& step : path_) tree_.node(step.node).pending = false;
      }
      counters_.playouts += static_cast<std::uint64_t>(rule_.playouts);
      ++counters_.evaluations;
      back_up(static_cast<std::uint64_t>(reached(tallies[i], claim_)));
    }
    tickets_.clear();
  }

  StopReason stopped() const { return stop_reason_; }
  // As BestFirst. The memory limit may end an iteration half way down the tree.
  bool whole() const { return whole_; }
  template <class Archive>
  void serialize(Archive& archive) {
    archive(tree_, counters_, last_root_child_, stop_reason_);
    archive.check(counters_.of_tree(), "counts that a tree has none of");
    if constexpr (!Archive::kLoading) return;
    if (stop_reason_ != StopReason::kDecided) stop_reason_ = StopReason::kRunning;
    archive.check(counters_.max_depth <= G::kMaxPlies, "a depth that no game reaches");
    // Every descent begins at the root: all that is left of the old ones is how long the path was.
    while (path_.size() <= counters_.max_depth) path_.push_back(path_[0]);
    path_.resize(1, path_[0]);
  }
  bool label_stands(NodeIndex i, const State& /*state*/, std::uint32_t /*depth*/,
                    bool /*or_node*/) const {
    const auto& node = tree_.node(i);
    const auto children = tree_.children(node);
    std::uint64_t reached = 0;
    std::uint64_t visits = i == 0 ? 0 : 1;  // its own
    std::uint32_t created = 0;
    for (; created < node.edges && children.created(static_cast<int>(created)); ++created) {
      reached += children[static_cast<int>(created)].label.reached;
      visits += children[static_cast<int>(created)].label.visits;
    }
    const Label& label = node.label;
    return label.created == created && label.visits == visits && label.reached >= reached &&
           label.reached - reached <= (i == 0 ? 0 : static_cast<std::uint64_t>(rule_.playouts));
  }
  const Options& options() const { return options_; }
  Bounds bounds() const { return tree_.node(0).bounds; }
  Counters counters() const {
    Counters c = counters_;
    c.peak_bytes = tree_.used_bytes() + path_.capacity() * sizeof(Step);
    return c;
  }
  const Tree<Label>& tree() const { return tree_; }
  bool root_changed() const { return root_changed_; }
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
      if (!children.created(i) || !children[i].decided) ties.push_back(i);
    }
  }

 private:
  struct Step {
    NodeIndex node;
    bool or_node;
    State state;
  };

  bool take_leaf(bool single, std::vector<LeafRequest<G>>& requests) {
    if (!room_for(1, 0)) return false;  // before anything is counted
    path_.resize(1, path_[0]);
    while (true) {
      auto& node = tree_.node(path_.back().node);
      if (node.edges == 0 && !generate()) return false;
      if (node.label.created < node.edges) break;
      descend();
    }
    ++counters_.iterations;
    add_child();
    const Step& leaf = path_.back();
    if (tree_.node(leaf.node).decided) {
      const bool proved = tree_.node(leaf.node).bounds.proves(claim_.threshold);
      back_up(proved ? static_cast<std::uint64_t>(rule_.playouts) : 0);
      if (!single) close_ancestors();
      return true;
    }
    requests.push_back(
        {leaf.state, G::key(rules_, leaf.state), 0, static_cast<std::uint32_t>(rule_.playouts)});
    tickets_.emplace_back();
    if (!single) {
      tickets_.back() = path_;
      tree_.node(leaf.node).pending = true;
      close_ancestors();
    }
    return true;
  }

  // Writes the moves of the node at the end of the path, no child yet. False at the memory limit.
  bool generate() {
    const Step& step = path_.back();
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
    ++counters_.nodes_expanded;
    return true;
  }

  bool room_for(std::uint32_t nodes, std::uint32_t edges) {
    if (counters_.nodes_created + nodes > options_.max_nodes) {
      stop_reason_ = StopReason::kNodes;
    } else if (!tree_.has_room(nodes, edges)) {
      stop_reason_ = StopReason::kMemory;
    }
    return stop_reason_ == StopReason::kRunning;
  }

  // One step down, from a node whose children all exist.
  void descend() {
    const Step& step = path_.back();
    const auto& node = tree_.node(step.node);
    const auto children = tree_.children(node);
    const double log_parent =
        rule_.form == MctsRule::Form::kPure ? 0 : natural_log_of_count(node.label.visits);
    int best = -1;
    double best_score = 0;
    for (int i = 0; i < children.size(); ++i) {
      const auto& child = children[i];
      if (!child.open()) continue;
      const double score = rule_.score(step.or_node, log_parent, child.label);
      if (best < 0 || score > best_score) {
        best = i;
        best_score = score;
      }
    }
    ++counters_.re_entries;
    note_choice(node, best);
    enter(children.edge(best));
  }

  // Of a child of the node at the end of the path.
  void note_choice(const typename Tree<Label>::Node& parent, int chosen) {
    if (path_.size() == 1) {
      counters_.root_switches += last_root_child_ >= 0 && chosen != last_root_child_;
      last_root_child_ = chosen;
    }
    if (path_.size() <= kShallow + 1) counters_.shallow_switches += tree_.switches(parent, chosen);
    counters_.branch_switches += tree_.note_choice(parent, chosen);
  }

  void enter(const Edge& edge) {
    Step step{edge.node, true, path_.back().state};
    G::play(rules_, step.state, edge.move);
    step.or_node =
        !G::finished(rules_, step.state) && G::to_move(rules_, step.state) == claim_.attacker;
    path_.push_back(step);
  }

  // Creates the left-most missing child of the node at the end of the path and steps onto it.
  void add_child() {
    auto& parent = tree_.node(path_.back().node);
    note_choice(parent, static_cast<int>(parent.label.created));
    Edge& edge = tree_.edge(parent.first_edge + parent.label.created);
    ++parent.label.created;
    edge.node = tree_.add_node({}, unknown_, false);
    enter(edge);
    const Step& step = path_.back();
    if (G::finished(rules_, step.state)) {
      auto& child = tree_.node(step.node);
      child.bounds = Bounds::exact(value_for(claim_.attacker, G::value(rules_, step.state)));
      child.decided = true;
    }
    ++counters_.nodes_created;
    counters_.max_depth = std::max<std::uint64_t>(counters_.max_depth, path_.size() - 1);
  }

  // In a batch: a node without a child to add or to enter is closed until the tallies come.
  void close_ancestors() {
    for (std::size_t d = path_.size() - 1; d-- > 0;) {
      auto& node = tree_.node(path_[d].node);
      if (node.decided) continue;
      if (node.label.created < node.edges) return;
      const auto children = tree_.children(node);
      for (int i = 0; i < children.size(); ++i) {
        if (children[i].open()) return;
      }
      node.pending = true;
    }
  }

  // Adds one visit to every node of the path; proofs go up as far as they decide something.
  void back_up(std::uint64_t playouts_reached) {
    bool bounds_changed = true;
    for (std::size_t d = path_.size(); d-- > 0;) {
      auto& node = tree_.node(path_[d].node);
      node.label.visits += 1;
      node.label.reached += playouts_reached;
      ++counters_.node_visits;
      if (node.edges == 0 || node.decided || !bounds_changed) continue;
      const Bounds old = node.bounds;
      node.bounds = Bounds::both(old, back_up_bounds(path_[d].or_node, node));
      node.decided = node.bounds.decides(claim_.threshold);
      bounds_changed = node.bounds != old;
    }
    root_changed_ = true;
    if (tree_.node(0).decided) stop_reason_ = StopReason::kDecided;
  }

  // A child that does not exist yet may be worth anything.
  Bounds back_up_bounds(bool or_node, const typename Tree<Label>::Node& node) const {
    const auto children = tree_.children(node);
    const auto bounds_of = [&](int i) {
      return children.created(i) ? children[i].bounds : unknown_;
    };
    Bounds bounds = bounds_of(0);
    for (int i = 1; i < children.size(); ++i) {
      bounds = or_node ? Bounds::best(bounds, bounds_of(i)) : Bounds::worst(bounds, bounds_of(i));
    }
    return bounds;
  }

  Rules rules_;
  Claim claim_;
  MctsRule rule_;
  Options options_;
  Bounds unknown_;
  Tree<Label> tree_;
  std::vector<Step> path_;
  std::vector<std::vector<Step>> tickets_;  // paths of the leaves that wait; empty for a lone one
  int last_root_child_ = -1;
  bool root_changed_ = false;
  bool whole_ = true;
  StopReason stop_reason_ = StopReason::kRunning;
  Counters counters_;
};

}  // namespace playproof
