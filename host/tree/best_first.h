// Best-first proof search over AND/OR trees: select, expand, evaluate, back up (survey S2, sections
// 3.2 and 3.3; Allis, van der Meulen & van den Herik 1994). PN, DeepPN, MCPN and PPN are schemes of
// it (host/tree/scheme.h). A two-stroke engine: propose() selects and expands leaves and returns
// what must be evaluated; absorb() labels them and backs up. Whoever drives it owns the loop.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "host/probe/endings.h"
#include "host/probe/leaf_probe.h"
#include "host/question/counters.h"
#include "host/question/search_options.h"
#include "host/tree/scheme.h"
#include "host/tree/stop_rule.h"
#include "host/tree/tree.h"

namespace playproof {

template <Game G, Scheme S>
class BestFirst {
 public:
  using Label = typename S::Label;
  using State = typename G::State;
  using Rules = typename G::Rules;
  struct Options : SearchOptions {
    StopRule stop = StopRule::kAllis;
    bool stay_on_path = false;  // ties: the previous path while tied, else the left-most
  };

  // The position must not be finished.
  BestFirst(const Rules& rules, const State& position, const Claim& claim, S scheme,
            const Options& options)
      : rules_(rules),
        claim_(claim),
        scheme_(std::move(scheme)),
        options_(options),
        unknown_(unknown_bounds<G>(rules, claim.attacker)),
        probe_(rules, options.endings),
        tree_(options.max_bytes) {
    begin(position, claim, options.max_nodes, options.max_bytes);
  }
  // Searches another position, as a new search with these limits would. The attacker must be that
  // of the first one, and `max_bytes` not more.
  void begin(const State& position, const Claim& claim, std::uint64_t max_nodes,
             std::uint64_t max_bytes) {
    claim_ = claim;
    options_.max_nodes = max_nodes;
    tree_.clear(max_bytes);
    path_.clear();
    depth_ = 0;
    previous_depth_ = 0;
    last_root_child_ = -1;
    root_changed_ = false;
    whole_ = true;
    stop_reason_ = StopReason::kRunning;
    counters_ = {};
    Leaf root;
    root.or_node = G::to_move(rules_, position) == claim.attacker;
    if (scheme_.needs_mobility()) root.mobility = mobility(position);
    root.playouts = 1;
    root.reached = 0.5;  // the root is never chosen, so it needs no estimate
    tree_.add_node(scheme_.leaf(root), unknown_, false);
    path_.push_back({0, -1, root.or_node, position});
    counters_.nodes_created = 1;
  }

  // Selects and expands up to `batch` leaves and appends what must be evaluated to `requests`: all
  // children of a leaf in one run. Leaves that need no playouts are finished at once. Returns the
  // leaves taken; 0 when stopped() tells why.
  std::uint32_t propose(std::uint32_t batch, std::vector<LeafRequest<G>>& requests) {
    std::uint32_t taken = 0;
    root_changed_ = false;
    // Nothing waits without playouts: a batch is then so many iterations one after the other.
    const bool single = batch == 1 || !S::kPlayouts;
    while (taken < batch && stop_reason_ == StopReason::kRunning) {
      if (tree_.node(0).pending || !take_leaf(single, requests)) break;
      ++taken;
    }
    whole_ = single || taken == 0 || !cut_by_limit(stop_reason_);
    return taken;
  }

  // Labels the children of the leaves of the last propose(), in its order, and backs up.
  void absorb(std::span<const Tally> tallies) {
    std::size_t next = 0;
    for (const Ticket& ticket : tickets_) {
      next = label_children(ticket, tallies, next);
      const bool single = ticket.path.empty();
      if (!single) restore_path(ticket.path);
      back_up(single);
      if (!single) depth_ = 0;
    }
    tickets_.clear();
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
    Label label;    // of an open one
    Bounds bounds;  // those of every position unless they decide
  };
  MostProving most_proving() {
    descend();
    const Step& step = path_[depth_];
    return {&step.state, step.node, depth_, step.or_node};
  }
  // These are all children, or the last one decides the node. False if a limit forbids it.
  bool expand(std::span<const GivenChild> children) {
    const auto count = static_cast<std::uint32_t>(children.size());
    if (!room_for(count)) return false;
    const std::uint32_t first = tree_.add_edges(count);
    for (std::uint32_t i = 0; i < count; ++i) {
      const auto& [move, label, bounds] = children[i];
      const bool decides = bounds.decides(claim_.threshold);
      const Label& known = decides ? solved(bounds.proves(claim_.threshold)) : label;
      tree_.edge(first + i) = {tree_.add_node(known, bounds, decides), move};
    }
    adopt(first, count);
    settle();
    return true;
  }
  // It stays a leaf. Not for the root.
  void decide(const Bounds& bounds) {
    auto& node = tree_.node(path_[depth_].node);
    node.bounds = bounds;
    node.decided = true;
    node.label = solved(bounds.proves(claim_.threshold));
    --depth_;
    settle();
  }

  // What the next absorb() and propose() are likely to touch (host/solve/two_stroke.h): the path of
  // the last iteration, its nodes, their children.
  void prefetch(int step) const {
    const std::uint32_t last = std::max(depth_, previous_depth_);
    if (step == 1) prefetch_lines(path_.data(), (last + 1) * sizeof(Step));
    for (std::uint32_t d = 0; step == 2 && d <= last; ++d) tree_.prefetch(path_[d].node);
    for (std::uint32_t d = 0; step == 3 && d < last; ++d) {
      const auto before = static_cast<NodeIndex>(path_[d].child);
      tree_.prefetch_children(path_[d].node, path_[d + 1].node - before);
    }
    if (step == 3) {  // of the leaf, the last ones created
      const NodeIndex leaf = path_[last].node;
      tree_.prefetch_children(leaf, static_cast<NodeIndex>(tree_.nodes()) - tree_.node(leaf).edges);
    }
  }

  StopReason stopped() const { return stop_reason_; }
  // Between two batches, so that a search that is saved now goes on as if nothing had been. A limit
  // may cut a batch short: larger limits would have let its other leaves be selected first.
  bool whole() const { return whole_; }
  // Saves, or replaces everything by what was saved (host/archive/archive.h); between two batches.
  // What was loaded must be checked (host/tree/check.h) before the search goes on.
  template <class Archive>
  void serialize(Archive& archive) {
    archive(tree_, counters_, last_root_child_, stop_reason_);
    archive.check(counters_.of_tree(), "counts that a tree has none of");
    if (Archive::kLoading && stop_reason_ != StopReason::kDecided) {
      stop_reason_ = StopReason::kRunning;  // the limits may be others now
    }
    serialize_path(archive);
  }
  // Is the label of node i what its children, or its place as a leaf, say? `depth` and `or_node`
  // are those of its state.
  bool label_stands(NodeIndex i, const State& state, std::uint32_t depth, bool or_node) const {
    const auto& node = tree_.node(i);
    if (node.decided) return node.label == solved(node.bounds.proves(claim_.threshold));
    if (node.edges == 0) return leaf_label_stands(node.label, state, depth);
    const bool above = depth < depth_ && path_[depth].node == i;
    if (above && leaves_old_numbers()) return true;  // an update is to come
    Label label = node.label;
    scheme_.back_up(or_node, tree_.children(node), label);
    return label == node.label;
  }
  const Options& options() const { return options_; }
  Bounds bounds() const { return tree_.node(0).bounds; }
  Counters counters() const {
    Counters c = counters_;
    c.peak_bytes = tree_.used_bytes() + path_.capacity() * sizeof(Step);
    return c;
  }
  const Tree<Label>& tree() const { return tree_; }
  const S& scheme() const { return scheme_; }
  const Claim& claim() const { return claim_; }
  // What decides leaves before they are searched.
  const EndingProbe<G>& probe() const { return probe_; }

  // The child that the search would go on with, -1 if it has none.
  int preferred_child(NodeIndex node, bool or_node) const {
    return best_open_child(scheme_, or_node, tree_.children(tree_.node(node)));
  }
  // Did the last propose() and absorb() change what root_ties() may answer?
  bool root_changed() const { return root_changed_; }
  // The root children that the scheme prefers now (indices), all that tie.
  void root_ties(std::vector<int>& ties) const {
    ties.clear();
    const auto& root = tree_.node(0);
    const auto children = tree_.children(root);
    const int on_path = depth_ > 0 && leaves_old_numbers() ? path_[0].child : -1;
    const Label fresh = on_path >= 0 ? fresh_root_child() : Label{};
    const Label* best = nullptr;
    for (int i = 0; i < children.size(); ++i) {
      if (children[i].decided) continue;
      const Label& label = i == on_path ? fresh : children[i].label;
      if (best != nullptr && scheme_.prefers(true, *best, label)) continue;
      if (best != nullptr && scheme_.prefers(true, label, *best)) ties.clear();
      if (ties.empty()) best = &label;
      ties.push_back(i);
    }
  }

 private:
  struct Step {
    NodeIndex node;
    int child;  // the index of the child chosen here; -1 if none yet
    bool or_node;
    State state;
  };
  // An expanded leaf that waits for its tallies.
  struct Ticket {
    NodeIndex node;
    std::uint32_t depth;
    std::vector<Step> path;  // from the root to it; empty when the search itself waits there
  };

  bool take_leaf(bool single, std::vector<LeafRequest<G>>& requests) {
    descend();
    const std::size_t before = requests.size();
    if (!expand(requests)) return false;
    ++counters_.iterations;
    previous_depth_ = depth_;
    const std::uint32_t leaf_depth = depth_;
    if (requests.size() == before) {
      back_up(single);
      if (single) return true;
    } else {
      tickets_.push_back({path_[depth_].node, depth_, {}});
      if (single) return true;
      tickets_.back().path.assign(path_.begin(), path_.begin() + depth_ + 1);
      tree_.node(path_[depth_].node).pending = true;
    }
    close_ancestors(leaf_depth);
    depth_ = 0;
    return true;
  }

  // From path_[depth_] down to a leaf, by the scheme's preference.
  void descend() {
    while (true) {
      Step& step = path_[depth_];
      const auto& node = tree_.node(step.node);
      if (node.edges == 0) return;
      const auto children = tree_.children(node);
      const int chosen = select(step, children);
      if (depth_ == 0 && chosen != last_root_child_) {
        counters_.root_switches += last_root_child_ >= 0;
        last_root_child_ = chosen;
      }
      step.child = chosen;
      if (depth_ <= kShallow) counters_.shallow_switches += tree_.switches(node, chosen);
      counters_.branch_switches += tree_.note_choice(node, chosen);
      enter(children.edge(chosen));
    }
  }

  int select(const Step& step, const typename Tree<Label>::Children& children) const {
    const bool stay = options_.stay_on_path && depth_ < previous_depth_ &&
                      children[step.child].open();  // on the path of the last iteration
    return best_open_child(scheme_, step.or_node, children, stay ? step.child : -1);
  }

  // Goes one step down. A state that the path still holds from before need not be replayed.
  void enter(const Edge& edge) {
    ++depth_;
    if (depth_ == path_.size()) path_.push_back({kNoNode, -1, true, path_[depth_ - 1].state});
    Step& step = path_[depth_];
    if (step.node != edge.node) {
      previous_depth_ = std::min(previous_depth_, depth_);
      step.node = edge.node;
      step.child = -1;
      step.state = path_[depth_ - 1].state;
      G::play(rules_, step.state, edge.move);
      step.or_node = G::to_move(rules_, step.state) == claim_.attacker;
    }
    counters_.re_entries += tree_.node(edge.node).edges != 0;
  }

  // Creates the children of the leaf at the end of the path. False if a limit forbids it.
  bool expand(std::vector<LeafRequest<G>>& requests) {
    const Step& step = path_[depth_];
    Move moves[G::kMaxMoves];
    const int count = G::moves(rules_, step.state, moves);
    if (!room_for(static_cast<std::uint32_t>(count))) return false;
    if (options_.random_order) {
      order_moves(options_, G::key(rules_, step.state), moves, count);
    }
    const std::size_t before = requests.size();
    const std::uint32_t first = tree_.add_edges(static_cast<std::uint32_t>(count));
    int made = 0;
    bool broke = false;
    while (made < count && !broke) {
      broke = add_child(step, first, made, moves[made], requests) && options_.early_break;
      ++made;
    }
    if (broke) requests.resize(before);  // the node is decided: nobody asks about the others
    adopt(first, static_cast<std::uint32_t>(made));
    return true;
  }
  // The leaf at the end of the path has children now.
  void adopt(std::uint32_t first, std::uint32_t count) {
    auto& node = tree_.node(path_[depth_].node);
    node.first_edge = first;
    node.edges = count & kMaxEdges;
    counters_.nodes_created += count;
    ++counters_.nodes_expanded;
    counters_.max_depth = std::max<std::uint64_t>(counters_.max_depth, depth_ + 1);
  }
  // Ends an iteration in steps.
  void settle() {
    ++counters_.iterations;
    previous_depth_ = depth_;
    root_changed_ = false;
    back_up(true);
  }

  bool room_for(std::uint32_t count) {
    if (counters_.nodes_created + count > options_.max_nodes) {
      stop_reason_ = StopReason::kNodes;
    } else if (!tree_.has_room(count, count)) {
      stop_reason_ = StopReason::kMemory;
    }
    return stop_reason_ == StopReason::kRunning;
  }

  // The way of a new child.
  struct NewLeaf {
    BestFirst& search;
    const State& state;
    std::vector<LeafRequest<G>>& requests;
    NodeIndex node = kNoNode;

    bool by_rules() {
      if (!G::finished(search.rules_, state)) return false;
      const Value value = G::value(search.rules_, state);
      return decided(Bounds::exact(value_for(search.claim_.attacker, value)));
    }
    bool by_probe() {
      if (!search.probe_.takes(state)) return false;
      const Bounds bounds = ask(search.probe_, state, search.claim_).bounds;
      search.probe_.count(search.counters_);
      return bounds.decides(search.claim_.threshold) && decided(bounds);
    }
    bool by_playouts() {
      if constexpr (S::kPlayouts) {
        requests.push_back({state, G::key(search.rules_, state), 0,
                            static_cast<std::uint32_t>(search.scheme_.playouts)});
        open(search.scheme_.disproved());  // until its tally is absorbed
      }
      return S::kPlayouts;
    }
    void by_number() { open(search.leaf_label(state, search.depth_ + 1)); }

   private:
    bool decided(const Bounds& bounds) {
      const bool proved = bounds.proves(search.claim_.threshold);
      node = search.tree_.add_node(search.solved(proved), bounds, true);
      return true;
    }
    void open(const Label& label) { node = search.tree_.add_node(label, search.unknown_, false); }
  };

  // True if the child decides its parent.
  bool add_child(const Step& parent, std::uint32_t first, int i, Move move,
                 std::vector<LeafRequest<G>>& requests) {
    State state = parent.state;
    G::play(rules_, state, move);
    NewLeaf leaf{*this, state, requests};
    leaf_way(leaf);
    tree_.edge(first + static_cast<std::uint32_t>(i)) = {leaf.node, move};
    const auto& child = tree_.node(leaf.node);
    return child.decided && child.bounds.proves(claim_.threshold) == parent.or_node;
  }

  Label solved(bool proved) const { return proved ? scheme_.proved() : scheme_.disproved(); }

  // Of a leaf without playouts, `depth` plies below the root.
  Label leaf_label(const State& state, std::uint32_t depth) const {
    return scheme_.leaf(leaf_at(state, depth));
  }
  // Where a leaf stands, as far as the scheme asks.
  Leaf leaf_at(const State& state, std::uint32_t depth) const {
    Leaf leaf;
    leaf.depth = depth;
    if (scheme_.needs_mobility()) {
      leaf.or_node = G::to_move(rules_, state) == claim_.attacker;
      leaf.mobility = mobility(state);
    }
    return leaf;
  }

  int mobility(const State& state) const {
    Move moves[G::kMaxMoves];
    return G::moves(rules_, state, moves);
  }

  // In a batch, a node whose open children all wait for playouts is closed until the tallies come,
  // so that the next descent goes elsewhere.
  void close_ancestors(std::uint32_t leaf_depth) {
    for (std::uint32_t d = leaf_depth; d-- > 0;) {
      auto& node = tree_.node(path_[d].node);
      if (node.decided) continue;
      const auto children = tree_.children(node);
      for (int i = 0; i < children.size(); ++i) {
        if (children[i].open()) return;
      }
      node.pending = true;
    }
  }

  std::size_t label_children(const Ticket& ticket, std::span<const Tally> tallies,
                             std::size_t next) {
    if constexpr (S::kPlayouts) {
      const auto& node = tree_.node(ticket.node);
      const State& position = ticket.path.empty() ? path_[depth_].state : ticket.path.back().state;
      for (std::uint32_t i = 0; i < node.edges; ++i) {
        const Edge& edge = tree_.edge(node.first_edge + i);
        auto& child = tree_.node(edge.node);
        if (child.decided) continue;
        State state = position;
        if (scheme_.needs_mobility()) G::play(rules_, state, edge.move);
        Leaf leaf = leaf_at(state, ticket.depth + 1);
        leaf.reached = reached(tallies[next++], claim_);
        leaf.playouts = scheme_.playouts;
        child.label = scheme_.leaf(leaf);
        counters_.playouts += static_cast<std::uint64_t>(scheme_.playouts);
        ++counters_.evaluations;
      }
    }
    return next;
  }

  void restore_path(const std::vector<Step>& path) {
    std::copy(path.begin(), path.end(), path_.begin());
    depth_ = static_cast<std::uint32_t>(path.size() - 1);
    previous_depth_ = depth_;  // a later leaf of the batch may have needed no playouts
    for (const Step& step : path) tree_.node(step.node).pending = false;
  }

  // Recomputes the nodes of the path from its end upwards, until the stop rule holds. The rules
  // that leave old numbers above need a search that resumes where the update ended; in a batch it
  // begins at the root again, and the update ends where nothing changes.
  void back_up(bool resumes) {
    bool bounds_changed = true;
    while (true) {
      auto& node = tree_.node(path_[depth_].node);
      const Label old_label = node.label;
      const Bounds old_bounds = node.bounds;
      update(node, path_[depth_].or_node, bounds_changed);
      bounds_changed = node.bounds != old_bounds;
      ++counters_.node_visits;
      if (depth_ <= 1 || leaves_old_numbers()) root_changed_ = true;
      if (depth_ == 0) break;
      if (!node.decided && !bounds_changed && may_stop(node.label, old_label, resumes)) break;
      --depth_;
    }
    if (tree_.node(0).decided) stop_reason_ = StopReason::kDecided;
  }

  void update(typename Tree<Label>::Node& node, bool or_node, bool bounds_changed) {
    if (node.decided) return;  // by another leaf of the same batch
    const auto children = tree_.children(node);
    if (bounds_changed) {
      node.bounds = Bounds::both(node.bounds, back_up_bounds(or_node, children));
      if (node.bounds.decides(claim_.threshold)) {
        node.decided = true;
        node.label = solved(node.bounds.proves(claim_.threshold));
        return;
      }
    }
    scheme_.back_up(or_node, children, node.label);
  }

  // Children that early break left unborn may be anything; then only the deciding side counts.
  Bounds back_up_bounds(bool or_node, const typename Tree<Label>::Children& children) const {
    Bounds bounds = children[0].bounds;
    for (int i = 1; i < children.size(); ++i) {
      bounds = or_node ? Bounds::best(bounds, children[i].bounds)
                       : Bounds::worst(bounds, children[i].bounds);
    }
    const auto& last = children[children.size() - 1];
    const bool broke = options_.early_break && last.decided && last.edges == 0 &&
                       last.bounds.proves(claim_.threshold) == or_node;
    if (!broke) return bounds;
    return or_node ? Bounds::best(bounds, Bounds::unknown(bounds.lower(), unknown_.upper()))
                   : Bounds::worst(bounds, Bounds::unknown(unknown_.lower(), bounds.upper()));
  }

  bool may_stop(const Label& now, const Label& old, bool resumes) const {
    const Step& above = path_[depth_ - 1];
    const StopRule rule = !resumes && leaves_old_numbers() ? StopRule::kAllis : options_.stop;
    return playproof::may_stop(rule, now, old, tree_.node(above.node).label, above.or_node);
  }

  // Of the path, what the next descent can still see: the choices down to the node where it begins
  // or, where ties stay on it, down to the last leaf. States follow from the moves.
  template <class Archive>
  void serialize_path(Archive& archive) {
    auto entries = static_cast<std::uint32_t>(path_.size());  // how many it once had: memory counts
    std::uint32_t used = options_.stay_on_path ? std::max(depth_, previous_depth_) : depth_;
    std::uint32_t previous = std::min(previous_depth_, used);
    archive(entries, used, depth_, previous);
    archive.check(
        depth_ <= used && previous <= used && used < entries && entries <= G::kMaxPlies + 1u,
        "a path of a wrong length");
    if constexpr (Archive::kLoading) {
      path_.resize(1);
      previous_depth_ = previous;
    }
    for (std::uint32_t d = 0; d < used; ++d) {
      archive(path_[d].child);
      if constexpr (Archive::kLoading) load_step(archive, d);
    }
    if constexpr (!Archive::kLoading) return;
    archive.check(path_[used].node < tree_.nodes(), "a path to no node");
    while (path_.size() < entries) path_.push_back({kNoNode, -1, true, path_[0].state});
  }
  // Goes from path_[d] to the child that it names.
  template <class Archive>
  void load_step(Archive& archive, std::uint32_t d) {
    Step& step = path_[d];
    archive.check(step.node < tree_.nodes(), "a path through no node");
    const auto& node = tree_.node(step.node);
    archive.check(step.child >= 0 && step.child < node.edges &&
                      std::uint64_t{node.first_edge} + node.edges <= tree_.edges(),
                  "a path through no child");
    const Edge edge = tree_.children(node).edge(step.child);
    archive.check(is_legal(step.state, edge.move), "a path with an illegal move");
    Step next{edge.node, -1, true, step.state};
    G::play(rules_, next.state, edge.move);
    next.or_node = G::to_move(rules_, next.state) == claim_.attacker;
    path_.push_back(next);
  }
  bool is_legal(const State& state, Move move) const {
    if (G::finished(rules_, state)) return false;
    Move moves[G::kMaxMoves];
    Move* end = moves + G::moves(rules_, state, moves);
    return std::find(moves, end, move) != end;
  }

  bool leaf_label_stands(const Label& label, const State& state, std::uint32_t depth) const {
    if constexpr (S::kPlayouts) {
      // After an early break siblings keep the label they had before any playout.
      return scheme_.possible(label, leaf_at(state, depth)) || label == scheme_.disproved();
    } else {
      return label == leaf_label(state, depth);
    }
  }

  bool leaves_old_numbers() const { return playproof::leaves_old_numbers(options_.stop); }

  // After an early stop the numbers above the path's end are old. What the root child on the path
  // would show after a full update, without changing the tree.
  Label fresh_root_child() const {
    Label label = tree_.node(path_[depth_].node).label;
    for (std::uint32_t d = depth_ - 1; d >= 1; --d) {
      const auto& node = tree_.node(path_[d].node);
      const Override view{tree_.children(node), path_[d].child, label};
      Label up = node.label;
      scheme_.back_up(path_[d].or_node, view, up);
      label = up;
    }
    return label;
  }
  // Children with one label replaced.
  struct Override {
    typename Tree<Label>::Children children;
    int replaced;
    Label label;
    int size() const { return children.size(); }
    typename Tree<Label>::Node operator[](int i) const {
      auto node = children[i];
      if (i == replaced) node.label = label;
      return node;
    }
  };

  Rules rules_;
  Claim claim_;
  S scheme_;
  Options options_;
  Bounds unknown_;
  EndingProbe<G> probe_;
  Tree<Label> tree_;
  std::vector<Step> path_;  // entries beyond depth_ are old and may still be used by enter()
  std::uint32_t depth_ = 0;
  std::uint32_t previous_depth_ = 0;  // down to here the path is that of the last iteration
  std::vector<Ticket> tickets_;
  int last_root_child_ = -1;
  bool root_changed_ = false;
  bool whole_ = true;
  StopReason stop_reason_ = StopReason::kRunning;
  Counters counters_;
};

}  // namespace playproof
