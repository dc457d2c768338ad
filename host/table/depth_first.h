// Depth-first proof-number search with a table: df-pn and its family (Nagai 2002; survey S2 section
// 4, figure 5). An explicit stack; a two-stroke engine like the trees (host/tree/best_first.h):
// propose() goes on until a node's children need playouts, absorb() numbers them.
//
// A node is called with two thresholds and left when its numbers reach them (which of them, and
// what its children are called with: host/table/thresholds.h). Numbers are those of the side to
// move; where sides alternate, over the children c of n,
//   phi(n) = min delta(c), delta(n) = sum phi(c)
//
// The table holds the nodes that were entered. Leaves are numbered anew wherever they are met,
// since a tally depends on the position alone (leaf=deep: and on the depth there, E25). On Hex that
// takes less time than the accesses to a table several times as large; on Othello, whose playouts
// are dear, a little more.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "games/core/symmetry.h"
#include "host/probe/endings.h"
#include "host/probe/leaf_probe.h"
#include "host/question/counters.h"
#include "host/table/call_stack.h"
#include "host/table/depth_first_options.h"
#include "host/table/proof_table.h"
#include "host/table/shallow_choices.h"

namespace playproof {

template <AcyclicGame G>
class DepthFirst {
 public:
  using State = typename G::State;
  using Rules = typename G::Rules;
  using Child = CallChild<G>;
  using Frame = CallFrame<G>;
  using Options = DepthFirstOptions;

  DepthFirst(const Rules& rules, const State& position, const Claim& claim, const Options& options)
      : DepthFirst(rules, position, claim, options, ProofTable<G>(options.table)) {}
  // Goes on with the table of another search, of the same rules, attacker and options.
  DepthFirst(const Rules& rules, const State& position, const Claim& claim, const Options& options,
             ProofTable<G>&& table)
      : rules_(rules),
        options_(options),
        unknown_(unknown_bounds<G>(rules, claim.attacker)),
        probe_(rules, options.endings),
        table_(std::move(table)) {
    if (options.symmetry) symmetry_ = Symmetry<G>(rules);
    begin(position, claim, options.max_nodes);
  }

  // Asks another question; what the table holds stays. The position must not be finished; the
  // attacker must be that of the first question.
  void begin(const State& position, const Claim& claim,
             std::uint64_t max_nodes = SearchLimits::kNone) {
    claim_ = claim;
    options_.max_nodes = max_nodes;
    counters_ = {};
    table_before_ = table_.counters();
    shallow_.clear();
    position_ = position;
    stack_.clear();
    waiting_ = false;
    bounds_ = unknown_;
    best_ = kNoMove;
    stop_reason_ = StopReason::kRunning;
  }

  // Makes up to `calls` node entries; fewer when children need playouts (then their requests are
  // appended, all children of one node) or when the root was looked at (so that whoever listens
  // misses nothing). Returns the entries made; 0 when stopped() tells why.
  std::uint32_t propose(std::uint32_t calls, std::vector<LeafRequest<G>>& requests) {
    root_changed_ = false;
    std::uint32_t made = 0;
    while (made < calls && !waiting_ && !root_changed_ && room_for_call()) {
      call(requests);
      ++made;
      if (!waiting_) go_on();
    }
    return made;
  }

  // Numbers the children whose requests the last propose() appended, in their order.
  void absorb(std::span<const Tally> tallies) {
    if (!waiting_) return;
    const auto playouts = static_cast<double>(options_.leaf.playouts());
    std::size_t next = 0;
    for (Child& child : stack_.children_of(stack_.top())) {
      if (!child.needs_playouts) continue;
      child.needs_playouts = false;
      const double wins = reached(tallies[next++], claim_);
      const PhiDeltaPair numbers = child.turned_for_parent(
          leaf_numbers(child, is_attackers(child.state) ? wins : playouts - wins));
      firsts_.add(numbers.delta);
      if (!child.numbered) child.numbers = numbers;
      counters_.playouts += static_cast<std::uint64_t>(options_.leaf.playouts());
      ++counters_.evaluations;
    }
    stack_.top().average = firsts_.mean();
    waiting_ = false;
    go_on();
  }

  // Who is told of nodes that are entered for the first time, decided, and lost by the table; null:
  // nobody.
  void listen(SearchListener* listener) {
    listener_ = listener;
    table_.listen(listener);
  }

  StopReason stopped() const { return stop_reason_; }
  // Waits for tallies.
  bool waiting() const { return waiting_; }
  // Of the position that the question is about, as far as they are proven.
  Bounds bounds() const { return bounds_; }
  // Once decided: a move of the root that holds what is proven, else its first one.
  Move best_move() const { return best_; }
  const Claim& claim() const { return claim_; }
  const Options& options() const { return options_; }
  Counters counters() const {
    Counters c = counters_;
    c.nodes_created = c.iterations;
    c.peak_bytes = table_.bytes() + peak_stack_;
    const TableCounters table = table_.counters() - table_before_;
    c.table_lookups = table.lookups;
    c.table_hits = table.hits;
    c.table_useful_hits = table.useful;
    c.table_stored = table.stored;
    c.table_replaced = table.replaced;
    c.table_discarded = table.discarded;
    return c;
  }
  const ProofTable<G>& table() const { return table_; }
  // For another search; this one is over.
  ProofTable<G>&& take_table() { return std::move(table_); }
  const CallStack<G>& stack() const { return stack_; }

  // What rules and table know of a position.
  Bounds known(const State& state) const {
    if (G::finished(rules_, state)) {
      return Bounds::exact(value_for(claim_.attacker, G::value(rules_, state)));
    }
    const TableEntry<G>* entry = entry_of(state);
    return entry == nullptr ? unknown_ : entry->bounds();
  }
  const TableEntry<G>* entry_of(State state) const {
    symmetry_.to_canonical(state);
    const PositionId<G> wanted = id(state);
    return table_.find(wanted.hash(), wanted);
  }

  // What decides leaves before they are searched.
  const EndingProbe<G>& probe() const { return probe_; }

  bool root_changed() const { return root_changed_; }
  // The moves of the root that the search prefers now, all that tie; none before the first call.
  std::vector<Move> root_ties() const {
    std::vector<Move> ties;
    if (stack_.empty()) return ties;
    PhiDelta least = kPhiDeltaInfinity;
    for (const Child& child : stack_.children_of(stack_.root())) {
      if (child.needs_playouts || decided(child.bounds)) continue;
      if (child.numbers.delta < least) ties.clear();
      least = std::min(least, child.numbers.delta);
      if (child.numbers.delta == least) ties.push_back(child.move);
    }
    return ties;
  }

  // Saves, or replaces everything by what was saved (host/archive/archive.h); not while it waits.
  // What is loaded is held against the rules as far as rules reach; the table may claim what is not
  // so, and a verdict that rests on it needs its proof walked (host/proof/table_proof.h).
  template <class Archive>
  void serialize(Archive& archive) {
    archive(counters_, peak_stack_, stop_reason_, next_threshold_, table_before_, shallow_);
    table_.serialize(archive, unknown_, options_.max_bytes);
    serialize_stack(archive);
    if constexpr (!Archive::kLoading) return;
    const bool ended = stop_reason_ == StopReason::kDecided;
    const Summary root = stack_.empty() ? Summary{.bounds = unknown_} : summarise(stack_.root());
    archive.check(ended == (decided(root.bounds) && stack_.size() == 1),
                  "the search ended for another reason than it says");
    bounds_ = root.bounds;
    if (ended) best_ = best_of(stack_.root(), root);
    if (!ended) stop_reason_ = StopReason::kRunning;  // the limits may be others now
  }

 private:
  // What the children say of their parent.
  struct Summary {
    PhiDelta phi = kPhiDeltaInfinity;
    PhiDelta second = kPhiDeltaInfinity;  // least delta but one
    PhiDelta delta = 0;
    std::int32_t best = -1;  // the first child with the least delta, decided ones only if all are
    Bounds bounds;
  };

  // First deltas of the children of one node.
  struct FirstNumbers {
    PhiDelta sum = 0;
    PhiDelta count = 0;
    void add(PhiDelta delta) {
      sum += delta;
      ++count;
    }
    PhiDelta mean() const { return count == 0 ? 1 : sum / count; }
  };

  static PositionId<G> id(const State& state) { return position_id(G{}, state); }
  bool is_attackers(const State& state) const {
    return G::to_move(rules_, state) == claim_.attacker;
  }
  bool decided(const Bounds& bounds) const { return bounds.decides(claim_.threshold); }

  bool room_for_call() {
    if (stop_reason_ != StopReason::kRunning) return false;
    const bool grows = table_.wants_to_grow();
    const std::uint64_t table = grows ? 2 * table_.bytes() : table_.bytes();
    if (counters_.iterations >= options_.max_nodes) {
      stop_reason_ = StopReason::kNodes;
    } else if (table + stack_.bytes() > options_.max_bytes) {
      stop_reason_ = StopReason::kMemory;
    } else if (grows) {
      table_.grow();
    }
    return stop_reason_ == StopReason::kRunning;
  }

  // Enters the child that was chosen last, or the root.
  void call(std::vector<LeafRequest<G>>& requests) {
    ++counters_.iterations;
    bool again = false;
    if (!stack_.empty()) {
      Child& child = stack_.chosen_child(stack_.top());
      if (probe_.takes(child.state)) {
        decide(child);
        return;
      }
      again = child.entered;
    }
    counters_.re_entries += again;
    counters_.nodes_expanded += !again;
    Frame& frame = enter();
    if (!again && listener_ != nullptr) listener_->expanded(frame.hash);
    counters_.max_depth = std::max<std::uint64_t>(counters_.max_depth, stack_.size());
    if (!frame.broke) number_children(frame, requests);
    peak_stack_ = std::max(peak_stack_, stack_.bytes());
  }
  // Decides a child of the top by the probe that takes it: one call. (The root needs a move, and is
  // never asked about.)
  void decide(Child& child) {
    child.bounds = Bounds::both(child.bounds, ask(probe_, child.state, claim_).bounds);
    child.numbers = solved(stack_.top(), child);
    child.entered = true;
    ++stack_.top().work;
    probe_.count(counters_);
    if (listener_ != nullptr) listener_->decided(child.hash, child.bounds);
    table_.store(child.hash,
                 {id(child.state), child.turned_for_parent(child.numbers), child.bounds, 1});
  }
  // Puts the child that was chosen last, or the root, on the stack, with its children.
  Frame& enter() {
    if (stack_.empty()) {
      State image = position_;
      stack_.push(position_, id(position_).hash());
      stack_.top().symmetric = symmetry_.to_canonical(image);
      stack_.top().threshold = options_.rule.of_root();
    } else {
      const Child child = stack_.chosen_child(stack_.top());
      stack_.push(child.state, child.hash);
      stack_.top().symmetric = child.symmetric;
      stack_.top().threshold = child.turned_for_parent(next_threshold_);
    }
    stack_.top().attackers = is_attackers(stack_.top().state);
    make_children();
    return stack_.top();
  }
  // Of the top of the stack: states, and what the rules say of them.
  void make_children() {
    Frame& frame = stack_.top();
    Move moves[G::kMaxMoves];
    const int count = G::moves(rules_, frame.state, moves);
    const Player mover = G::to_move(rules_, frame.state);
    const std::vector<State> images = symmetry_.images(frame.state);
    if (options_.random_order) order_moves(options_, G::key(rules_, frame.state), moves, count);
    for (int i = 0; i < count && !frame.broke; ++i) {
      Child& child = stack_.add_child(frame.state, moves[i], unknown_);
      G::play(rules_, child.state, child.move);
      child.finished = G::finished(rules_, child.state);
      if (child.finished) {
        child.bounds = Bounds::exact(value_for(claim_.attacker, G::value(rules_, child.state)));
        child.numbers = solved(frame, child);
        frame.broke =
            options_.early_break && child.bounds.proves(claim_.threshold) == frame.attackers;
      } else {
        child.same_mover = is_attackers(child.state) == frame.attackers;
        child.symmetric = symmetry_.to_canonical(child.state, images, mover, child.move);
        child.hash = id(child.state).hash();
        table_.prefetch(child.hash);
        child.cost = options_.edge(options_.edge.needs_moves() ? moves_of(child.state) : 0);
        if (frame.symmetric && has_twin(frame)) stack_.drop_last_child();
      }
    }
  }
  // Is the last child the same position as one before it?
  bool has_twin(const Frame& frame) const {
    const auto children = stack_.children_of(frame);
    return std::any_of(children.begin(), children.end() - 1, [&](const Child& child) {
      return child.hash == children.back().hash && id(child.state) == id(children.back().state);
    });
  }

  // The way of one child, when its parent is entered.
  struct NewLeaf {
    DepthFirst& search;
    Frame& parent;
    Child& child;
    std::vector<LeafRequest<G>>& requests;
    bool put_off = false;  // until it is entered: a probe will decide it

    bool by_rules() const { return child.finished; }
    // Its numbers are then those of mobility, whatever the others have: the position with the
    // fewest replies is tried first.
    bool by_probe() {
      put_off = search.probe_.takes(child.state);
      return false;
    }
    bool by_table() {
      child.numbered = search.look_up(parent, child);
      // The mean of first numbers needs them of every open child, also of those in the table.
      const bool wanted = search.options_.rule.needs_average() && !search.decided(child.bounds);
      return child.numbered && !wanted;
    }
    bool by_playouts() {
      const int playouts = search.options_.leaf.playouts();
      if (put_off || playouts == 0) return false;
      child.needs_playouts = true;
      requests.push_back({child.state, G::key(search.rules_, child.state), 0,
                          static_cast<std::uint32_t>(playouts)});
      return true;
    }
    void by_number() {
      const PhiDeltaPair own =
          put_off ? PhiDeltaPair{1, static_cast<PhiDelta>(search.moves_of(child.state))}
                  : search.leaf_numbers(child, 0);
      const PhiDeltaPair numbers = child.turned_for_parent(own);
      search.firsts_.add(numbers.delta);
      if (!child.numbered) child.numbers = numbers;
    }
  };

  void number_children(Frame& frame, std::vector<LeafRequest<G>>& requests) {
    const std::size_t before = requests.size();
    firsts_ = {};
    for (Child& child : stack_.children_of(frame)) {
      leaf_way(NewLeaf{*this, frame, child, requests});
    }
    frame.average = firsts_.mean();
    waiting_ = requests.size() > before;
  }

  // False if the table does not know the position, or only numbers of another question.
  bool look_up(const Frame& parent, Child& child) {
    const TableEntry<G>* entry = table_.look_up(child.hash, id(child.state));
    if (entry == nullptr) return false;
    const PhiDeltaPair numbers = child.numbers;
    const Bounds bounds = child.bounds;
    child.bounds = entry->bounds();
    child.entered = true;
    const bool solves = decided(child.bounds);
    child.numbers = solves ? solved(parent, child) : child.turned_for_parent(entry->numbers());
    const bool known = solves || child.numbers.open();
    const bool news = child.numbers != numbers || child.bounds != bounds;
    table_.note_useful(known && news);
    return known;
  }
  // Of a decided child: does its parent's side win?
  PhiDeltaPair solved(const Frame& parent, const Child& child) const {
    const bool proved = child.bounds.proves(claim_.threshold);
    return proved == parent.attackers ? kMoverLoses : kMoverWins;
  }
  int moves_of(const State& state) const {
    Move moves[G::kMaxMoves];
    return G::moves(rules_, state, moves);
  }
  PhiDeltaPair leaf_numbers(const Child& child, double wins) const {
    const int mobility = options_.leaf.needs_mobility() ? moves_of(child.state) : 0;
    return options_.leaf(static_cast<std::uint32_t>(stack_.size()), mobility, wins);
  }

  // Leaves nodes whose thresholds are met, until a child is to be called or the root is decided.
  void go_on() {
    while (true) {
      Frame& frame = stack_.top();
      const Summary summary = summarise(frame);
      const bool at_root = stack_.size() == 1;
      if (at_root) {
        root_changed_ = true;
        bounds_ = summary.bounds;
      }
      const PhiDeltaPair numbers = numbers_of(frame, summary);
      const bool solved = decided(summary.bounds);
      const bool met = options_.rule.met(frame.threshold, numbers);
      if (at_root && met && !solved) frame.threshold = options_.rule.of_root_again(numbers);
      if (!solved && (at_root || !met)) {
        choose(frame, summary);
        return;
      }
      if (solved && listener_ != nullptr) listener_->decided(frame.hash, summary.bounds);
      table_.store(frame.hash, {id(frame.state), numbers, summary.bounds, frame.work});
      ++counters_.node_visits;
      if (at_root) {
        best_ = best_of(frame, summary);
        stop_reason_ = StopReason::kDecided;
        return;
      }
      leave(summary);
    }
  }

  // Left to right: the first of equal children is taken, but the one that was called last stays
  // chosen while it ties (E7).
  Summary summarise(const Frame& frame) const {
    const auto children = stack_.children_of(frame);
    const auto join = [&](const Bounds& a, const Bounds& b) {
      return frame.attackers ? Bounds::best(a, b) : Bounds::worst(a, b);
    };
    Summary s{.bounds = frame.broke ? join(unknown_, children[0].bounds) : children[0].bounds};
    for (std::int32_t i = 0; i < static_cast<std::int32_t>(frame.count); ++i) {
      const Child& child = children[static_cast<std::size_t>(i)];
      const PhiDeltaPair c = over_edge(child);
      s.bounds = join(s.bounds, child.bounds);
      s.delta += std::min(c.phi, kPhiDeltaCap);
      if (c.delta < s.phi || (c.delta == s.phi && i == frame.chosen) || s.best < 0) {
        s.second = s.phi;
        s.phi = c.delta;
        s.best = i;
      } else {
        s.second = std::min(s.second, c.delta);
      }
    }
    s.delta = capped(s.delta);
    if (options_.rule.by_proof_number(frame.attackers)) hardest_to_prove(frame, &s);
    return s;
  }
  // PN* where the opponent moves: the open child with the greatest proof number, if there is one.
  void hardest_to_prove(const Frame& frame, Summary* s) const {
    const auto children = stack_.children_of(frame);
    PhiDelta most = 0;
    std::int32_t best = -1;
    for (std::int32_t i = 0; i < static_cast<std::int32_t>(frame.count); ++i) {
      const PhiDeltaPair c = over_edge(children[static_cast<std::size_t>(i)]);
      if (!c.open()) continue;
      if (best < 0 || c.phi > most || (c.phi == most && i == frame.chosen)) {
        best = i;
        most = c.phi;
      }
    }
    if (best >= 0) s->best = best;
  }

  void choose(Frame& frame, const Summary& s) {
    counters_.branch_switches += frame.before == s.best && frame.chosen != s.best;
    if (frame.chosen != s.best) {
      if (stack_.size() == 1) counters_.root_switches += frame.chosen >= 0;
      frame.before = frame.chosen;
      frame.chosen = s.best;
    }
    const Child& chosen = stack_.chosen_child(frame);
    counters_.shallow_switches += shallow_.note(stack_, chosen.move);
    const Choice choice{
        {s.phi, s.delta}, over_edge(chosen), s.second, frame.average, frame.attackers};
    next_threshold_ = before_edge(chosen, options_.rule.of_child(frame.threshold, choice));
  }
  // The numbers of an unsolved child as its parent counts them: the move has its cost (df-pn+).
  PhiDeltaPair over_edge(const Child& child) const {
    if (!child.numbers.open()) return child.numbers;
    return {capped(child.numbers.phi + child.cost), capped(child.numbers.delta + child.cost)};
  }
  PhiDeltaPair before_edge(const Child& child, const PhiDeltaPair& threshold) const {
    const auto less = [&](PhiDelta number) {
      return number >= kPhiDeltaInfinity ? number : number - std::min(number, child.cost);
    };
    return {less(threshold.phi), less(threshold.delta)};
  }

  PhiDeltaPair numbers_of(const Frame& frame, const Summary& s) const {
    if (!decided(s.bounds)) return {capped(s.phi), s.delta};
    const bool proved = s.bounds.proves(claim_.threshold);
    return proved == frame.attackers ? kMoverWins : kMoverLoses;
  }
  // Hands what was found to the parent.
  void leave(const Summary& s) {
    const PhiDeltaPair numbers = numbers_of(stack_.top(), s);
    const std::uint64_t work = stack_.top().work;
    stack_.pop();
    Frame& parent = stack_.top();
    parent.work += work;
    Child& child = stack_.chosen_child(parent);
    child.numbers = child.turned_for_parent(numbers);
    child.bounds = Bounds::both(child.bounds, s.bounds);
    child.entered = true;
    refresh(parent, work);
  }
  // A long search below one child may have met positions of its siblings.
  void refresh(const Frame& parent, std::uint64_t work) {
    if (work <= parent.count) return;
    for (Child& child : stack_.children_of(parent)) {
      if (decided(child.bounds)) continue;
      const Child before = child;
      if (!look_up(parent, child)) child = before;
    }
  }
  // A move of the side to move that holds its bound: the lower one of the attacker, else the upper.
  Move best_of(const Frame& frame, const Summary& s) const {
    for (const Child& child : stack_.children_of(frame)) {
      const bool holds = frame.attackers ? child.bounds.lower() >= s.bounds.lower()
                                         : child.bounds.upper() <= s.bounds.upper();
      if (holds) return child.move;
    }
    return kNoMove;
  }

  // Positions and moves follow from the choices, so only numbers are kept.
  template <class Archive>
  void serialize_stack(Archive& archive) {
    auto size = static_cast<std::uint32_t>(stack_.size());
    archive(size);
    if constexpr (Archive::kLoading) stack_.clear();
    for (std::uint32_t depth = 0; depth < size; ++depth) {
      if constexpr (Archive::kLoading) {
        const bool goes_on = depth == 0 || (stack_.top().chosen >= 0 && can_enter());
        archive.check(goes_on, "a path through no child");
        enter();
      }
      Frame& frame = stack_.frame(depth);
      std::uint64_t position = frame.hash;
      std::uint32_t children = frame.count;
      archive(position, children);
      archive.check(position == frame.hash && children == frame.count, "another position");
      archive(frame.threshold, frame.chosen, frame.before, frame.work, frame.average);
      serialize_children(archive, frame);
      const auto count = static_cast<std::int32_t>(frame.count);
      archive.check(
          -1 <= frame.chosen && frame.chosen < count && -1 <= frame.before && frame.before < count,
          "a choice of no child");
    }
    if (!Archive::kLoading || size == 0) return;
    archive.check(stop_reason_ == StopReason::kDecided || (stack_.top().chosen >= 0 && can_enter()),
                  "a path that does not go on");
  }
  template <class Archive>
  void serialize_children(Archive& archive, const Frame& frame) {
    for (Child& child : stack_.children_of(frame)) {
      if (child.finished) continue;
      Value lower = child.bounds.lower();
      Value upper = child.bounds.upper();
      archive(child.numbers, lower, upper, child.entered);
      if constexpr (!Archive::kLoading) continue;
      archive.check(unknown_.lower() <= lower && lower <= upper && upper <= unknown_.upper(),
                    "bounds that no position has");
      child.bounds = Bounds::unknown(lower, upper);
      archive.check(
          decided(child.bounds) ? child.numbers == solved(frame, child) : child.numbers.open(),
          "numbers that no node has");
    }
  }
  bool can_enter() {
    const Child& child = stack_.chosen_child(stack_.top());
    return !child.finished && !decided(child.bounds);
  }

  Rules rules_;
  Claim claim_;
  Options options_;
  Bounds unknown_;
  State position_;
  Symmetry<G> symmetry_;
  EndingProbe<G> probe_;
  ProofTable<G> table_;
  TableCounters table_before_;  // this question
  ShallowChoices<G> shallow_;
  CallStack<G> stack_;
  PhiDeltaPair next_threshold_;
  FirstNumbers firsts_;  // of the top's children, until they all have theirs
  Bounds bounds_ = unknown_;
  Move best_ = kNoMove;
  bool waiting_ = false;  // for the tallies of the top's children
  bool root_changed_ = false;
  StopReason stop_reason_ = StopReason::kRunning;
  std::uint64_t peak_stack_ = 0;  // bytes
  SearchListener* listener_ = nullptr;
  Counters counters_;
};

}  // namespace playproof
