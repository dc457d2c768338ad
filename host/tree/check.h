// Holds a whole tree against the rules of the game and of its own engine: links, moves, bounds,
// labels, counters. It stands behind --selfcheck and behind every tree that was read from a file:
// no search goes on in a tree, and no verdict is taken from one, that could not have been made.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "games/core/error.h"
#include "host/knowledge/knowledge.h"
#include "host/path/repetition.h"
#include "host/probe/leaf_probe.h"
#include "host/probe/tree_probes.h"
#include "host/question/counters.h"
#include "host/question/search_options.h"
#include "host/tree/any_engine.h"
#include "host/tree/pattern_check.h"
#include "host/tree/tree.h"
#include "host/tree/tree_zones.h"
#include "host/tree/zone_check.h"

namespace playproof {

// The check runs between two batches of the engine; others may be out.
template <Game G>
class TreeCheck {
 public:
  using State = typename G::State;
  using Rules = typename G::Rules;

  TreeCheck(const Rules& rules, const Claim& claim, const AnyEngine<G>& engine)
      : rules_(rules),
        claim_(claim),
        engine_(engine),
        tree_(engine.tree()),
        zones_(engine.zones()),
        probe_(engine.probe()),
        knowledge_(rules, engine.options(), Moment::kEntered),
        patterns_(rules, claim, tree_, zones_, engine.patterns()),
        any_(unknown_bounds<G>(rules, claim.attacker)) {}

  // `position` is that of the root. Throws Error(kInternal) naming the first node that is wrong.
  // `believe`: leaves that the search of a second level decided are not searched again. Whoever
  // does so must run it once more, without, before a verdict is said.
  void run(const State& position, bool believe = false) {
    believe_ = believe;
    check_bytes();
    if constexpr (ZonedGame<G>) {
      if (zones_.on()) expect(!zones_.by_sibling(0), 0, "the root has no sibling");
    }
    node_seen_.assign(tree_.nodes(), false);
    edge_seen_.assign(tree_.edges(), false);
    waiting_ = {{0, 0, position, false, false}};
    while (!waiting_.empty()) {
      const Place place = waiting_.back();
      waiting_.pop_back();
      if (!is_repeated(place)) check_node(place);
    }
    expect(seen_ == tree_.nodes(), 0, "there are nodes that no edge leads to");
    patterns_.finish();
    check_counters();
    std::sort(asked_.begin(), asked_.end());
    expect(asked_ == engine_.waiting(), 0, "leaves wait for playouts that nobody asked for");
  }

 private:
  template <class H>
  struct PatternCheckOf {
    using Type = NoPatternCheck;
  };
  template <ConnectionGame H>
  struct PatternCheckOf<H> {
    using Type = PatternCheck<H>;
  };
  struct Place {
    NodeIndex index;
    std::uint32_t depth;
    State state;
    bool parent_or_node;  // of a child that its parent puts off
    bool put_off;
  };

  static void expect(bool good, NodeIndex index, const char* what) { expect_at(good, index, what); }

  // What must hold before anything is computed with a label.
  void check_bytes() const {
    expect(tree_.nodes() > 0, 0, "there is no root");
    for (NodeIndex i = 0; i < tree_.nodes(); ++i) {
      expect(engine_.label_is_valid(i), i, "its label is no label");
    }
  }

  // Where positions can come again, a child that stands above itself ends the line. (Places come
  // depth first, so those above are the last ones of each depth.)
  bool is_repeated(const Place& at) {
    if constexpr (AcyclicGame<G>) {
      return false;
    } else {
      above_.resize(at.depth);
      const bool again = std::find(above_.begin(), above_.end(), at.state) != above_.end();
      if (again) check_repeated(at, G::to_move(rules_, above_.back()));
      above_.push_back(at.state);
      return again;
    }
  }
  void check_repeated(const Place& at, Player mover) {
    const NodeLinks& node = tree_.node(at.index);
    expect(!node_seen_[at.index], at.index, "two edges lead to it");
    node_seen_[at.index] = true;
    ++seen_;
    deepest_ = std::max<std::uint64_t>(deepest_, at.depth);
    const Value value = value_of_repetition(path_rule<G>(rules_), mover);
    expect(node.edges == 0 && !node.pending && node.decided &&
               node.bounds == Bounds::exact(value_for(claim_.attacker, value)),
           at.index, "it comes again, and that ends the line with another value");
    const bool or_node = G::to_move(rules_, at.state) == claim_.attacker;
    expect(engine_.label_agrees(at.index, at.state, at.depth, or_node), at.index,
           "its numbers are not those of its value");
  }

  void check_node(const Place& at) {
    const NodeLinks& node = tree_.node(at.index);
    expect(!node_seen_[at.index], at.index, "two edges lead to it");
    node_seen_[at.index] = true;
    ++seen_;
    deepest_ = std::max<std::uint64_t>(deepest_, at.depth);
    bool waits = false;
    const bool finished = G::finished(rules_, at.state);
    const bool or_node = !finished && G::to_move(rules_, at.state) == claim_.attacker;
    if (finished) {
      const Value value = value_for(claim_.attacker, G::value(rules_, at.state));
      expect(node.edges == 0 && !node.pending, at.index, "the game is over, but moves follow");
      expect(node.decided && node.bounds == zones_.proved(Bounds::exact(value), claim_), at.index,
             "the game is over, and its value is another");
    } else {
      if (node.edges != 0) check_links(at, node, or_node);
      waits = is_waiting(at.index, node);
      if (node.edges == 0 || waits) {
        check_leaf(at, node);
      } else {
        check_bounds(at, node, or_node);
      }
    }
    check_zone(at, or_node, waits && !node.decided);
    patterns_.see(at.index, at.state);
    if (sleeps(node)) {
      expect(
          !node.decided && at.put_off && engine_.sleeping_label_agrees(at.index, at.parent_or_node),
          at.index, "it sleeps, and is not put off");
      return;
    }
    expect(engine_.label_agrees(at.index, at.state, at.depth, or_node), at.index,
           "its numbers do not follow from its children");
  }

  bool sleeps(const NodeLinks& node) const { return knowledge_.any() && node.sleeps(); }
  bool asks_knowledge(const Place& at) const { return knowledge_.any() && at.index != 0; }
  // Does it wait for playouts itself? All that it knows is then what it knew before its children.
  // What is open can be gone on with, and what is pending and does not wait itself cannot.
  bool is_waiting(NodeIndex index, const NodeLinks& node) {
    const bool closed = engine_.closed(index);
    expect(node.decided || node.pending || !closed, index,
           "it is open, and no descent can go on from it");
    expect(!node.decided || !node.pending || !closed, index, "it is decided, and waits");
    if (!node.pending || closed || sleeps(node)) return false;
    asked_.push_back(index);
    return true;
  }

  // A leaf knows what the probes say of it, else nothing, unless a pattern has decided it. (The
  // root is never asked about.)
  void check_leaf(const Place& at, const NodeLinks& node) {
    if (patterns_.cites(at.index)) {
      const Value value = node.bounds.proves(claim_.threshold) ? Value{1} : Value{-1};
      expect(node.decided && node.bounds == Bounds::exact(value), at.index,
             "a pattern has decided it, and does not say who wins");
      return;
    }
    Bounds known = any_;
    const bool by_sibling = zones_.by_sibling(at.index);
    bool is_probed = false;
    if (at.index != 0 && !by_sibling && probe_.applies_to(at.state)) {
      const ProbeAnswer<G> answer = ask(probe_, at.state, claim_);
      probe_.count(probed_);
      if (answer.bounds.decides(claim_.threshold)) {
        is_probed = true;
        known = zones_.proved(answer.bounds, claim_);
        const bool same = answer.has_zone() ? zones_.zone(at.index) == answer.zone
                                            : !zones_.on() || is_leaf_zone(at, node);
        expect(same, at.index, "its zone is not that of a leaf");
      }
    }
    if (!is_probed && engine_.has_second_level() && at.index != 0 && node.decided && !by_sibling) {
      known = second_level(at, node);
    }
    if (asks_knowledge(at) && !by_sibling && node.decided && !known.decides(claim_.threshold)) {
      known = said_by_knowledge(at);
    }
    if (by_sibling) return;
    expect(node.bounds == known && node.decided == known.decides(claim_.threshold), at.index,
           "a leaf knows more than rules and probes, or less");
  }

  // What knowledge says of a leaf that the search went on from (host/knowledge/knowledge.h).
  Bounds said_by_knowledge(const Place& at) {
    const auto known = knowledge_.judge(at.state, claim_);
    if (!known) return any_;
    count_evidence(known->evidence, probed_);
    expect(zones_.zone(at.index) == known->zone, at.index,
           "its zone is not that of what its cells say");
    return known->bounds;
  }
  // What the second level says of a leaf that it has decided.
  Bounds second_level(const Place& at, const NodeLinks& node) {
    ++probed_.second_decided;
    if (believe_) return Bounds::both(any_, node.bounds);
    const auto again = engine_.second_level();
    if constexpr (!AcyclicGame<G>) again->give_past(std::span<const State>(above_).first(at.depth));
    const Bounds bounds = ask(*again, at.state, claim_).bounds;
    if constexpr (ZonedGame<G>) {
      const bool same = zones_.zone(at.index) == again->search().zones().zone(0);
      expect(!zones_.on() || same || is_leaf_zone(at, node), at.index,
             "its zone is not that of the second level");
    }
    return bounds;
  }

  // May a leaf below which nothing was searched have this zone of its own proof?
  bool is_leaf_zone(const Place& at, const NodeLinks& node) const {
    if constexpr (ZonedGame<G>) {
      const bool proved = node.bounds.proves(claim_.threshold);
      const Player winner = proved ? claim_.attacker : opponent(claim_.attacker);
      return zones_.zone(at.index) == zones_.leaf(at.state, winner);
    }
    return true;
  }
  void check_zone(const Place& at, bool or_node, bool waits) {
    if constexpr (ZonedGame<G>) {
      if (!zones_.on()) return;
      const ZoneCheck<G> check(rules_, claim_, tree_, zones_, knowledge_);
      check.check(at.index, at.state, or_node, waits);
      check.check_children(at.index, or_node, waits);
    }
  }

  // Moves are those that the engine generates, in its order; every child has one parent.
  void check_links(const Place& at, const NodeLinks& node, bool or_node) {
    expect(std::uint64_t{node.first_edge} + node.edges <= tree_.edges(), at.index,
           "its edges do not exist");
    Move moves[G::kMaxMoves];
    int legal = G::moves(rules_, at.state, moves);
    if (asks_knowledge(at)) {
      expect(!knowledge_.judge(at.state, claim_), at.index,
             "its cells decide it, but moves follow");
      legal = knowledge_.replies(at.state, moves, legal).steps;
    }
    const auto put_off = asks_knowledge(at) ? knowledge_.put_off(at.state) : Zone<G>{};
    order_moves(engine_.options(), G::key(rules_, at.state), moves, legal);
    const auto children = tree_.children(node);
    expect(children.size() <= legal, at.index, "it has more children than moves");
    for (int i = 0; i < children.size(); ++i) {
      const std::uint32_t edge = node.first_edge + static_cast<std::uint32_t>(i);
      expect(!edge_seen_[edge], at.index, "it shares an edge with another node");
      edge_seen_[edge] = true;
      expect(children.edge(i).move == moves[i], at.index, "a move is not the one expected");
      if (!children.created(i)) continue;
      const NodeIndex child = children.edge(i).node;
      expect(child > at.index && child < tree_.nodes(), at.index, "an edge leads nowhere");
      waiting_.push_back({child, at.depth + 1, at.state, or_node, zones_.has(put_off, moves[i])});
      G::play(rules_, waiting_.back().state, moves[i]);
    }
    expect(choices_stand(children), at.index, "it was left by a child that it has not");
    expect(node.decided || is_put_off_right(children, put_off), at.index,
           "it puts off other replies than those that are not to be tried first");
    whole_ = check_missing(at, children, {or_node, claim_.threshold}) && children.size() == legal;
    expect(children.size() == legal || breaks(node, or_node), at.index, "moves are missing");
    ++expanded_;
  }
  // What its edges say of the children that were chosen last (Edge::choice).
  static bool choices_stand(const auto& children) {
    const auto choice = [&](int i) { return children.edge(i).choice; };
    for (int i = children.size() < 2 ? 0 : 2; i < children.size(); ++i) {
      if (choice(i) != kNoMove) return false;
    }
    if (children.size() < 2 || (choice(0) == kNoMove && choice(1) == kNoMove)) return true;
    return choice(0) < children.size() && choice(1) != choice(0) &&
           (choice(1) < children.size() || choice(1) == kNoMove);
  }
  // Replies sleep just as long as others are not lost.
  bool is_put_off_right(const auto& children, const auto& put_off) const {
    bool others = false;
    bool asleep = false;
    bool awake = false;
    for (int i = 0; i < children.size(); ++i) {
      if (!children.created(i) || children[i].decided) continue;
      const bool later = zones_.has(put_off, children.edge(i).move);
      others = others || !later;
      asleep = asleep || children[i].sleeps();
      awake = awake || (later && !children[i].sleeps());
    }
    return others ? !awake : !asleep;
  }
  // Children are created in order, but for those that a lost one solves: these need not exist. Are
  // all others there?
  bool check_missing(const Place& at, const auto& children, Mover mover) const {
    const auto out = zones_.outside(children, mover);
    bool all_before = true;
    for (int i = 0; i < children.size(); ++i) {
      expect(all_before || !children.created(i), at.index, "a child before this one is missing");
      bool needless = false;
      if constexpr (ZonedGame<G>) needless = out.has(children.edge(i).move);
      all_before = all_before && (children.created(i) || needless);
    }
    return all_before;
  }
  // Later moves may be missing where the last child decides its parent (early break).
  bool breaks(const NodeLinks& node, bool or_node) const {
    const auto children = tree_.children(node);
    const int last = children.size() - 1;
    return engine_.options().early_break && children.created(last) && children[last].decided &&
           children[last].edges == 0 && children[last].bounds.proves(claim_.threshold) == or_node;
  }

  // Bounds are those of the children; one that does not exist may be worth anything.
  void check_bounds(const Place& at, const NodeLinks& node, bool or_node) const {
    const auto children = tree_.children(node);
    if (!children.created(0)) {
      expect(!node.decided && node.bounds == any_, at.index, "it knows more than its children");
      return;
    }
    const auto join = [&](Bounds a, Bounds b) {
      return or_node ? Bounds::best(a, b) : Bounds::worst(a, b);
    };
    Bounds follows = whole_ ? children[0].bounds : join(any_, children[0].bounds);
    for (int i = 1; i < children.size(); ++i) {
      if (children.created(i)) follows = join(follows, children[i].bounds);
    }
    const Value goal = claim_.threshold;
    if (zones_.by_sibling(at.index)) {  // what is below it may have come to nothing
      const bool same = node.bounds.proves(goal) == follows.proves(goal);
      expect(node.decided && (same || !follows.decides(goal)), at.index,
             "its children contradict the sibling that solved it");
      return;
    }
    expect(node.decided == follows.decides(goal), at.index,
           "it is decided and its children do not decide it, or the other way round");
    const bool implied = node.bounds.proves(goal) == follows.proves(goal) &&
                         node.bounds.disproves(goal) == follows.disproves(goal) &&
                         node.bounds.lower() <= follows.lower() &&
                         node.bounds.upper() >= follows.upper();
    expect(node.decided ? implied : node.bounds == follows, at.index,
           "its bounds do not follow from its children");
  }

  void check_counters() const {
    const Counters counters = engine_.tree_counters();
    expect(counters.nodes_created == seen_ && counters.nodes_expanded == expanded_ &&
               counters.max_depth == deepest_,
           0, "the counters are not those of the tree");
    expect(engine_.counts_stand(), 0, "the counters are such as no search with its tree has");
    const Counters all = engine_.counters();
    // A second level has asked probes about leaves that are gone.
    expect(engine_.has_second_level()
               ? all.second_decided == probed_.second_decided
               : all.endings == probed_.endings && all.ending_nodes == probed_.ending_nodes &&
                     all.bridges == probed_.bridges && all.links == probed_.links &&
                     all.races == probed_.races && all.race_nodes >= probed_.race_nodes,
           0, "the counters are not those of its probes");
    std::uint64_t hits = 0;
    if constexpr (ConnectionGame<G>) {
      if (engine_.patterns() != nullptr) hits = engine_.patterns()->citations();
    }
    expect(all.pattern_hits == hits, 0, "the counters are not those of its patterns");
    expect(tree_.node(0).decided == (engine_.stopped() == StopReason::kDecided), 0,
           "the search ended for another reason than it says");
  }

  Rules rules_;
  Claim claim_;
  const AnyEngine<G>& engine_;
  const TreeStructure& tree_;
  const TreeZones<G>& zones_;
  TreeProbes<G> probe_;
  Knowledge<G> knowledge_;
  typename PatternCheckOf<G>::Type patterns_;
  Counters probed_;  // what the probes of all leaves took
  Bounds any_;
  std::vector<bool> node_seen_;
  std::vector<bool> edge_seen_;
  std::vector<Place> waiting_;
  std::vector<State> above_;  // on the way to the node looked at; where positions can come again
  std::vector<NodeIndex> asked_;  // leaves that wait for playouts
  bool believe_ = false;
  bool whole_ = false;  // the node looked at has a child for every move
  std::uint64_t seen_ = 0;
  std::uint64_t expanded_ = 0;
  std::uint64_t deepest_ = 0;
};

}  // namespace playproof
