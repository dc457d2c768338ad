// Best-first proof search over AND/OR trees: select, expand, evaluate, back up (survey S2, sections
// 3.2 and 3.3; Allis, van der Meulen & van den Herik 1994). PN, DeepPN, MCPN and PPN are schemes of
// it (kernels/schemes). A two-stroke engine: propose() selects and expands leaves and returns what
// must be evaluated; absorb() labels them and backs up. Whoever drives it owns the loop.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "host/probe/leaf_probe.h"
#include "host/probe/leaf_probes.h"
#include "host/question/counters.h"
#include "host/question/search_options.h"
#include "host/tree/counts.h"
#include "host/tree/descent.h"
#include "host/tree/must_play.h"
#include "host/tree/replaced_label.h"
#include "host/tree/tree.h"
#include "host/tree/tree_patterns.h"
#include "host/tree/tree_zones.h"
#include "host/tree/waiting.h"
#include "kernels/schemes/child_bounds.h"
#include "kernels/schemes/leaf_at.h"
#include "kernels/schemes/scheme.h"
#include "kernels/schemes/stop_rule.h"

namespace playproof {

template <AcyclicGame G, Scheme S>
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
        probe_(rules, options),
        tree_(options.max_bytes),
        zones_(rules, options),
        patterns_(rules, options),
        must_play_(rules, options),
        looks_(probe_.has_connections() || patterns_.on() || must_play_.on()),
        descent_({0, -1, true, position}) {
    begin(position, claim, options.max_nodes, options.max_bytes);
  }
  // Searches another position, as a new search with these limits would. The attacker must be that
  // of the first one, and `max_bytes` not more.
  void begin(const State& position, const Claim& claim, std::uint64_t max_nodes,
             std::uint64_t max_bytes) {
    claim_ = claim;
    options_.max_nodes = max_nodes;
    tree_.clear(max_bytes);
    zones_.clear();
    patterns_.clear();
    waits_ = false;
    waiting_.clear();
    in_batch_ = 0;
    root_changed_ = false;
    whole_ = true;
    stop_reason_ = StopReason::kRunning;
    counts_.restart();
    Leaf root = leaf_at(position, 0);
    root.or_node = G::to_move(rules_, position) == claim.attacker;
    root.playouts = 1;
    root.reached = 0.5;  // the root is never chosen, so it needs no estimate
    add_node(scheme_.leaf(root), unknown_, false);
    counts_.created(1, 0);
    descent_ = Way({0, -1, root.or_node, position});
  }

  // Selects and expands up to `batch` leaves and appends what must be evaluated to `requests`: all
  // children of a leaf in one run. Leaves that need no playouts are finished at once. Returns the
  // leaves taken; 0 when stopped() tells why. With `part` < batch it takes so many of them; the
  // others are taken by more such calls, as long as more() says that there are any, then absorbed
  // all together. The parts change no count.
  std::uint32_t propose(std::uint32_t batch, std::vector<LeafRequest<G>>& requests,
                        std::uint32_t part = kAllLeaves) {
    if (in_batch_ == 0) root_changed_ = false;
    const bool single = is_single(batch);
    std::uint32_t taken = 0;
    while (taken < part && goes_on(batch) && take_leaf(single, requests)) {
      ++taken;
      ++in_batch_;
    }
    whole_ = single || several() || in_batch_ == 0 || !cut_by_limit(stop_reason_);
    return taken;
  }
  bool more(std::uint32_t batch) const { return in_batch_ > 0 && goes_on(batch); }
  // Where several batches may be out (SearchOptions::pipeline): the batch under way is one of them,
  // and the next propose() begins another. If it has leaves and none waits, it is over instead.
  void send() { waiting_.send(std::exchange(in_batch_, 0)); }
  // Batches that are out; behind them the one under way.
  std::size_t out() const { return waiting_.out(); }
  // Appends what batch i of these has asked for, once more.
  void ask_again(std::size_t i, std::vector<LeafRequest<G>>& requests) const {
    for (const Way& way : waiting_.batch(i)) {
      const auto children = tree_.children(tree_.node(way.end().node));
      const auto put_off = this->put_off(way.end());
      for (int c = 0; c < children.size(); ++c) {
        if (!needs_playouts(children[c], children.edge(c), put_off)) continue;
        State state = way.end().state;
        G::play(rules_, state, children.edge(c).move);
        requests.push_back(request(state));
      }
    }
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
      if (several()) close_again(way, leaf_depth);
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
    if (!room_for(count)) return false;
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
    adopt(first, static_cast<int>(count));
    settle();
    return true;
  }
  // It stays a leaf. Not for the root. False as above.
  bool decide(const Bounds& bounds, const Zone<G>& zone) {
    if (!room_for(0)) return false;
    decide_leaf(bounds, zone);
    settle();
    return true;
  }

  // What the next absorb() and propose() are likely to touch (host/drive/search.h): the path of
  // the last iteration, its nodes, their children.
  void prefetch(int step) const {
    const std::uint32_t last = std::max(descent_.depth(), descent_.previous());
    if (step == 1) prefetch_lines(&descent_[0], (last + 1) * sizeof(Step));
    for (std::uint32_t d = 0; step == 2 && d <= last; ++d) tree_.prefetch(descent_[d].node);
    for (std::uint32_t d = 0; step == 3 && d < last; ++d) {
      const auto before = static_cast<NodeIndex>(descent_[d].child);
      tree_.prefetch_children(descent_[d].node, descent_[d + 1].node - before);
    }
    if (step == 3) {  // of the leaf, the last ones created
      const NodeIndex leaf = descent_[last].node;
      tree_.prefetch_children(leaf, static_cast<NodeIndex>(tree_.nodes()) - tree_.node(leaf).edges);
    }
  }

  StopReason stopped() const { return stop_reason_; }
  // Between two batches, so that a search that is saved now goes on as if nothing had been. A limit
  // may cut a batch short: larger limits would have let its other leaves be selected first. Where
  // several batches may be out, they are saved, and so is one that was cut.
  bool whole() const { return whole_; }
  // Saves, or replaces everything by what was saved (host/archive/archive.h); between two batches.
  // What was loaded must be checked (host/tree/check.h) before the search goes on.
  template <class Archive>
  void serialize(Archive& archive) {
    archive(tree_, counts_, stop_reason_);
    zones_.serialize(archive, tree_);
    patterns_.serialize(archive, tree_);
    if (Archive::kLoading && stop_reason_ != StopReason::kDecided) {
      stop_reason_ = StopReason::kRunning;  // the limits may be others now
    }
    serialize_path(archive, rules_, claim_.attacker, tree_, descent_, options_.stay_on_path);
    if (several()) {
      const bool ended = stop_reason_ == StopReason::kDecided;
      waiting_.serialize(archive, rules_, claim_.attacker, tree_, descent_[0], options_, ended,
                         &in_batch_);
    }
    if constexpr (Archive::kLoading) {
      const std::uint64_t used = tree_.used_bytes() + patterns_.used_bytes();
      zones_.expect_room(waiting_.steps(), options_.max_bytes - std::min(used, options_.max_bytes));
    }
  }
  // Leaves of batches that are out or under way, in ascending order.
  std::vector<NodeIndex> waiting() const { return waiting_.leaves(); }
  // Has it children, and no open one among them?
  bool closed(NodeIndex i) const { return is_closed(tree_.node(i)); }
  // Is the label of node i what its children, or its place as a leaf, say? `depth` and `or_node`
  // are those of its state.
  bool label_stands(NodeIndex i, const State& state, std::uint32_t depth, bool or_node) const {
    const auto& node = tree_.node(i);
    if (node.sleeps()) return false;  // what waits for playouts has children
    if (node.decided) return node.label == solved(node.bounds.proves(claim_.threshold));
    if (node.edges == 0) return leaf_label_stands(node.label, state, depth);
    if (node.pending && !is_closed(node)) return waiting_label_stands(node, state, depth);
    const bool above = depth < descent_.depth() && descent_[depth].node == i;  // updated later
    if (above && leaves_old_numbers() && is_single(options_.batch)) return true;
    Label label = node.label;
    scheme_.back_up(or_node, tree_.children(node), label);
    return label == node.label;
  }
  // Are the counts such as a search can have that has this tree?
  bool counts_stand() const { return counts_.stand(tree_, playouts()); }
  // Of a leaf that is put off by its parent, which is an `or_node` or not (host/tree/must_play.h):
  // is its label that of a lost reply?
  bool sleeping_label_stands(NodeIndex i, bool or_node) const {
    return tree_.node(i).label == solved(!or_node);
  }
  const Options& options() const { return options_; }
  Bounds bounds() const { return tree_.node(0).bounds; }
  Counters counters() const {
    Counters c = counts_.counters;
    c.peak_bytes = used_bytes() + descent_.bytes();
    return c;
  }
  const Tree<Label>& tree() const { return tree_; }
  const TreeZones<G>& zones() const { return zones_; }
  const TreePatterns<G>* patterns() const { return &patterns_; }
  // Of the tree and what is beside it: now, a node with its edge and zone, and once the node
  // selected has children.
  std::uint64_t used_bytes() const {
    return tree_.used_bytes() + zones_.used_bytes() + patterns_.used_bytes();
  }
  std::uint64_t node_bytes() const {
    return sizeof(Node<Label>) + sizeof(Edge) + zones_.node_bytes();
  }
  std::uint64_t most_bytes(std::uint32_t children) const {
    return tree_.used_bytes() + children * (sizeof(Node<Label>) + sizeof(Edge)) +
           beside_tree(children);
  }
  const S& scheme() const { return scheme_; }
  const Claim& claim() const { return claim_; }
  // What decides leaves before they are searched.
  const LeafProbes<G>& probe() const { return probe_; }

  // The child that the search would go on with, -1 if it has none.
  int preferred_child(NodeIndex node, bool or_node) const {
    return best_open_child(scheme_, or_node, tree_.children(tree_.node(node)));
  }
  // Did the last propose() and absorb() change what root_ties() may answer?
  bool root_changed() const { return root_changed_; }
  void listen(SearchListener* listener) { counts_.listen(listener); }
  // The root children that the scheme prefers now (indices), all that tie.
  void root_ties(std::vector<int>& ties) const {
    ties.clear();
    const auto& root = tree_.node(0);
    const auto children = tree_.children(root);
    const int on_path = descent_.depth() > 0 && leaves_old_numbers() ? descent_[0].child : -1;
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
  using Way = Descent<G, Step>;

  bool several() const { return options_.pipeline > 1; }
  // Nothing waits without playouts: a batch is then so many iterations one after the other.
  bool is_single(std::uint32_t batch) const { return (batch == 1 && !several()) || !S::kPlayouts; }
  bool goes_on(std::uint32_t batch) const {
    return in_batch_ < batch && stop_reason_ == StopReason::kRunning && !tree_.node(0).pending;
  }
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
    close_ancestors(descent_, leaf_depth);
    descent_.to_root();
    return true;
  }

  // To a leaf, by the scheme's preference.
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

  // Creates the children of the leaf at the end of the path, or goes up again because a pattern
  // decides it. False if a limit forbids it.
  bool expand(std::vector<LeafRequest<G>>& requests) {
    const Step& step = descent_.end();
    Move moves[G::kMaxMoves];
    int count = G::moves(rules_, step.state, moves);
    if (!room_for(static_cast<std::uint32_t>(count))) return false;
    if (is_decided_by_pattern() || is_decided_by_cells()) return true;
    if (asks(step)) count = must_play_.keep(step.state, moves, count);
    if (options_.random_order) {
      order_moves(options_, G::key(rules_, step.state), moves, count);
    }
    const std::size_t before = requests.size();
    const std::uint32_t first = tree_.add_edges(static_cast<std::uint32_t>(count));
    int made = 0;
    bool broke = false;
    Known known;
    if (patterns_.on()) patterns_.find_refutations(step.state, &refutations_);
    while (made < count && !broke) {
      broke = add_child(step, first, made, moves[made], requests, known) && options_.early_break;
      ++made;
    }
    adopt(first, made);
    if (looks_) estimate_must_play(step, requests);
    if (broke) requests.resize(before);  // the node is decided: nobody asks about the others
    return true;
  }
  // Then the leaf cites it, and the path ends above.
  bool is_decided_by_pattern() {
    if (!patterns_.on() || descent_.depth() == 0) return false;
    typename TreePatterns<G>::Match match;
    if (!patterns_.is_decided(descent_.end().state, &match)) return false;
    cite(descent_.end().node, match);
    decide_leaf(won_by(patterns_.winner(match)), patterns_.zone(match));
    return true;
  }
  // Likewise by what its cells say.
  bool is_decided_by_cells() {
    if (!asks(descent_.end()) || !must_play_.decides(descent_.end().state)) return false;
    counts_.counters.connections += must_play_.by_connection();
    decide_leaf(won_by(must_play_.winner()), must_play_.zone());
    return true;
  }
  bool asks(const Step& step) const { return must_play_.on() && step.node != 0; }
  // Replies that are put off until all others are lost: they sleep, with the numbers of lost ones,
  // and are not open.
  Zone<G> put_off(const Step& step) const {
    return asks(step) ? must_play_.put_off(step.state) : Zone<G>{};
  }
  void wake(const Step& step, std::uint32_t depth) {
    if (!asks(step)) return;
    const auto children = tree_.children(tree_.node(step.node));
    for (int i = 0; i < children.size(); ++i) {
      if (!children[i].decided && !children[i].sleeps()) return;
    }
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
  void cite(NodeIndex leaf, const typename TreePatterns<G>::Match& match) {
    patterns_.cite(leaf, match);
    ++counts_.counters.pattern_hits;
  }
  // The leaf at the end of the path, not the root, stays one.
  void decide_leaf(const Bounds& bounds, const Zone<G>& zone) {
    const NodeIndex index = descent_.end().node;
    zones_.set(index, zone);
    auto& node = tree_.node(index);
    node.bounds = bounds;
    node.decided = true;
    node.label = solved(bounds.proves(claim_.threshold));
    counts_.decided(index, bounds);
    descent_.up();
  }
  // In games without draws, so that it decides the same way whatever may be missing beside it.
  Bounds won_by(Player winner) const {
    return Bounds::exact(winner == claim_.attacker ? Value{1} : Value{-1});
  }
  // The leaf at the end of the path has children now.
  void adopt(std::uint32_t first, int count) {
    const NodeIndex index = descent_.end().node;
    auto& node = tree_.node(index);
    node.first_edge = first;
    node.edges = static_cast<unsigned>(count) & kMaxEdges;
    counts_.created(count, descent_.depth() + 1);
    counts_.expanded(index);
  }
  // Ends an iteration in steps.
  void settle() {
    counts_.iteration();
    descent_.end_iteration();
    root_changed_ = false;
    back_up(descent_, true);
  }

  bool room_for(std::uint32_t count) {
    if (counts_.counters.nodes_created + count > options_.max_nodes) {
      stop_reason_ = StopReason::kNodes;
    } else if (!zones_.has_room(count, open_nodes()) ||
               !tree_.has_room(count, count, beside_tree(count))) {
      stop_reason_ = StopReason::kMemory;
    }
    return stop_reason_ == StopReason::kRunning;
  }

  // What zones and patterns take once the node selected has so many children.
  std::uint64_t beside_tree(std::uint32_t children) const {
    return zones_.most_bytes(children, open_nodes()) + patterns_.most_bytes(children);
  }
  // Those that may get zones before the next leaf is taken.
  std::uint64_t open_nodes() const { return waiting_.steps() + descent_.steps().size(); }

  NodeIndex add_node(const Label& label, const Bounds& bounds, bool decided) {
    zones_.add();
    return tree_.add_node(label, bounds, decided);
  }
  Mover mover(bool or_node) const { return {or_node, claim_.threshold}; }

  // The way of a new child.
  struct NewLeaf {
    BestFirst& search;
    const State& state;
    std::vector<LeafRequest<G>>& requests;
    NodeIndex node = kNoNode;  // its own, once there is one

    bool by_rules() {
      if (!G::finished(search.rules_, state)) return false;
      const Value value = G::value(search.rules_, state);
      return decided(Bounds::exact(value_for(search.claim_.attacker, value)));
    }
    bool by_probe() {
      if (!search.probe_.takes(state)) return false;
      const Bounds bounds = ask(search.probe_, state, search.claim_).bounds;
      search.probe_.count(search.counts_.counters);
      return bounds.decides(search.claim_.threshold) && decided(bounds, search.probe_.has_zone());
    }
    bool by_playouts() {
      if constexpr (S::kPlayouts) {
        requests.push_back(search.request(state));
        open(search.scheme_.disproved());  // until its tally is absorbed
      }
      return S::kPlayouts;
    }
    void by_number() { open(search.leaf_label(state, search.descent_.depth() + 1)); }
    // Does one of the patterns that are known to answer these moves say that this one is lost?
    bool by_refutation(Move move) {
      const auto& all = search.refutations_;
      const auto match = std::find_if(all.begin(), all.end(), [&](const auto& one) {
        return search.patterns_.refutes(one, move);
      });
      if (match == all.end()) return false;
      const Bounds bounds = search.won_by(search.patterns_.winner(*match));
      const bool proved = bounds.proves(search.claim_.threshold);
      node = search.add_node(search.solved(proved), bounds, true);
      search.zones_.set(node, search.patterns_.zone(*match));
      search.cite(node, *match);
      search.counts_.decided(node, bounds);
      return true;
    }

   private:
    bool decided(const Bounds& bounds, bool by_connection = false) {
      const bool proved = bounds.proves(search.claim_.threshold);
      node = search.add_node(search.solved(proved), bounds, true);
      const Player attacker = search.claim_.attacker;
      if (by_connection) {
        search.zones_.set(node, search.probe_.zone());
      } else {
        search.zones_.set_leaf(node, state, proved ? attacker : opponent(attacker));
      }
      search.counts_.decided(node, bounds);
      return true;
    }
    void open(const Label& label) {
      if (node != kNoNode) {
        search.tree_.node(node).label = label;
      } else {
        node = search.add_node(label, search.unknown_, false);
      }
    }
  };

  // Where probes know connections, or there are patterns, what is known of the children comes
  // first: a lost reply may decide its siblings, which need neither probes nor playouts.
  struct Known {
    [[no_unique_address]] Zone<G> outside = {};  // the zones of lost ones
  };
  // As leaf_way(), but that an open child has no numbers yet.
  void look_at(NewLeaf& leaf, const Step& parent, Move move, Known& known) {
    if (!zones_.has(known.outside, move) && (leaf.by_refutation(move) || leaf_is_known(leaf))) {
      if (mover(parent.or_node).has_lost(tree_.node(leaf.node))) {
        zones_.add_outside(leaf.node, known.outside);
      }
    } else {
      leaf.node = add_node(scheme_.disproved(), unknown_, false);
    }
  }
  // The numbers of these.
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
  // Those of the children that lie outside the zone of a lost one.
  void solve_siblings(const Step& parent) {
    zones_.prune(tree_, parent.node, mover(parent.or_node), [&](auto& child, NodeIndex index) {
      child.label = solved(child.bounds.proves(claim_.threshold));
      if (child.sleeps() || is_closed(child))
        child.pending = false;  // a leaf that waits still does
      counts_.decided(index, child.bounds);
    });
  }

  // True if the child decides its parent.
  bool add_child(const Step& parent, std::uint32_t first, int i, Move move,
                 std::vector<LeafRequest<G>>& requests, Known& known) {
    State state = parent.state;
    G::play(rules_, state, move);
    NewLeaf leaf{*this, state, requests};
    if (looks_) {
      look_at(leaf, parent, move, known);
    } else {
      leaf_way(leaf);
    }
    tree_.edge(first + static_cast<std::uint32_t>(i)) = {leaf.node, move};
    const auto& child = tree_.node(leaf.node);
    return child.decided && child.bounds.proves(claim_.threshold) == parent.or_node;
  }

  std::uint32_t playouts() const {  // of a leaf
    if constexpr (S::kPlayouts) return static_cast<std::uint32_t>(scheme_.playouts);
    return 0;
  }
  LeafRequest<G> request(const State& state) const {
    return {state, {options_.seed, G::key(rules_, state)}, 0, playouts()};
  }
  Player winner(const Bounds& bounds) const {
    return bounds.proves(claim_.threshold) ? claim_.attacker : opponent(claim_.attacker);
  }
  Label solved(bool proved) const { return proved ? scheme_.proved() : scheme_.disproved(); }

  // Of a leaf without playouts, `depth` plies below the root.
  Label leaf_label(const State& state, std::uint32_t depth) const {
    return scheme_.leaf(leaf_at(state, depth));
  }
  Leaf leaf_at(const State& state, std::uint32_t depth) const {
    return playproof::leaf_at<G>(rules_, claim_, scheme_, state, depth);
  }

  // In a batch, a node whose open children all wait for playouts is closed until the tallies come,
  // so that the next descent goes elsewhere.
  void close_ancestors(const Way& way, std::uint32_t leaf_depth) {
    for (std::uint32_t d = leaf_depth; d-- > 0;) {
      auto& node = tree_.node(way[d].node);
      if (node.decided) continue;
      if (!is_closed(node)) return;
      node.pending = true;
    }
  }
  // When the tallies are there, others may still wait. Nodes on the way may be decided by now, and
  // those above them closed, though it is open below.
  void close_again(const Way& way, std::uint32_t leaf_depth) {
    for (std::uint32_t d = leaf_depth; d-- > 0;) {
      auto& node = tree_.node(way[d].node);
      if (!node.decided && is_closed(node)) node.pending = true;
    }
  }
  bool is_closed(const typename Tree<Label>::Node& node) const { return tree_.is_closed(node); }

  // Returns the tallies that are left.
  std::span<const Tally> label_children(const Way& way, std::span<const Tally> tallies) {
    std::size_t next = 0;
    if constexpr (S::kPlayouts) {
      const auto& node = tree_.node(way.end().node);
      const auto put_off = this->put_off(way.end());
      for (std::uint32_t i = 0; i < node.edges; ++i) {
        const Edge& edge = tree_.edge(node.first_edge + i);
        auto& child = tree_.node(edge.node);
        if (!needs_playouts(child, edge, put_off)) continue;
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

  // Of a child, where its parent puts these replies off.
  bool needs_playouts(const auto& child, const Edge& edge, const Zone<G>& put_off) const {
    return !child.decided && !zones_.has(put_off, edge.move);
  }

  // Recomputes the nodes of the way from its end upwards, until the stop rule holds. The rules
  // that leave old numbers above need a search that resumes where the update ended; in a batch it
  // begins at the root again, and the update ends where nothing changes.
  void back_up(Way& way, bool resumes) {
    const bool old_above = leaves_old_numbers();
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
        zones_.settle(tree_, step.node, mover(step.or_node),
                      [&](const auto& zones, const auto& replies) {
                        return asks(step) ? must_play_.zone_of_loss(step.state, zones)
                                          : ZoneRules<G>::lost(zones, replies);
                      });
        patterns_.add(step.node, step.state, winner(node.bounds), zones_.zone(step.node));
        counts_.decided(step.node, node.bounds);
        return;
      }
      wake(step, depth);
    }
    scheme_.back_up(step.or_node, children, node.label);
  }

  bool may_stop(StopRule rule, const Label& now, const Label& old, const Step& above) const {
    return playproof::may_stop(rule, now, old, tree_.node(above.node).label, above.or_node);
  }

  bool leaf_label_stands(const Label& label, const State& state, std::uint32_t depth) const {
    if constexpr (S::kPlayouts) {
      // After an early break siblings keep the label they had before any playout.
      return scheme_.possible(label, leaf_at(state, depth)) || label == scheme_.disproved();
    } else {
      return label == leaf_label(state, depth);
    }
  }

  // A leaf whose children wait for their tallies keeps the label that it had.
  bool waiting_label_stands(const typename Tree<Label>::Node& node, const State& state,
                            std::uint32_t depth) const {
    const auto children = tree_.children(node);
    for (int i = 0; i < children.size(); ++i) {
      const auto& child = children[i];
      if (child.decided) continue;
      if (child.edges != 0 || (!child.sleeps() && child.label != scheme_.disproved())) return false;
    }
    return depth == 0 || leaf_label_stands(node.label, state, depth);
  }

  bool leaves_old_numbers() const { return playproof::leaves_old_numbers(options_.stop); }

  // After an early stop the numbers above the path's end are old. What the root child on the path
  // would show after a full update, without changing the tree.
  Label fresh_root_child() const {
    Label label = tree_.node(descent_.end().node).label;
    for (std::uint32_t d = descent_.depth() - 1; d >= 1; --d) {
      const auto& node = tree_.node(descent_[d].node);
      const ReplacedLabel<Label> view{tree_.children(node), descent_[d].child, label};
      Label up = node.label;
      scheme_.back_up(descent_[d].or_node, view, up);
      label = up;
    }
    return label;
  }

  Rules rules_;
  Claim claim_;
  S scheme_;
  Options options_;
  Bounds unknown_;
  LeafProbes<G> probe_;
  Tree<Label> tree_;
  TreeZones<G> zones_;
  TreePatterns<G> patterns_;
  mutable MustPlay<G> must_play_;  // asked about one position after the other
  bool looks_;                     // at all children of a leaf before any of them gets numbers
  std::vector<typename TreePatterns<G>::Match> refutations_;  // of the leaf being expanded
  Way descent_;         // under way, or where the last one ended
  bool waits_ = false;  // its leaf waits for tallies
  WaitingDescents<G, Step> waiting_;
  std::uint32_t in_batch_ = 0;  // leaves taken since the last absorb()
  bool root_changed_ = false;
  bool whole_ = true;
  StopReason stop_reason_ = StopReason::kRunning;
  TreeCounts counts_;
};

}  // namespace playproof
