// What searchers of a question with a table have in common, whatever their numbers are: an explicit
// stack, symmetry, probes, what is saved. A two-stroke engine like the trees
// (host/tree/best_first.h): propose() goes on until a node's children need playouts, absorb()
// numbers them. What does not depend on the numbers stands in its base (host/table/any_searcher.h),
// what it knows of zones in the layer between (host/table/stack_zones.h). `Self` has the numbers:
// host/table/depth_first.h (phi and delta), host/table/depth_first_scheme.h (labels of a scheme).
//
//   call(requests)             enters the child that was chosen last, or the root
//   go_on()                    leaves what is to be left, and chooses
//   entered(frame, child)      a new frame, of that child; null: the root
//   made(frame, child)         a new child of it that is not finished
//   number_solved(frame, child)  the child's bounds decide the claim: its numbers say so
//   serialize_all(archive)     saves, or replaces everything by what was saved, by way of
//                              serialize_question(), serialize_stack() and then loaded()
//   serialize_frame(archive, frame), serialize_child(archive, child)
//   number_stands(frame, child)  can an unfinished child have the numbers that were read?
//   shown(child), shown(entry, attackers)  numbers of a child of the root, of an entry
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "games/core/connection.h"
#include "games/core/symmetry.h"
#include "host/probe/leaf_probe.h"
#include "host/question/counters.h"
#include "host/question/events.h"
#include "host/table/any_searcher.h"
#include "host/table/call_stack.h"
#include "host/table/position_table.h"
#include "host/table/stack_zones.h"
#include "host/table/table_question.h"

namespace playproof {

template <class Self, AcyclicGame G, class C, class F, TablePayload Payload, class O>
class TableSearcher : public StackZones<Self, G, C, F> {
  using Base = StackZones<Self, G, C, F>;

 public:
  using typename Base::Rules;
  using typename Base::State;
  using Zones = Base;
  using GameType = G;
  using Child = C;
  using Frame = F;
  using Options = O;
  using Stack = CallStack<G, C, F>;
  using Question = TableQuestion<G, Payload>;
  using Table = typename Question::Table;
  using Entry = typename Table::Entry;
  using Known = typename Table::Known;

  // Goes on with another question: what it knows of the last one is forgotten.
  void begin() {
    claim_ = question_.claim;
    counters_ = {};
    shallow_.clear();
    stack_.clear();
    waiting_ = false;
    of_tree_ = false;
    job_ = {question_.position, id(question_.position).hash()};
    State image = question_.position;
    job_.symmetric = symmetry_.to_canonical(image);
  }

  // Makes up to `calls` node entries; fewer when children need playouts (then their requests are
  // appended), when its root was looked at, or when the question's limits are met.
  std::uint32_t propose(std::uint32_t calls, std::vector<LeafRequest<G>>& requests) {
    return propose_while(calls, requests, [&] {
      if (!typed_question().room_for_call(stack_.bytes())) return false;
      ++question_.entries;
      return true;
    });
  }
  // The same where others see to limits: enters while there is room().
  template <class Room>
  std::uint32_t propose_while(std::uint32_t calls, std::vector<LeafRequest<G>>& requests,
                              Room&& room) {
    root_changed_ = false;
    std::uint32_t made = 0;
    while (made < calls && !waiting_ && !root_changed_ && room()) {
      self().call(requests);
      ++made;
      if (!waiting_) self().go_on();
    }
    return made;
  }
  // What it counts of the table goes there, not to the table's own counts: a thread's.
  void count_apart(TableCounters& counters) { table_counters_ = &counters; }

  const Options& options() const { return options_; }
  // Without those of the table.
  const Counters& counters() const { return counters_; }
  std::uint64_t peak_stack() const { return peak_stack_; }
  const Stack& stack() const { return stack_; }
  Stack& own_stack() { return stack_; }
  // Where it begins.
  const SearchJob<G>& job() const { return job_; }
  const AnyTableQuestion<G>& question() const { return question_; }

  // Of its root, once that is decided.
  Zone<G> zone() const {
    if constexpr (ZonedGame<G>) {
      if (zones_on() && !stack_.empty()) return zone_of(stack_.root(), question_.bounds);
    }
    return {};
  }

  NodeNumbers shown_child(std::size_t i) const {
    return Self::shown(stack_.children_of(stack_.root())[i]);
  }

  // What the question knows, apart from who searches for it.
  template <class Archive>
  [[gnu::cold]] void serialize_question(Archive& archive) {
    table_.serialize(archive, unknown_, question_.max_bytes);
    if constexpr (Archive::kLoading) {
      for (std::uint64_t i = 0; i < table_.size() && zones_on(); ++i) {
        const Entry& entry = table_.entry(i);
        const bool stands = !entry.used() || this->zone_stands(table_.beside(i), entry.bounds());
        archive.check(stands, "a zone that no position has");
      }
    }
    if constexpr (ConnectionGame<G>) {
      if (question_.patterns) question_.patterns->serialize(archive);
    }
  }

 protected:
  using Base::claim_;
  using Base::counters_;
  using Base::decided;
  using Base::id;
  using Base::is_attackers;
  using Base::job_;
  using Base::of_tree_;
  using Base::peak_stack_;
  using Base::probe_;
  using Base::question_;
  using Base::root_changed_;
  using Base::rules_;
  using Base::shallow_;
  using Base::stack_;
  using Base::symmetry_;
  using Base::unknown_;
  using Base::waiting_;
  using Base::zones_on;

  [[gnu::cold]] TableSearcher(Question& question, const Options& options)
      : Base(question, options),
        table_(question.table),
        table_counters_(&question.table.counters()),
        options_(options) {
    if (zones_on()) stack_.keep_zones();
  }

  // Puts the child that was chosen last, or the root, on the stack, with its children.
  Frame& enter() {
    if (stack_.empty()) {
      stack_.push(job_.state, job_.hash);
      stack_.top().symmetric = job_.symmetric;
      self().entered(stack_.top(), nullptr);
    } else {
      const Child child = stack_.chosen_child(stack_.top());
      stack_.push(child.state, child.hash);
      stack_.top().symmetric = child.symmetric;
      self().entered(stack_.top(), &child);
    }
    stack_.top().attackers = is_attackers(stack_.top().state);
    make_children();
    return stack_.top();
  }
  // A call that enters: counts it, and puts its frame on the stack.
  Frame& count_and_enter(bool again) {
    counters_.re_entries += again;
    counters_.nodes_expanded += !again;
    Frame& frame = enter();
    if (!again && question_.listener != nullptr) question_.listener->on_expanded(frame.hash);
    counters_.max_depth = std::max<std::uint64_t>(counters_.max_depth, depth());
    return frame;
  }
  // What the table says of a child, counted. What is not decided has no zone.
  std::optional<Known> look_up_entry(const Child& child) {
    return table_.look_up(child.hash, id(child.state), is_decided(), *table_counters_);
  }
  void note_useful(bool useful) { table_counters_->useful += useful; }
  void store(const Frame& frame, const Entry& entry, const Zone<G>& zone) {
    typed_question().store(frame.hash, entry, zone, *table_counters_);
  }
  // What was decided without a frame.
  void store(std::uint64_t hash, const Entry& entry) {
    table_.store(hash, entry, {}, *table_counters_);
  }
  // Plies below the question's position, of the children of the top.
  std::uint64_t depth() const { return job_.depth + stack_.size(); }
  void note_stack() { peak_stack_ = std::max(peak_stack_, stack_.bytes()); }

  // Notes that the node on top of the stack goes on with a child.
  void note_choice(Frame& frame, std::int32_t best) {
    counters_.branch_switches += frame.before == best && frame.chosen != best;
    if (frame.chosen != best) {
      if (depth() == 1) counters_.root_switches += frame.chosen >= 0;
      frame.before = frame.chosen;
      frame.chosen = best;
    }
    if (job_.depth > 0) return;  // what was chosen above is not its choice
    counters_.shallow_switches += shallow_.note(stack_, stack_.chosen_child(frame).move);
  }
  Bounds join(const Frame& frame, const Bounds& a, const Bounds& b) const {
    return frame.attackers ? Bounds::best(a, b) : Bounds::worst(a, b);
  }
  // What the children say of their parent.
  Bounds bounds_of(const Frame& frame) const {
    const auto children = stack_.children_of(frame);
    Bounds bounds = frame.broke ? unknown_ : children[0].bounds;
    for (const Child& child : children) bounds = join(frame, bounds, child.bounds);
    return bounds;
  }
  // A move of the side to move that holds its bound: the lower one of the attacker, else the upper.
  Move best_of(const Frame& frame, const Bounds& bounds) const {
    for (const Child& child : stack_.children_of(frame)) {
      const bool holds = frame.attackers ? child.bounds.lower() >= bounds.lower()
                                         : child.bounds.upper() <= bounds.upper();
      if (holds) return child.move;
    }
    return kNoMove;
  }
  void end(const Frame& root, const Bounds& bounds) {
    question_.best = best_of(root, bounds);
    question_.stop_reason = StopReason::kDecided;
  }

  // Returns the zone of a frame that is decided: what the table has already, as after another way
  // to the position, else what follows from its children.
  Zone<G> zone_of(const Frame& frame, const Bounds& bounds) const {
    const auto known = table_.find(frame.hash, id(frame.state), is_decided());
    if (known && decided(known->bounds())) return known->beside;
    return this->zone_of_children(frame, bounds);
  }

  // What was loaded of a search that ended, or goes on.
  template <class Archive>
  [[gnu::cold]] void loaded(Archive& archive) {
    archive.check(counts_stand(), "counts that a search with its stack and its table has not");
    const bool ended = question_.stop_reason == StopReason::kDecided;
    question_.bounds = stack_.empty() ? unknown_ : bounds_of(stack_.root());
    archive.check(ended == (decided(question_.bounds) && stack_.size() == 1),
                  "the search ended for another reason than it says");
    if (ended) question_.best = best_of(stack_.root(), question_.bounds);
    // The limits may be others now.
    if (!ended) question_.stop_reason = StopReason::kRunning;
    question_.entries = counters_.iterations;
  }
  // Can a search have counted so that has this stack and this table?
  [[gnu::cold]] bool counts_stand() const {
    std::uint64_t left = counters_.iterations;  // entries, each of one frame or below it
    for (std::size_t depth = 0; depth < stack_.size(); ++depth) {
      if (stack_.frame(depth).work > left) return false;
      left -= stack_.frame(depth).work;
    }
    return left == 0 && peak_stack_ <= Stack::most_bytes() &&
           table_.counters().has_grown_from(question_.table_before) &&
           Base::counts_stand(stack_.size(), self().playouts());
  }
  // Positions and moves follow from the choices, so only numbers are kept.
  template <class Archive>
  [[gnu::cold]] void serialize_stack(Archive& archive) {
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
      self().serialize_frame(archive, frame);
      serialize_children(archive, frame);
      const auto count = static_cast<std::int32_t>(frame.count);
      archive.check(
          -1 <= frame.chosen && frame.chosen < count && -1 <= frame.before && frame.before < count,
          "a choice of no child");
    }
    if (!Archive::kLoading || size == 0) return;
    archive.check(
        question_.stop_reason == StopReason::kDecided || (stack_.top().chosen >= 0 && can_enter()),
        "a path that does not go on");
  }

  Table& table_;                   // of the question
  TableCounters* table_counters_;  // where its use of that is counted
  Options options_;

 private:
  Self& self() { return static_cast<Self&>(*this); }
  const Self& self() const { return static_cast<const Self&>(*this); }

  auto is_decided() const {
    return [this](const Entry& entry) { return decided(entry.bounds()); };
  }
  Question& typed_question() { return static_cast<Question&>(question_); }
  // Makes the children of the top of the stack: states, and what the rules say of them.
  void make_children() {
    Frame& frame = stack_.top();
    Move moves[G::kMaxMoves];
    const int count = G::moves(rules_, frame.state, moves);
    const Player mover = G::to_move(rules_, frame.state);
    const std::vector<State> images = symmetry_.images(frame.state);
    const Zone<G> left_out = this->left_out(frame);
    if (options_.random_order) order_moves(options_, G::key(rules_, frame.state), moves, count);
    this->begin_frame();
    stack_.make_zones(static_cast<std::size_t>(count));
    for (int i = 0; i < count && !frame.broke; ++i) {
      if (this->is_left_out(left_out, moves[i])) continue;
      Child& child = stack_.add_child(frame.state, moves[i], unknown_);
      G::play(rules_, child.state, child.move);
      child.finished = G::finished(rules_, child.state);
      if (child.finished) {
        child.bounds =
            this->proved(Bounds::exact(value_for(claim_.attacker, G::value(rules_, child.state))));
        self().number_solved(frame, child);
        this->set_finished(child);
        frame.broke =
            options_.early_break && child.bounds.proves(claim_.threshold) == frame.attackers;
      } else {
        child.symmetric = symmetry_.to_canonical(child.state, images, mover, child.move);
        child.hash = id(child.state).hash();
        table_.prefetch(child.hash);
        self().made(frame, child);
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
  template <class Archive>
  [[gnu::cold]] void serialize_children(Archive& archive, const Frame& frame) {
    for (Child& child : stack_.children_of(frame)) {
      if (child.finished) continue;
      self().serialize_child(archive, child);
      Value lower = child.bounds.lower();
      Value upper = child.bounds.upper();
      archive(lower, upper, child.entered);
      if (zones_on()) this->serialize_zone(archive, child);
      if constexpr (!Archive::kLoading) continue;
      archive.check(unknown_.lower() <= lower && lower <= upper && upper <= unknown_.upper(),
                    "bounds that no position has");
      child.bounds = Bounds::unknown(lower, upper);
      archive.check(self().number_stands(frame, child), "numbers that no node has");
      archive.check(this->zone_stands(child), "a zone of what is not decided");
    }
  }
  bool can_enter() {
    const Child& child = stack_.chosen_child(stack_.top());
    return !child.finished && !decided(child.bounds);
  }
};

}  // namespace playproof
