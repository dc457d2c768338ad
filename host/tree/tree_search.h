// A best-first search without its scheme (host/tree/best_first.h): what it asks about, with which
// limits; the structure of its tree and what stands beside it; its path, and the leaves that wait.
// Nothing here depends on labels, so it is compiled once a game and not once a scheme. What is done
// for every node, on the way down and up, is left to the search.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "host/knowledge/knowledge.h"
#include "host/knowledge/zone_loss.h"
#include "host/path/repetition.h"
#include "host/probe/leaf_probe.h"
#include "host/probe/tree_probes.h"
#include "host/question/counters.h"
#include "host/question/search_options.h"
#include "host/tree/counts.h"
#include "host/tree/descent.h"
#include "host/tree/tree.h"
#include "host/tree/tree_patterns.h"
#include "host/tree/tree_zones.h"
#include "host/tree/waiting.h"
#include "kernels/schemes/stop_rule.h"

namespace playproof {

template <Game G>
class TreeSearch {
  static_assert(Knowledge<G>::kReplies == ReplyKind::kAll,
                "it takes a node for lost with its children");

 public:
  using State = typename G::State;
  using Rules = typename G::Rules;
  using Step = playproof::Step<G>;
  struct Options : SearchOptions {
    StopRule stop = StopRule::kAllis;
    bool stay_on_path = false;  // ties: the previous path while tied, else the left-most
  };

  TreeSearch(const TreeSearch&) = delete;
  TreeSearch& operator=(const TreeSearch&) = delete;

  bool may_go_on(std::uint32_t batch) const { return in_batch_ > 0 && goes_on(batch); }
  // Where several batches may be out (SearchOptions::pipeline), the batch under way is one of them,
  // and the next propose() begins another. If it has leaves and none waits, it is over instead.
  void send() { waiting_.send(std::exchange(in_batch_, 0)); }
  // Batches that are out; behind them the one under way.
  std::size_t out() const { return waiting_.out(); }
  // Appends what batch i of these has asked for, once more.
  [[gnu::noinline]] void ask_again(std::size_t i, std::vector<LeafRequest<G>>& requests) const {
    for (const Way& way : waiting_.batch(i)) {
      const auto children = structure_.children(structure_.node(way.end().node));
      const auto put_off = this->put_off(way.end());
      for (int c = 0; c < children.size(); ++c) {
        if (!needs_playouts(children[c], children.edge(c), put_off)) continue;
        State state = way.end().state;
        G::play(rules_, state, children.edge(c).move);
        requests.push_back(request(state));
      }
    }
  }

  // What the next absorb() and propose() are likely to touch (host/drive/search.h): the path of
  // the last iteration, its nodes, their children.
  void prefetch(int step) const {
    const std::uint32_t last = std::max(descent_.depth(), descent_.previous());
    if (step == 1) prefetch_lines(&descent_[0], (last + 1) * sizeof(Step));
    for (std::uint32_t d = 0; step == 2 && d <= last; ++d) structure_.prefetch(descent_[d].node);
    for (std::uint32_t d = 0; step == 3 && d < last; ++d) {
      const auto before = static_cast<NodeIndex>(descent_[d].child);
      structure_.prefetch_children(descent_[d].node, descent_[d + 1].node - before);
    }
    if (step == 3) {  // of the leaf, the last ones created
      const NodeIndex leaf = descent_[last].node;
      structure_.prefetch_children(
          leaf, static_cast<NodeIndex>(structure_.nodes()) - structure_.node(leaf).edges);
    }
  }

  StopReason stopped() const { return stop_reason_; }
  // True between two batches, so that a search that is saved now goes on as if nothing had been. A
  // limit may cut a batch short: larger limits would have let its other leaves be selected first.
  // Where several batches may be out, they are saved, and so is one that was cut.
  bool resumable() const { return resumable_; }
  // Saves, or replaces everything by what was saved (host/archive/archive.h); between two batches.
  // What was loaded must be checked (host/tree/check.h) before the search goes on.
  template <class Archive>
  [[gnu::noinline]] void serialize(Archive& archive) {
    archive(structure_, counts_, stop_reason_);
    zones_.serialize(archive, structure_);
    patterns_.serialize(archive, structure_);
    if (Archive::kLoading && stop_reason_ != StopReason::kDecided) {
      stop_reason_ = StopReason::kRunning;  // the limits may be others now
    }
    serialize_path(archive, rules_, claim_.attacker, structure_, descent_, options_.stay_on_path);
    if (several()) {
      const bool ended = stop_reason_ == StopReason::kDecided;
      waiting_.serialize(archive, rules_, claim_.attacker, structure_, descent_[0], options_, ended,
                         &in_batch_);
    }
    if constexpr (Archive::kLoading) {
      const std::uint64_t used = structure_.used_bytes() + patterns_.used_bytes();
      zones_.expect_room(waiting_.steps(), options_.max_bytes - std::min(used, options_.max_bytes));
    }
  }
  // Leaves of batches that are out or under way, in ascending order.
  std::vector<NodeIndex> waiting() const { return waiting_.leaves(); }
  // Has it children, and no open one among them?
  bool closed(NodeIndex i) const { return structure_.is_closed(structure_.node(i)); }
  // Are the counts such as a search can have that has this tree?
  bool counts_stand() const { return counts_.stand(structure_, playouts_); }
  const Options& options() const { return options_; }
  Bounds bounds() const { return structure_.node(0).bounds; }
  Counters counters() const {
    Counters c = counts_.counters;
    c.peak_bytes = used_bytes() + descent_.bytes();
    return c;
  }
  const TreeZones<G>& zones() const { return zones_; }
  const TreePatterns<G>* patterns() const { return &patterns_; }
  // The bytes of the tree and of what is beside it: now, of a node with its edge and zone, and once
  // the node selected has children.
  std::uint64_t used_bytes() const {
    return structure_.used_bytes() + zones_.used_bytes() + patterns_.used_bytes();
  }
  std::uint64_t node_bytes() const {
    return structure_.node_bytes() + sizeof(Edge) + zones_.node_bytes();
  }
  std::uint64_t most_bytes(std::uint32_t children) const {
    return structure_.used_bytes() + children * (structure_.node_bytes() + sizeof(Edge)) +
           beside_tree(children);
  }
  const Claim& claim() const { return claim_; }
  // It leads from the root to the node selected.
  std::span<const Step> way() const { return descent_.steps(); }
  // Where positions can come again: those before the root of the next search, which ends a line
  // where it comes back to them, too.
  void give_past(std::span<const State> before) requires(!AcyclicGame<G>) {
    before_.assign(before.begin(), before.end());
  }
  // What it is worth to come from the node selected to a position that is there already, or was
  // before the root (host/path/repetition.h). Nothing: it is not there.
  std::optional<Bounds> repetition(const State& state) const requires(!AcyclicGame<G>) {
    const auto steps = descent_.steps();
    const bool again = std::any_of(steps.begin(), steps.end(),
                                   [&](const Step& step) { return step.state == state; }) ||
                       std::find(before_.begin(), before_.end(), state) != before_.end();
    if (!again) return std::nullopt;
    const Player mover = G::to_move(rules_, steps.back().state);
    const Value value = value_of_repetition(path_rule<G>(rules_), mover);
    return Bounds::exact(value_for(claim_.attacker, value));
  }
  // What decides leaves before they are searched.
  const TreeProbes<G>& probe() const { return probe_; }
  // Did the last propose() and absorb() change what root_ties() may answer?
  bool root_changed() const { return root_changed_; }
  void listen(SearchListener* listener) { counts_.listen(listener); }

 protected:
  using Way = Descent<G, Step>;

  // `structure` is that of the search's own tree; a leaf has so many `playouts`, 0: none.
  [[gnu::noinline]] TreeSearch(TreeStructure& structure, const Rules& rules, const State& position,
                               const Claim& claim, const Options& options, std::uint32_t playouts)
      : rules_(rules),
        claim_(claim),
        options_(options),
        unknown_(unknown_bounds<G>(rules, claim.attacker)),
        playouts_(playouts),
        structure_(structure),
        probe_(rules, options),
        zones_(rules, options),
        patterns_(rules, options),
        knowledge_(rules, options, Moment::kEntered),
        children_first_(probe_.has_knowledge() || patterns_.on() || knowledge_.any()),
        descent_({0, -1, true, position}) {}
  [[gnu::noinline]] ~TreeSearch();

  // Another search begins, from a tree without nodes.
  [[gnu::noinline]] void restart(const State& position, const Claim& claim, std::uint64_t max_nodes,
                                 std::uint64_t max_bytes) {
    claim_ = claim;
    options_.max_nodes = max_nodes;
    structure_.clear(max_bytes);
    zones_.clear();
    patterns_.clear();
    waits_ = false;
    waiting_.clear();
    in_batch_ = 0;
    root_changed_ = false;
    resumable_ = true;
    stop_reason_ = StopReason::kRunning;
    counts_.restart();
    counts_.created(1, 0);
    descent_ = Way({0, -1, G::to_move(rules_, position) == claim.attacker, position});
  }

  bool several() const { return options_.pipeline > 1; }
  // Nothing waits without playouts: a batch is then so many iterations one after the other.
  bool is_single(std::uint32_t batch) const { return (batch == 1 && !several()) || playouts_ == 0; }
  bool goes_on(std::uint32_t batch) const {
    return in_batch_ < batch && stop_reason_ == StopReason::kRunning && !structure_.node(0).pending;
  }
  bool room_for(std::uint32_t count) {
    if (counts_.counters.nodes_created + count > options_.max_nodes) {
      stop_reason_ = StopReason::kNodes;
    } else if (!zones_.has_room(count, open_nodes()) ||
               !structure_.has_room(count, count, beside_tree(count))) {
      stop_reason_ = StopReason::kMemory;
    }
    return stop_reason_ == StopReason::kRunning;
  }

  // The leaf at the end of the path, not the root, stays one, and is solved: its label is not yet
  // that of a solved node.
  void decide_leaf(const Bounds& bounds, const Zone<G>& zone) {
    const NodeIndex index = descent_.end().node;
    zones_.set(index, zone);
    auto& node = structure_.node(index);
    node.bounds = bounds;
    node.decided = true;
    counts_.decided(index, bounds);
  }
  // The moves that it gets children for, in their order: how many. None: it is decided without, and
  // its label is not yet that of a solved node. -1: a limit forbids children.
  [[gnu::noinline]] int candidates(Move* moves) {
    const Step& step = descent_.end();
    int count = G::moves(rules_, step.state, moves);
    if (!room_for(static_cast<std::uint32_t>(count))) return -1;
    if (is_decided_by_pattern() || is_decided_by_knowledge()) return 0;
    if (asks_knowledge(step)) count = knowledge_.replies(step.state, moves, count).steps;
    if (options_.random_order) {
      order_moves(options_, G::key(rules_, step.state), moves, count);
    }
    if (patterns_.on()) patterns_.find_refutations(step.state, &refutations_);
    return count;
  }
  // It has children now.
  void adopt(std::uint32_t first, int count) {
    const NodeIndex index = descent_.end().node;
    auto& node = structure_.node(index);
    node.first_edge = first;
    node.edges = static_cast<unsigned>(count) & kMaxEdges;
    counts_.created(count, descent_.depth() + 1);
    counts_.expanded(index);
  }
  // A new child that rules or probes decide, still without a label; kNoNode: they do not.
  [[gnu::noinline]] NodeIndex known_leaf(const State& state) {
    if (G::finished(rules_, state)) {
      const Value value = G::value(rules_, state);
      return add_known(state, Bounds::exact(value_for(claim_.attacker, value)), nullptr);
    }
    if (!probe_.applies_to(state)) return kNoNode;
    const ProbeAnswer<G> answer = ask(probe_, state, claim_);
    probe_.count(counts_.counters);
    if (!answer.bounds.decides(claim_.threshold)) return kNoNode;
    return add_known(state, answer.bounds, answer.has_zone() ? &answer.zone : nullptr);
  }
  // Does the child of the leaf at the end of the path stand on it already? Where positions can come
  // again, that ends the line, and it is decided (host/path/repetition.h).
  NodeIndex repeated_leaf(const State& state) {
    if constexpr (AcyclicGame<G>) {
      return kNoNode;
    } else {
      const auto bounds = repetition(state);
      return bounds ? add_known(state, *bounds, nullptr) : kNoNode;
    }
  }
  // Where probes know connections, or there are patterns, what is known of the children comes
  // first: a lost reply may decide its siblings, which need neither probes nor playouts. The same
  // of the child of a move; `outside`: the cells outside the zones of lost ones before it.
  [[gnu::noinline]] NodeIndex known_child(const State& state, const Step& parent, Move move,
                                          Zone<G>& outside) {
    if (zones_.has(outside, move)) return kNoNode;
    NodeIndex node = refuted_leaf(move);
    if (node == kNoNode) node = known_leaf(state);
    if (node != kNoNode && mover(parent.or_node).has_lost(structure_.node(node))) {
      zones_.add_outside(node, outside);
    }
    return node;
  }

  // Solves those of the children that lie outside the zone of a lost one: solved_, whose labels are
  // not yet those of solved nodes.
  void solve_outside(const Step& parent) {
    solved_.clear();
    zones_.prune(structure_, parent.node, mover(parent.or_node), &solved_);
    for (const NodeIndex index : solved_) {
      auto& child = structure_.node(index);
      // A leaf that waits still does.
      if (child.sleeps() || structure_.is_closed(child)) child.pending = false;
      counts_.decided(index, child.bounds);
    }
  }
  // The children of a node have decided it.
  [[gnu::noinline]] void note_decided(const Step& step) {
    const Bounds bounds = structure_.node(step.node).bounds;
    zones_.settle(structure_, step.node, mover(step.or_node),
                  [&](const auto& zones, const auto& replies) {
                    return asks_knowledge(step) ? knowledge_.zone_of_loss(step.state, zones)
                                                : playproof::zone_of_loss<G>(zones, replies);
                  });
    patterns_.add(step.node, step.state, winner(bounds), zones_.zone(step.node));
    counts_.decided(step.node, bounds);
  }

  bool asks_knowledge(const Step& step) const { return knowledge_.any() && step.node != 0; }
  // Replies that are put off until all others are lost: they sleep, with the numbers of lost ones,
  // and are not open.
  Zone<G> put_off(const Step& step) const {
    return asks_knowledge(step) ? knowledge_.put_off(step.state) : Zone<G>{};
  }
  // Are all others lost?
  bool is_to_wake(const Step& step) const {
    if (!asks_knowledge(step)) return false;
    const auto children = structure_.children(structure_.node(step.node));
    for (int i = 0; i < children.size(); ++i) {
      if (!children[i].decided && !children[i].sleeps()) return false;
    }
    return true;
  }
  // Does the child wait for playouts, where its parent puts these replies off?
  bool needs_playouts(const NodeLinks& child, const Edge& edge, const Zone<G>& put_off) const {
    return !child.decided && !zones_.has(put_off, edge.move);
  }
  LeafRequest<G> request(const State& state) const {
    return {state, {options_.seed, G::key(rules_, state)}, 0, playouts_};
  }

  // In a batch, a node whose open children all wait for playouts is closed until the tallies come,
  // so that the next descent goes elsewhere.
  void close_ancestors(const Way& way, std::uint32_t leaf_depth) {
    for (std::uint32_t d = leaf_depth; d-- > 0;) {
      auto& node = structure_.node(way[d].node);
      if (node.decided) continue;
      if (!structure_.is_closed(node)) return;
      node.pending = true;
    }
  }
  // When the tallies are there, others may still wait. Nodes on the way may be decided by now, and
  // those above them closed, though it is open below.
  void close_again(const Way& way, std::uint32_t leaf_depth) {
    for (std::uint32_t d = leaf_depth; d-- > 0;) {
      auto& node = structure_.node(way[d].node);
      if (!node.decided && structure_.is_closed(node)) node.pending = true;
    }
  }

  Mover mover(bool or_node) const { return {or_node, claim_.threshold}; }
  bool leaves_old_numbers() const { return playproof::leaves_old_numbers(options_.stop); }

  Rules rules_;
  Claim claim_;
  Options options_;
  Bounds unknown_;
  std::uint32_t playouts_;
  TreeStructure& structure_;
  TreeProbes<G> probe_;
  TreeZones<G> zones_;
  TreePatterns<G> patterns_;
  mutable Knowledge<G> knowledge_;  // asked about one position after the other
  bool children_first_;             // asked about, all of a leaf, before any of them gets numbers
  std::vector<typename TreePatterns<G>::Match> refutations_;  // of the leaf being expanded
  std::vector<NodeIndex> solved_;  // by siblings that have just been found lost
  Way descent_;                    // under way, or where the last one ended
  std::vector<State> before_;      // the root; where positions can come again
  bool waits_ = false;             // its leaf waits for tallies
  WaitingDescents<G, Step> waiting_;
  std::uint32_t in_batch_ = 0;  // leaves taken since the last absorb()
  bool root_changed_ = false;
  bool resumable_ = true;
  StopReason stop_reason_ = StopReason::kRunning;
  TreeCounts counts_;

 private:
  bool is_decided_by_pattern() {
    if (!patterns_.on() || descent_.depth() == 0) return false;
    typename TreePatterns<G>::Match match;
    if (!patterns_.is_decided(descent_.end().state, &match)) return false;
    cite(descent_.end().node, match);
    decide_leaf(won_by(patterns_.winner(match)), patterns_.zone(match));
    return true;
  }
  bool is_decided_by_knowledge() {
    if (!asks_knowledge(descent_.end())) return false;
    const auto known = knowledge_.judge(descent_.end().state, claim_);
    if (!known) return false;
    count_evidence(known->evidence, counts_.counters);
    decide_leaf(known->bounds, known->zone);
    return true;
  }
  void cite(NodeIndex leaf, const typename TreePatterns<G>::Match& match) {
    patterns_.cite(leaf, match);
    ++counts_.counters.pattern_hits;
  }
  NodeIndex add_decided(const Bounds& bounds) {
    zones_.add();
    return structure_.add_links(bounds, true);
  }
  // `zone`: null if it has none of its own.
  NodeIndex add_known(const State& state, const Bounds& known, const Zone<G>* zone) {
    const Bounds bounds = zones_.proved(known, claim_);
    const NodeIndex node = add_decided(bounds);
    if (zone != nullptr) {
      zones_.set(node, *zone);
    } else {
      zones_.set_leaf(node, state, winner(bounds));
    }
    counts_.decided(node, bounds);
    return node;
  }
  // Does one of the patterns that are known to answer these moves say that this one is lost?
  NodeIndex refuted_leaf(Move move) {
    const auto match = std::find_if(refutations_.begin(), refutations_.end(),
                                    [&](const auto& one) { return patterns_.refutes(one, move); });
    if (match == refutations_.end()) return kNoNode;
    const Bounds bounds = won_by(patterns_.winner(*match));
    const NodeIndex node = add_decided(bounds);
    zones_.set(node, patterns_.zone(*match));
    cite(node, *match);
    counts_.decided(node, bounds);
    return node;
  }

  // The bounds of what a pattern decides.
  Bounds won_by(Player winner) const {
    if constexpr (ConnectionGame<G>) return bounds_of<G>(rules_, winner, claim_);
    return unknown_;
  }
  Player winner(const Bounds& bounds) const {
    return bounds.proves(claim_.threshold) ? claim_.attacker : opponent(claim_.attacker);
  }

  // What zones and patterns take once the node selected has so many children.
  std::uint64_t beside_tree(std::uint32_t children) const {
    return zones_.most_bytes(children, open_nodes()) + patterns_.most_bytes(children);
  }
  // Those that may get zones before the next leaf is taken.
  std::uint64_t open_nodes() const { return waiting_.steps() + descent_.steps().size(); }
};

template <Game G>
TreeSearch<G>::~TreeSearch() = default;

}  // namespace playproof
