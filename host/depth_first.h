// Depth-first proof-number search with a table: df-pn and its family (Nagai 2002; survey S2 section
// 4, figure 5). An explicit stack; a two-stroke engine like the trees (host/best_first.h):
// propose() goes on until a node's children need playouts, absorb() numbers them.
//
// A node is called with two thresholds and left when one of its numbers reaches its own. With the
// numbers of the side to move, over the children c of n:
//   phi(n) = min delta(c), delta(n) = sum phi(c)
//   the child c1 with the least delta, the second least being d2, is called with
//   phi threshold   = threshold_delta(n) - delta(n) + phi(c1)
//   delta threshold = min(threshold_phi(n), rule(d2))        (host/schemes/thresholds.h)
//
// Children keep their numbers in the frame of their parent while it is on the stack, so the search
// ends however small the table is.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "host/proof_table.h"
#include "host/schemes/leaf_numbers.h"
#include "host/schemes/thresholds.h"
#include "host/search_common.h"

namespace playproof {

template <Game G>
class DepthFirst {
 public:
  using State = typename G::State;
  using Rules = typename G::Rules;
  struct Options : SearchOptions {
    LeafNumbers leaf;
    ThresholdRule rule;
    std::uint64_t table_bytes = std::uint64_t{1} << 28;
  };

  DepthFirst(const Rules& rules, const State& position, const Claim& claim, const Options& options)
      : rules_(rules),
        options_(options),
        unknown_(unknown_bounds<G>(rules, claim.attacker)),
        table_(rules, options.table_bytes) {
    begin(position, claim);
    max_nodes_ = options.max_nodes;
  }

  // Asks another question, without a limit of nodes; what the table holds stays. The position must
  // not be finished; the attacker must be that of the first question.
  void begin(const State& position, const Claim& claim) {
    claim_ = claim;
    max_nodes_ = SearchLimits::kNone;
    frames_.clear();
    children_.clear();
    waiting_ = false;
    bounds_ = unknown_;
    best_ = kNoMove;
    stop_reason_ = StopReason::kRunning;
    first_ = {position, G::key(rules_, position), kNoMove, {}, unknown_, 0};
  }

  // Makes up to `calls` node entries, fewer when children need playouts: then their requests are
  // appended, all children of one node. Returns the entries made; 0 when stopped() tells why.
  std::uint32_t propose(std::uint32_t calls, std::vector<LeafRequest<G>>& requests) {
    root_changed_ = false;
    std::uint32_t made = 0;
    while (made < calls && !waiting_ && stop_reason_ == StopReason::kRunning) {
      if (counters_.iterations >= max_nodes_) {
        stop_reason_ = StopReason::kNodes;
        break;
      }
      call(requests);
      ++made;
      if (!waiting_) go_on();
    }
    return made;
  }

  // Numbers the children whose requests the last propose() appended, in their order.
  void absorb(std::span<const Tally> tallies) {
    if (!waiting_) return;
    const Frame& frame = frames_.back();
    const auto playouts = static_cast<double>(options_.leaf.playouts());
    std::size_t next = 0;
    for (Child& child : children_of(frame)) {
      if (!child.needs_playouts) continue;
      child.needs_playouts = false;
      const double wins = reached(tallies[next++], claim_);
      child.numbers = leaf_numbers(child, is_attackers(child.state) ? wins : playouts - wins);
      counters_.playouts += static_cast<std::uint64_t>(options_.leaf.playouts());
      ++counters_.evaluations;
      table_.store(child.key, child.state, child.numbers, child.bounds, 0);
    }
    waiting_ = false;
    go_on();
  }

  StopReason stopped() const { return stop_reason_; }
  // Of the position that the question is about, as far as they are proven.
  Bounds bounds() const { return bounds_; }
  // Once decided: a move of the root that holds what is proven, else its first one.
  Move best_move() const { return best_; }
  const Claim& claim() const { return claim_; }
  Counters counters() const {
    Counters c = counters_;
    c.nodes_created = c.iterations;
    c.peak_bytes =
        table_.size() + frames_.capacity() * sizeof(Frame) + children_.capacity() * sizeof(Child);
    return c;
  }
  const TableCounters& table_counters() const { return table_.counters(); }

  // What rules and table know of a position.
  Bounds known(const State& state) {
    if (G::finished(rules_, state)) {
      return Bounds::exact(value_for(claim_.attacker, G::value(rules_, state)));
    }
    const auto* entry = table_.find(G::key(rules_, state), state);
    return entry == nullptr ? unknown_ : entry->bounds();
  }

  bool root_changed() const { return root_changed_; }
  // The moves of the root that the search prefers now, all that tie; none before the first call.
  std::vector<Move> root_ties() const {
    std::vector<Move> ties;
    if (frames_.empty()) return ties;
    PhiDelta least = kPhiDeltaInfinity;
    for (const Child& child : children_of(frames_.front())) {
      if (child.needs_playouts || decided(child.bounds)) continue;
      if (child.numbers.delta < least) ties.clear();
      least = std::min(least, child.numbers.delta);
      if (child.numbers.delta == least) ties.push_back(child.move);
    }
    return ties;
  }

 private:
  struct Child {
    State state;
    std::uint64_t key;
    Move move;
    PhiDeltaPair numbers;
    Bounds bounds;
    std::uint32_t work;  // node entries below it so far; 0: never called
    bool needs_playouts = false;
  };
  struct Frame {
    State state;
    std::uint64_t key;
    PhiDeltaPair threshold;
    std::uint32_t first;  // of its children
    std::uint32_t count;
    int chosen = -1;  // the child that was called last, and the one before
    int before = -1;
    std::uint64_t work = 1;
    PhiDelta average = 1;  // of the children's first deltas
  };
  // What the children say of their parent.
  struct Summary {
    PhiDelta phi = kPhiDeltaInfinity;
    PhiDelta second = kPhiDeltaInfinity;  // least delta but one
    PhiDelta delta = 0;
    int best = -1;  // the first child with the least delta, decided ones only if all are
    Bounds bounds;
  };

  std::span<Child> children_of(const Frame& frame) {
    return {children_.data() + frame.first, frame.count};
  }
  std::span<const Child> children_of(const Frame& frame) const {
    return {children_.data() + frame.first, frame.count};
  }
  bool is_attackers(const State& state) const {
    return G::to_move(rules_, state) == claim_.attacker;
  }
  bool decided(const Bounds& bounds) const { return bounds.decides(claim_.threshold); }

  // Enters the child that was chosen last, or the root.
  void call(std::vector<LeafRequest<G>>& requests) {
    ++counters_.iterations;
    PhiDeltaPair threshold = {kPhiDeltaInfinity, kPhiDeltaInfinity};
    const Child* entered = &first_;
    if (!frames_.empty()) {
      const Frame& parent = frames_.back();
      entered = &children_of(parent)[static_cast<std::size_t>(parent.chosen)];
      threshold = next_threshold_;
      counters_.re_entries += entered->work > 0;
    }
    counters_.nodes_expanded += entered->work == 0;
    Frame& frame = frames_.emplace_back();
    frame.state = entered->state;
    frame.key = entered->key;
    frame.threshold = threshold;
    frame.first = static_cast<std::uint32_t>(children_.size());
    counters_.max_depth = std::max<std::uint64_t>(counters_.max_depth, frames_.size());
    make_children(frame, requests);
  }

  void make_children(Frame& frame, std::vector<LeafRequest<G>>& requests) {
    const std::size_t before = requests.size();
    const bool attackers = is_attackers(frame.state);
    Move moves[G::kMaxMoves];
    const int count = G::moves(rules_, frame.state, moves);
    order_moves(options_, frame.key, moves, count);
    bool broke = false;
    for (int i = 0; i < count && !broke; ++i) {
      Child& child = children_.emplace_back(
          Child{frame.state, 0, moves[i], PhiDeltaPair(), unknown_, 0, false});
      G::play(rules_, child.state, child.move);
      if (G::finished(rules_, child.state)) {
        child.bounds = Bounds::exact(value_for(claim_.attacker, G::value(rules_, child.state)));
        child.numbers = solved(child);
        broke = options_.early_break && child.bounds.proves(claim_.threshold) == attackers;
      } else {
        child.key = G::key(rules_, child.state);
        table_.prefetch(child.key);
      }
    }
    frame.count = static_cast<std::uint32_t>(children_.size()) - frame.first;
    if (!broke) number_children(frame, requests);
    waiting_ = requests.size() > before;
  }

  void number_children(Frame& frame, std::vector<LeafRequest<G>>& requests) {
    PhiDelta sum = 0;
    for (Child& child : children_of(frame)) {
      if (!decided(child.bounds) && !look_up(child)) {
        if (options_.leaf.playouts() > 0) {
          child.needs_playouts = true;
          requests.push_back(
              {child.state, child.key, 0, static_cast<std::uint32_t>(options_.leaf.playouts())});
        } else {
          child.numbers = leaf_numbers(child, 0);
        }
      }
      if (child.numbers.delta < kPhiDeltaInfinity) sum += child.numbers.delta;
    }
    frame.average = sum / frame.count;
  }

  // False if the table does not know the position, or only numbers of another question.
  bool look_up(Child& child) {
    const auto* entry = table_.find(child.key, child.state);
    if (entry == nullptr) return false;
    child.bounds = entry->bounds();
    child.work = entry->work;
    child.numbers = {entry->phi, entry->delta};
    if (decided(child.bounds)) {
      child.numbers = solved(child);
      return true;
    }
    return child.numbers != kMoverWins && child.numbers != kMoverLoses;
  }
  PhiDeltaPair solved(const Child& child) const {
    const bool proved = child.bounds.proves(claim_.threshold);
    return proved == is_attackers(child.state) ? kMoverWins : kMoverLoses;
  }
  PhiDeltaPair leaf_numbers(const Child& child, double wins) const {
    int mobility = 0;
    if (options_.leaf.needs_mobility()) {
      Move moves[G::kMaxMoves];
      mobility = G::moves(rules_, child.state, moves);
    }
    return options_.leaf(static_cast<std::uint32_t>(frames_.size()), mobility, wins);
  }

  // Leaves nodes whose thresholds are met, until a child is to be called or the root is decided.
  void go_on() {
    while (true) {
      Frame& frame = frames_.back();
      const Summary summary = summarise(frame);
      if (frames_.size() == 1) {
        root_changed_ = true;
        bounds_ = summary.bounds;
      }
      const bool solved = decided(summary.bounds);
      if (!solved && summary.phi < frame.threshold.phi && summary.delta < frame.threshold.delta) {
        choose(frame, summary);
        return;
      }
      store(frame, summary);
      if (frames_.size() == 1) {  // nothing reaches the root's thresholds
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
    Summary s{.bounds = unknown_};
    const bool attackers = is_attackers(frame.state);
    const auto children = children_of(frame);
    s.bounds = children[0].bounds;
    for (std::size_t i = 0; i < children.size(); ++i) {
      const Child& child = children[i];
      s.bounds =
          attackers ? Bounds::best(s.bounds, child.bounds) : Bounds::worst(s.bounds, child.bounds);
      s.delta += std::min(child.numbers.phi, kPhiDeltaCap);
      const bool better = child.numbers.delta < s.phi ||
                          (child.numbers.delta == s.phi && static_cast<int>(i) == frame.chosen) ||
                          s.best < 0;
      if (better) {
        s.second = s.phi;
        s.phi = child.numbers.delta;
        s.best = static_cast<int>(i);
      } else {
        s.second = std::min(s.second, child.numbers.delta);
      }
    }
    s.bounds = with_unborn(frame, s.bounds, attackers);
    s.delta = capped(s.delta);
    return s;
  }

  // After an early break the children that were not generated may be anything: only the deciding
  // side counts.
  Bounds with_unborn(const Frame& frame, const Bounds& bounds, bool attackers) const {
    const Child& last = children_of(frame).back();
    const bool broke = options_.early_break && last.bounds.proves(claim_.threshold) == attackers &&
                       decided(last.bounds) && G::finished(rules_, last.state);
    if (!broke) return bounds;
    return attackers ? Bounds::unknown(bounds.lower(), unknown_.upper())
                     : Bounds::unknown(unknown_.lower(), bounds.upper());
  }

  void choose(Frame& frame, const Summary& s) {
    const bool back = frame.before == s.best && frame.chosen != s.best;
    counters_.branch_switches += back;
    if (frame.chosen != s.best) {
      if (frames_.size() == 1) counters_.root_switches += frame.chosen >= 0;
      frame.before = frame.chosen;
      frame.chosen = s.best;
    }
    const PhiDelta phi = children_of(frame)[static_cast<std::size_t>(s.best)].numbers.phi;
    next_threshold_.phi = frame.threshold.delta >= kPhiDeltaInfinity
                              ? kPhiDeltaInfinity
                              : as_threshold(frame.threshold.delta - s.delta + phi);
    next_threshold_.delta =
        std::min(frame.threshold.phi, as_threshold(options_.rule(s.second, frame.average)));
  }

  PhiDeltaPair numbers_of(const Frame& frame, const Summary& s) const {
    if (!decided(s.bounds)) return {std::min(s.phi, kPhiDeltaCap), s.delta};
    const bool proved = s.bounds.proves(claim_.threshold);
    return proved == is_attackers(frame.state) ? kMoverWins : kMoverLoses;
  }
  void store(const Frame& frame, const Summary& s) {
    table_.store(frame.key, frame.state, numbers_of(frame, s), s.bounds, frame.work);
    ++counters_.node_visits;
  }
  // Hands what was found to the parent.
  void leave(const Summary& s) {
    const Frame frame = frames_.back();
    frames_.pop_back();
    children_.erase(children_.begin() + frame.first, children_.end());
    Frame& parent = frames_.back();
    parent.work += frame.work;
    Child& child = children_of(parent)[static_cast<std::size_t>(parent.chosen)];
    child.numbers = numbers_of(frame, s);
    child.bounds = Bounds::both(child.bounds, s.bounds);
    child.work = static_cast<std::uint32_t>(std::min<std::uint64_t>(frame.work, 0xffffffff));
    refresh(parent, frame.work);
  }
  // A move of the side to move that holds its bound: the lower one of the attacker, else the upper.
  Move best_of(const Frame& frame, const Summary& s) const {
    const bool attackers = is_attackers(frame.state);
    for (const Child& child : children_of(frame)) {
      const bool holds = attackers ? child.bounds.lower() >= s.bounds.lower()
                                   : child.bounds.upper() <= s.bounds.upper();
      if (holds) return child.move;
    }
    return kNoMove;
  }
  // A long search below one child may have met positions of its siblings.
  void refresh(const Frame& parent, std::uint64_t work) {
    if (work <= parent.count) return;
    for (Child& child : children_of(parent)) {
      if (decided(child.bounds)) continue;
      const Child before = child;
      if (!look_up(child)) child = before;
    }
  }

  Rules rules_;
  Claim claim_;
  Options options_;
  Bounds unknown_;
  ProofTable<G> table_;
  std::uint64_t max_nodes_ = SearchLimits::kNone;
  std::vector<Frame> frames_;
  std::vector<Child> children_;  // of the frames, one after the other
  Child first_{State(), 0, kNoMove, {}, unknown_, 0};
  PhiDeltaPair next_threshold_;
  Bounds bounds_ = unknown_;
  Move best_ = kNoMove;
  bool waiting_ = false;  // for the tallies of the top frame's children
  bool root_changed_ = false;
  StopReason stop_reason_ = StopReason::kRunning;
  Counters counters_;
};

}  // namespace playproof
