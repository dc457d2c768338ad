// Proof zones beside the stack of a depth-first search with a table, as host/tree/tree_zones.h has
// them beside a tree: how what is known decides children of a node that is entered, with which
// zones (host/zone/zone.h), and which zone a node takes from its children. What is known comes from
// host/knowledge/knowledge.h and from patterns (host/zone/patterns.h). A layer of
// host/table/table_searcher.h between what does not depend on numbers and what does: of `Self` it
// wants number_solved(frame, child), since what is decided has numbers that say so.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <vector>

#include "games/core/connection.h"
#include "host/knowledge/knowledge.h"
#include "host/table/any_searcher.h"
#include "host/table/call_stack.h"
#include "host/zone/zone.h"

namespace playproof {

template <class Self, AcyclicGame G, class C, class F>
class StackZones : public AnySearcher<G> {  // of a game without zones
 protected:
  using AnySearcher<G>::AnySearcher;

  static constexpr bool puts_off() { return false; }
  static constexpr bool is_put_off(const F& /*frame*/, const C& /*child*/) { return false; }
  static constexpr bool ask_of_child(const F& /*frame*/, C& /*child*/) { return false; }
  static constexpr bool ask_patterns(const F& /*frame*/) { return false; }
  static constexpr bool ask_knowledge(const F& /*frame*/) { return false; }
  static constexpr bool is_left_out(const Zone<G>& /*left_out*/, Move /*move*/) { return false; }
  static Zone<G> left_out(const F& /*frame*/) { return {}; }
  void begin_frame() {}
  void set_finished(C& /*child*/) {}
  void take_zone(const F& /*frame*/, C& /*child*/, const Zone<G>& /*of_table*/) {}
  static Zone<G> zone_of_children(const F& /*frame*/, const Bounds& /*bounds*/) { return {}; }
  static constexpr bool zone_stands(const Zone<G>& /*zone*/, const Bounds& /*bounds*/) {
    return true;
  }
  void serialize_zone(auto& /*archive*/, const C& /*child*/) {}
  static constexpr bool zone_stands(const C& /*child*/) { return true; }

  CallStack<G, C, F> stack_;
};

template <class Self, AcyclicGame G, class C, class F>
requires ZonedGame<G>
class StackZones<Self, G, C, F> : public AnySearcher<G> {
  using Base = AnySearcher<G>;
  using Cells = Zone<G>;

 public:
  using typename Base::Rules;
  using typename Base::State;

 protected:
  using Base::claim_;
  using Base::counters_;
  using Base::created_;
  using Base::decided;
  using Base::entered_;
  using Base::question_;
  using Base::rules_;
  using Base::symmetry_;
  using Base::unknown_;
  using Base::zones_on;
  using Child = C;
  using Frame = F;

  using Base::Base;

  // A child of the frame is decided, with this zone as the board lies in the table. Its siblings
  // outside the zone are so with it if the side to move has lost by the child's move.
  void take_zone(const Frame& frame, Child& child, const Cells& of_table) {
    State after = frame.state;
    G::play(rules_, after, child.move);
    const Cells zone = symmetry_.turned(child.state, after, of_table);
    stack_.zone_of(child) = zone;
    open_moves(frame).remove(child.move);
    if (this->mover_wins(frame, child.bounds)) return;
    solve_outside(frame, child.bounds, zone);
    if (!frame.symmetric) return;
    symmetry_.for_each_twin(frame.state, zone,
                            [&](const Cells& twin) { solve_outside(frame, child.bounds, twin); });
  }
  // A new child of the top is finished.
  void set_finished(Child& child) {
    if (!zones_on()) return;
    const Player winner = this->winner(child.bounds);
    stack_.zone_of(child) = ZoneRules<G>::finished(rules_, child.state, winner);
  }
  // Rules 2 and 3 give the zone of a frame that its children have decided.
  Cells zone_of_children(const Frame& frame, const Bounds& bounds) const {
    if (!this->mover_wins(frame, bounds)) return zone_of_loss(frame);
    Cells zone;
    int least = 0;
    for (const Child& child : stack_.children_of(frame)) {
      if (!decided(child.bounds) || !this->mover_wins(frame, child.bounds)) continue;
      const Cells& of_child = stack_.zone_of(child);
      const int size = of_child.size();
      if (least > 0 && size >= least) continue;
      zone = of_child;
      least = size;
    }
    return ZoneRules<G>::won(zone);
  }

  // Is a new child decided by what is known of it alone?
  bool ask_of_child(const Frame& frame, Child& child) {
    if (!created_.any()) return false;
    const auto known = created_.judge(child.state, claim_);
    if (!known) return false;
    count_evidence(known->evidence, counters_);
    child.bounds = known->bounds;
    self().number_solved(frame, child);
    take_zone(frame, child, known->zone);
    return true;
  }
  // Lets knowledge decide children of the frame, which is entered; true if the mover wins.
  bool ask_knowledge(const Frame& frame) {
    if (!entered_.any() || all_decided(frame)) return false;
    const Player mover = G::to_move(rules_, frame.state);
    if (const auto known = entered_.judge_by_chains(frame.state, claim_)) {
      if (known->winner == mover) return win_by(frame, *known);
      lose_all(frame, *known);
      return false;
    }
    // Below the root his own threats were looked for where the opponent moved, who has met what was
    // found.
    if (stack_.size() == 1) {
      const auto known = entered_.judge_by_key(frame.state, claim_);
      if (known && win_by(frame, *known)) {
        count_evidence(known->evidence, counters_);
        return true;
      }
    }
    Judgement<G> lost{opponent(mover), bounds_of<G>(rules_, opponent(mover), claim_)};
    const bool all = entered_.refutations(frame.state, [&](const Cells& zone) {
      solve_outside(frame, lost.bounds, zone);
      lost.zone = zone;
    });
    if (!all) return false;
    count_evidence(Evidence::kLinks, counters_);
    lose_all(frame, lost);
    return false;
  }
  // Lets patterns decide children of the frame, which is entered; true if the mover wins by one.
  bool ask_patterns(const Frame& frame) {
    if constexpr (ConnectionGame<G>) return question_.patterns && match_patterns(frame);
    return false;
  }

  // May children be put off, which count as lost until all others are?
  bool puts_off() const { return entered_.leaves_out(); }
  // Need the child not be tried yet? It is when all others are lost and their zones do not tell
  // that it is, too.
  bool is_put_off(const Frame& frame, const Child& child) const {
    return puts_off() && entered_.put_off(frame.state).has(child.move);
  }
  // Moves that get no child.
  Cells left_out(const Frame& frame) const { return entered_.left_out(frame.state); }
  static bool is_left_out(const Cells& left_out, Move move) { return left_out.has(move); }
  // The top gets its children now. Each frame comes through here.
  void begin_frame() { open_of_.reset(); }

  // Can what is loaded have this zone?
  bool zone_stands(const Cells& zone, const Bounds& bounds) const {
    return zone.within(board()) && zone.empty() == (bounds == unknown_);
  }
  bool zone_stands(const Child& child) const {
    return !zones_on() || decided(child.bounds) || stack_.zone_of(child).empty();
  }
  template <class Archive>
  [[gnu::cold]] void serialize_zone(Archive& archive, const Child& child) {
    Cells zone = decided(child.bounds) ? stack_.zone_of(child) : Cells{};
    archive.bytes(&zone, sizeof zone);
    archive.check(zone.within(board()), "a zone beyond the board");
    stack_.zone_of(child) = zone;
  }

  CallStack<G, C, F> stack_;

 private:
  Self& self() { return static_cast<Self&>(*this); }
  Cells board() const { return Cells::all(Zoned<G>::cells(rules_)); }

  bool match_patterns(const Frame& frame) {
    const Player mover = G::to_move(rules_, frame.state);
    const auto own = Zoned<G>::stones(frame.state, mover);
    const auto other = Zoned<G>::stones(frame.state, opponent(mover));
    bool wins = false;
    question_.patterns->find_win(mover, own, other, [&](const Cells& cells, const Cells& zone) {
      for (Child& child : stack_.children_of(frame)) {
        if (decided(child.bounds) || !(cells.empty() || cells.has(child.move))) continue;
        decide_child(frame, child, bounds_of<G>(rules_, mover, claim_), zone);
        wins = true;
        break;
      }
      return wins;
    });
    if (wins) {
      ++counters_.pattern_hits;
      return true;
    }
    question_.patterns->for_each_refutation(mover, own, other, [&](const Cells& zone) {
      const std::uint64_t before = counters_.zone_solved;
      solve_outside(frame, bounds_of<G>(rules_, opponent(mover), claim_), zone);
      counters_.pattern_hits += counters_.zone_solved > before;
      return counters_.zone_solved > before;
    });
    return false;
  }
  void solve_outside(const Frame& frame, const Bounds& bounds, const Cells& zone) {
    Cells& open = open_moves(frame);
    const Cells outside = ZoneRules<G>::outside(zone, board()) & open;
    if (outside.empty()) return;
    open = open - outside;
    for (Child& sibling : stack_.children_of(frame)) {
      if (decided(sibling.bounds) || !outside.has(sibling.move)) continue;
      decide_child(frame, sibling, bounds, zone);
      ++counters_.zone_solved;
    }
  }
  // These belong to the frame that was asked about last: the moves of its open children, and maybe
  // others. So a zone that leaves none of them outside costs no look at all children. No decided
  // child opens again.
  Cells& open_moves(const Frame& frame) {
    if (open_of_ != frame.hash) {
      open_of_ = frame.hash;
      open_ = board() - Zoned<G>::stones(frame.state, Player::kFirst) -
              Zoned<G>::stones(frame.state, Player::kSecond);
    }
    return open_;
  }
  void decide_child(const Frame& frame, Child& child, const Bounds& bounds, const Cells& zone) {
    child.bounds = bounds;
    child.needs_playouts = false;
    stack_.zone_of(child) = zone;
    self().number_solved(frame, child);
  }
  // The mover wins, by this move or by any: the child is decided. False if it is so already.
  bool win_by(const Frame& frame, const Judgement<G>& won) {
    for (Child& child : stack_.children_of(frame)) {
      if (decided(child.bounds) || (won.move != kNoMove && child.move != won.move)) continue;
      decide_child(frame, child, won.bounds, won.zone);
      return true;
    }
    return false;
  }
  // The mover has lost whatever he plays.
  void lose_all(const Frame& frame, const Judgement<G>& lost) {
    for (Child& child : stack_.children_of(frame)) {
      if (decided(child.bounds)) continue;
      Cells zone = lost.zone;  // the move is answered inside it
      zone.remove(child.move);
      decide_child(frame, child, lost.bounds, zone);
    }
  }
  bool all_decided(const Frame& frame) const {
    const auto children = stack_.children_of(frame);
    return std::all_of(children.begin(), children.end(),
                       [&](const Child& child) { return decided(child.bounds); });
  }
  Cells zone_of_loss(const Frame& frame) const {
    std::vector<Cells> zones;
    zones.reserve(frame.count);
    const auto add = [&](const Cells& zone) {
      if (std::find(zones.begin(), zones.end(), zone) == zones.end()) zones.push_back(zone);
    };
    for (const Child& child : stack_.children_of(frame)) {
      const Cells& zone = stack_.zone_of(child);
      add(zone);
      if (frame.symmetric) symmetry_.for_each_twin(frame.state, zone, add);
    }
    return entered_.zone_of_replies(frame.state, zones);
  }

  std::optional<std::uint64_t> open_of_;  // the hash of a frame
  Cells open_;
};

}  // namespace playproof
