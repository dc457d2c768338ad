// Depth-first proof-number search with a table: df-pn and its family (Nagai 2002; survey S2 section
// 4, figure 5).
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
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "host/table/call_stack.h"
#include "host/table/child_order.h"
#include "host/table/depth_first_options.h"
#include "host/table/proof_table.h"
#include "host/table/stack_zones.h"
#include "host/table/table_search.h"
#include "host/table/table_searcher.h"
#include "host/tree/node_numbers.h"

namespace playproof {

template <AcyclicGame G>
class DepthFirstSearcher final
    : public TableSearcher<DepthFirstSearcher<G>, G, CallChild<G>, CallFrame<G>, ProofPayload,
                           DepthFirstOptions> {
  using Base = TableSearcher<DepthFirstSearcher<G>, G, CallChild<G>, CallFrame<G>, ProofPayload,
                             DepthFirstOptions>;
  friend Base;
  friend class StackZones<DepthFirstSearcher<G>, G, CallChild<G>, CallFrame<G>>;

 public:
  using typename Base::Child;
  using typename Base::Entry;
  using typename Base::Frame;
  using typename Base::Options;
  using typename Base::Question;
  using typename Base::Rules;
  using typename Base::Stack;
  using typename Base::State;

  [[gnu::cold]] DepthFirstSearcher(Question& question, const Options& options)
      : Base(question, options), order_(options.by_resistance, options.widening) {
    if constexpr (HasLinks<G>) {
      if (order_.on()) this->entered_.want_currents();
    }
  }

  void absorb(std::span<const Tally> tallies) {
    if (!waiting_) return;
    const auto playouts = static_cast<double>(options_.leaf.playouts());
    std::size_t next = 0;
    for (Child& child : stack_.children_of(stack_.top())) {
      if (!child.needs_playouts) continue;
      child.needs_playouts = false;
      const double wins = reached(tallies[next++], claim_);
      const PhiDeltaPair numbers = child.turned_for_parent(
          leaf_numbers(child, is_attackers(child.state) ? wins : playouts - wins, 1));
      firsts_.add(numbers.delta);
      if (!child.numbered) child.numbers = numbers;
      counters_.playouts += static_cast<std::uint64_t>(options_.leaf.playouts());
      ++counters_.evaluations;
    }
    stack_.top().average = firsts_.mean();
    waiting_ = false;
    go_on();
  }

  bool plays() const { return playouts() > 0; }
  std::uint64_t playouts() const { return static_cast<std::uint64_t>(options_.leaf.playouts()); }
  std::vector<Move> root_ties() const {
    std::vector<Move> ties;
    if (stack_.empty()) return ties;
    PhiDelta least = kPhiDeltaInfinity;
    const std::uint32_t end = end_of_look(stack_.root());
    for (const Child& child : stack_.children_of(stack_.root())) {
      if (child.needs_playouts || decided(child.bounds) || child.rank >= end) continue;
      if (child.numbers.delta < least) ties.clear();
      least = std::min(least, child.numbers.delta);
      if (child.numbers.delta == least) ties.push_back(child.move);
    }
    return ties;
  }

  // The root's numbers, as its children say now; none before they are numbered.
  std::optional<PhiDeltaPair> root_numbers() const {
    if (stack_.empty() || (waiting_ && stack_.size() == 1)) return std::nullopt;
    return numbers_of(stack_.root(), summarise(stack_.root()));
  }

  std::optional<NodeNumbers> shown_root() const {
    const auto numbers = root_numbers();
    if (!numbers) return std::nullopt;
    return node_numbers(*numbers, true);
  }

  // A job of a tree (host/jobs/job_tree.h): the root is another position than the question's, is
  // called with this threshold, and left when that is met, it is decided or the entries are made.
  void start(const SearchJob<G>& job, const PhiDeltaPair& threshold) {
    stack_.clear();
    if (this->zones_on()) stack_.keep_zones();
    waiting_ = false;
    found_.reset();
    of_tree_ = true;
    job_ = job;
    job_threshold_ = threshold;
    first_entry_ = counters_.iterations;
    last_entry_ = first_entry_ + std::min(job.entries, SearchLimits::kNone - first_entry_);
  }
  // What a job has found of its root, as the side to move sees it.
  struct Found {
    PhiDeltaPair numbers;
    Bounds bounds;
    Zone<G> zone;  // once it is solved
    bool solved = false;
    std::uint64_t entries = 0;
  };
  bool done() const { return found_.has_value(); }
  const Found& found() const { return *found_; }
  // The job ends before its time; what is on the stack goes into the table.
  void stop() {
    last_entry_ = 0;
    if (!waiting_ && !stack_.empty() && !done()) go_on();
  }

  // A tree of jobs reckons with its frames as if each were all of a stack.
  void exchange(Stack& stack) { std::swap(stack_, stack); }
  // Numbers of the top if its children show these, where proofs may be no more than likely; and
  // which child is to be called with which threshold, as the side to move there sees it, if the top
  // is called with this one.
  struct Outlook {
    PhiDeltaPair numbers;
    std::int32_t best = -1;
    PhiDeltaPair threshold;
  };
  // shown(i, child): of an undecided child, as the top's opponent sees it.
  template <class Shown>
  Outlook outlook(const PhiDeltaPair& threshold, Shown&& shown) {
    const Frame& frame = stack_.top();
    const auto children = stack_.children_of(frame);
    kept_.clear();
    bool wins = false;
    bool loses = true;
    for (std::size_t i = 0; i < children.size(); ++i) {
      Child& child = children[i];
      kept_.push_back(child.numbers);
      if (!decided(child.bounds)) child.numbers = shown(i, child);
      wins = wins || child.numbers == kMoverLoses;
      loses = loses && child.numbers == kMoverWins;
    }
    Outlook outlook{wins ? kMoverWins : kMoverLoses, -1, {}};
    if (!wins && !loses) {
      const Summary s = summarise(frame);
      const Child& chosen = children[static_cast<std::size_t>(s.best)];
      outlook = {{capped(s.phi), s.delta},
                 s.best,
                 chosen.turned_for_parent(threshold_of(chosen, frame, s, threshold))};
    }
    for (std::size_t i = 0; i < children.size(); ++i) children[i].numbers = kept_[i];
    return outlook;
  }
  // Numbers, bounds and zone of the top, as its children say, which the table has from now on;
  // `work`: entries below it.
  Found settle(std::uint64_t work) {
    Frame& frame = stack_.top();
    wake(frame);
    frame.work = work;
    const Summary summary = summarise(frame);
    const PhiDeltaPair numbers = numbers_of(frame, summary);
    const Zone<G> zone = note_result(frame, summary, numbers);
    return {numbers, this->proved(summary.bounds), zone, decided(summary.bounds)};
  }
  // What was found of a child of the top.
  void take_child(std::size_t i, const Found& found) {
    const Frame& frame = stack_.top();
    take_result(frame, stack_.children_of(frame)[i], found.numbers, found.bounds, found.zone);
  }
  // What the table tells of the top's undecided children; no numbers of those that are known(i)
  // better.
  template <class KnownBetter>
  void refresh_top(KnownBetter&& known) {
    const Frame& frame = stack_.top();
    const auto children = stack_.children_of(frame);
    for (std::size_t i = 0; i < children.size(); ++i) {
      Child& child = children[i];
      if (decided(child.bounds)) continue;
      const Child before = child;
      if (!look_up(frame, child) || (known(i) && !decided(child.bounds))) child = before;
    }
  }
  Move best_of_top(const Bounds& bounds) const { return this->best_of(stack_.top(), bounds); }

  // The numbers as the root's opponent sees them.
  static NodeNumbers shown(const Child& child) { return node_numbers(child.numbers, false); }
  static NodeNumbers shown(const Entry& entry, bool attackers) {
    return node_numbers(entry.numbers(), attackers);
  }

  // Saves, or replaces everything by what was saved, the question's part of it too.
  template <class Archive>
  [[gnu::cold]] void serialize_all(Archive& archive) {
    archive(counters_, peak_stack_, question_.stop_reason, next_threshold_, question_.table_before,
            shallow_);
    archive.check(are_thresholds(next_threshold_), "a threshold that no node has");
    this->serialize_question(archive);
    this->serialize_stack(archive);
    if constexpr (!Archive::kLoading) return;
    this->loaded(archive);
  }

 private:
  using Base::claim_;
  using Base::counters_;
  using Base::decided;
  using Base::id;
  using Base::is_attackers;
  using Base::job_;
  using Base::of_tree_;
  using Base::options_;
  using Base::peak_stack_;
  using Base::probe_;
  using Base::question_;
  using Base::root_changed_;
  using Base::rules_;
  using Base::shallow_;
  using Base::stack_;
  using Base::table_;
  using Base::unknown_;
  using Base::waiting_;

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

  // Enters the child that was chosen last, or the root. Nothing is entered if a probe decides it.
  void call(std::vector<LeafRequest<G>>& requests) {
    ++counters_.iterations;
    bool again = job_.entered;
    if (stack_.empty()) {
      if (decides_job()) return;
    } else {
      Child& child = stack_.chosen_child(stack_.top());
      if (probe_.kDecides && probe_.applies_to(child.state) && decide(child)) {
        ++stack_.top().work;
        return;
      }
      again = child.entered;
    }
    Frame& frame = this->count_and_enter(again);
    if (!frame.broke) number_children(frame, requests);
    this->note_stack();
  }
  // Asks the probe that takes it about a child of the top. (The root needs a move, and is never
  // asked about.)
  bool decide(Child& child) {
    const Bounds bounds = Bounds::both(child.bounds, ask(probe_, child.state, claim_).bounds);
    probe_.count(counters_);
    if (!decided(bounds)) return false;
    child.bounds = bounds;
    child.numbers = solved(stack_.top(), child);
    child.entered = true;
    if (question_.listener != nullptr) question_.listener->on_decided(child.hash, child.bounds);
    const PhiDeltaPair own = child.turned_for_parent(child.numbers);
    this->store(child.hash, {id(child.state), own, child.bounds, 1});
    return true;
  }
  // Hooks of host/table/table_searcher.h.
  void entered(Frame& frame, const Child* child) {
    frame.threshold = child != nullptr ? child->turned_for_parent(next_threshold_)
                      : of_tree_       ? job_threshold_
                                       : options_.rule.of_root();
  }
  void made(const Frame& frame, Child& child) {
    child.same_mover = is_attackers(child.state) == frame.attackers;
    child.cost = options_.edge(options_.edge.needs_moves() ? moves_of(child.state) : 0);
  }
  void number_solved(const Frame& frame, Child& child) { child.numbers = solved(frame, child); }
  bool number_stands(const Frame& frame, const Child& child) const {
    if (decided(child.bounds)) return child.numbers == solved(frame, child);
    return child.numbers.open() || (this->puts_off() && child.numbers == kMoverWins);
  }
  template <class Archive>
  [[gnu::cold]] void serialize_frame(Archive& archive, Frame& frame) {
    archive(frame.threshold, frame.chosen, frame.before, frame.work, frame.average);
    archive.check(are_thresholds(frame.threshold) && frame.average <= kPhiDeltaCap,
                  "a threshold that no node has");
  }
  template <class Archive>
  [[gnu::cold]] void serialize_child(Archive& archive, Child& child) {
    archive(child.numbers);
    if (!order_.on()) return;
    archive(child.rank);
    archive.check(child.rank < stack_.top().count, "a rank that no child has");
  }

  // The way of one child, when its parent is entered.
  struct NewLeaf {
    DepthFirstSearcher& search;
    Frame& parent;
    Child& child;
    std::vector<LeafRequest<G>>& requests;
    int replies = 1;       // of the parent that are left to try
    bool put_off = false;  // until it is entered: a probe will decide it

    // A sibling's zone may have decided it, too.
    bool by_rules() const { return search.decided(child.bounds); }
    // One that decides whatever it takes is asked once the child is entered. Its numbers are then
    // those of mobility, whatever the others have: the position with the fewest replies is tried
    // first. One that may leave it open has done so with what stands in the table.
    bool by_probe() {
      const bool takes = search.probe_.applies_to(child.state);
      put_off = search.probe_.kDecides && takes;
      return takes && !put_off && !search.is_in_table(child) && search.decide(child);
    }
    bool by_table() {
      child.numbered = search.look_up(parent, child);
      // The mean of first numbers needs them of every open child, also of those in the table.
      const bool wanted = search.options_.rule.needs_average() && !search.decided(child.bounds);
      return child.numbered && !wanted;
    }
    [[gnu::always_inline]] bool by_playouts() {
      const int playouts = search.options_.leaf.playouts();
      if (put_off || playouts == 0) return false;
      child.needs_playouts = true;
      requests.push_back({child.state,
                          {search.options_.seed, G::key(search.rules_, child.state)},
                          0,
                          static_cast<std::uint32_t>(playouts)});
      return true;
    }
    void by_number() {
      const PhiDeltaPair own =
          put_off ? search.by_mobility(child) : search.leaf_numbers(child, 0, replies);
      const PhiDeltaPair numbers = child.turned_for_parent(own);
      search.firsts_.add(numbers.delta);
      if (!child.numbered) child.numbers = numbers;
    }
  };

  void number_children(Frame& frame, std::vector<LeafRequest<G>>& requests) {
    const std::size_t before = requests.size();
    firsts_ = {};
    if (this->zones_on() || asks_children()) {
      number_must_play(frame, requests);
    } else {
      const int replies = left_to_try(frame);
      for (Child& child : stack_.children_of(frame)) {
        leaf_way(NewLeaf{*this, frame, child, requests, replies});
      }
    }
    frame.average = firsts_.mean();
    waiting_ = requests.size() > before;
  }
  // What is known of the children comes first: it may decide their siblings, or the node.
  void number_must_play(Frame& frame, std::vector<LeafRequest<G>>& requests) {
    const bool at_once = numbers_at_once();
    for (Child& child : stack_.children_of(frame)) {
      NewLeaf leaf{*this, frame, child, requests};
      const bool known = leaf_is_known(leaf) || this->ask_of_child(frame, child);
      if (!known && at_once) estimate_leaf(leaf);
      if (known && decided(child.bounds) && this->mover_wins(frame, child.bounds)) return;
    }
    if (this->ask_patterns(frame) || this->ask_knowledge(frame)) return;
    if constexpr (HasLinks<G>) {
      order_.rank(
          stack_.children_of(frame), [&](const Child& child) { return !decided(child.bounds); },
          [&](const Child& child) { return this->is_put_off(frame, child); },
          [&]() -> const auto& { return this->entered_.currents(frame.state); });
    }
    if (at_once) return;
    const bool wanted = options_.rule.needs_average();
    const int replies = left_to_try(frame);
    for (Child& child : stack_.children_of(frame)) {
      if (decided(child.bounds)) continue;
      if (this->is_put_off(frame, child)) {
        child.numbers = kMoverWins;
      } else if (!child.numbered || wanted) {
        estimate_leaf(NewLeaf{*this, frame, child, requests, replies});
      }
    }
  }
  // May the probe decide them before they have numbers?
  bool asks_children() const { return !probe_.kDecides && probe_.on(); }
  bool is_in_table(const Child& child) const {
    return table_.find(child.hash, id(child.state), [](const Entry&) { return false; }).has_value();
  }
  // Do numbers cost nothing, and need nothing that is known of siblings?
  bool numbers_at_once() const {
    return !plays() && !options_.leaf.needs_mobility() && !options_.leaf.needs_replies() &&
           !options_.rule.needs_average() && !this->puts_off();
  }
  // Replies that are neither decided nor put off: in games with zones the must-play.
  int left_to_try(const Frame& frame) const {
    if (!options_.leaf.needs_replies()) return 1;
    const auto children = stack_.children_of(frame);
    return static_cast<int>(
        std::count_if(children.begin(), children.end(), [&](const Child& child) {
          return !decided(child.bounds) && !this->is_put_off(frame, child);
        }));
  }
  // Was it never put off, or is it no more?
  static bool is_awake(const Child& child) { return child.numbers.open(); }
  // Moves that are put off count as lost until all others are.
  void wake(const Frame& frame) {
    if (!this->puts_off()) return;
    const auto children = stack_.children_of(frame);
    const auto is_open = [&](const Child& child) {
      return !decided(child.bounds) && is_awake(child);
    };
    if (std::any_of(children.begin(), children.end(), is_open)) return;
    const auto replies =
        static_cast<int>(std::count_if(children.begin(), children.end(),
                                       [&](const Child& child) { return !decided(child.bounds); }));
    for (Child& child : children) {
      if (decided(child.bounds)) continue;
      child.numbers =
          child.turned_for_parent(leaf_numbers(child, options_.leaf.playouts(), replies));
    }
  }

  // False if the table does not know the position, or only numbers of another question.
  [[gnu::always_inline]] bool look_up(const Frame& parent, Child& child) {
    const auto entry = this->look_up_entry(child);
    if (!entry) return false;
    const PhiDeltaPair numbers = child.numbers;
    const Bounds bounds = child.bounds;
    child.bounds = this->proved(entry->bounds());
    child.entered = true;
    const bool solves = decided(child.bounds);
    child.numbers = solves ? solved(parent, child) : child.turned_for_parent(entry->numbers());
    const bool known = solves || child.numbers.open();
    const bool news = child.numbers != numbers || child.bounds != bounds;
    this->note_useful(known && news);
    if (solves && this->zones_on()) this->take_zone(parent, child, entry->beside);
    return known;
  }
  // The child is decided: does its parent's side win?
  PhiDeltaPair solved(const Frame& parent, const Child& child) const {
    const bool proved = child.bounds.proves(claim_.threshold);
    return proved == parent.attackers ? kMoverLoses : kMoverWins;
  }
  int moves_of(const State& state) const {
    Move moves[G::kMaxMoves];
    return G::moves(rules_, state, moves);
  }
  PhiDeltaPair leaf_numbers(const Child& child, double wins, int replies) const {
    const int mobility = options_.leaf.needs_mobility() ? moves_of(child.state) : 0;
    return options_.leaf(static_cast<std::uint32_t>(this->depth()), mobility, wins, replies);
  }
  PhiDeltaPair by_mobility(const Child& child) const {
    const PhiDelta one = options_.leaf.unit_number();
    return {one, one * static_cast<PhiDelta>(moves_of(child.state))};
  }

  // Leaves nodes whose thresholds are met, until a child is to be called, or the root is decided or
  // the job done.
  void go_on() {
    while (!stack_.empty()) {
      Frame& frame = stack_.top();
      wake(frame);
      const Summary summary = summarise(frame);
      const bool at_root = stack_.size() == 1;
      const bool stays = at_root && !of_tree_;
      if (at_root) root_changed_ = true;
      if (stays) question_.bounds = summary.bounds;
      const PhiDeltaPair numbers = numbers_of(frame, summary);
      const bool solved = decided(summary.bounds);
      const bool met = options_.rule.met(frame.threshold, numbers) || is_spent();
      if (stays && met && !solved) frame.threshold = options_.rule.of_root_again(numbers);
      if (!solved && (stays || !met)) {
        choose(frame, summary);
        return;
      }
      const Zone<G> zone = note_result(frame, summary, numbers);
      if (at_root) {
        if (of_tree_) return note_found({numbers, this->proved(summary.bounds), zone, solved});
        this->end(frame, summary.bounds);
        return;
      }
      leave(summary, zone);
    }
  }
  // Stores what is known of the top, which is left, and tells who listens. Returns its zone, if it
  // is decided.
  Zone<G> note_result(const Frame& frame, const Summary& summary, const PhiDeltaPair& numbers) {
    const bool solved = decided(summary.bounds);
    if (solved && question_.listener != nullptr) {
      question_.listener->on_decided(frame.hash, summary.bounds);
    }
    const Zone<G> zone =
        solved && this->zones_on() ? this->zone_of(frame, summary.bounds) : Zone<G>{};
    if (solved && this->zones_on()) this->note_pattern(frame, summary.bounds, zone);
    this->store(frame, {id(frame.state), numbers, this->proved(summary.bounds), frame.work}, zone);
    ++counters_.node_visits;
    return zone;
  }
  // Has a job made all its entries?
  bool is_spent() const { return counters_.iterations >= last_entry_; }
  void note_found(const Found& found) {
    found_ = found;
    found_->entries = counters_.iterations - first_entry_;
  }
  // Does the probe decide the position of a job?
  bool decides_job() {
    if (!of_tree_ || job_.depth == 0 || !probe_.kDecides || !probe_.applies_to(job_.state))
      return false;
    const Bounds bounds = ask(probe_, job_.state, claim_).bounds;
    probe_.count(counters_);
    if (!decided(bounds)) return false;
    const bool wins = bounds.proves(claim_.threshold) == is_attackers(job_.state);
    const PhiDeltaPair numbers = wins ? kMoverWins : kMoverLoses;
    if (question_.listener != nullptr) question_.listener->on_decided(job_.hash, bounds);
    this->store(job_.hash, {id(job_.state), numbers, bounds, 1});
    root_changed_ = true;
    note_found({numbers, bounds, {}, true});
    return true;
  }

  std::uint32_t end_of_look(const Frame& frame) const {
    return order_.end_of_look(stack_.children_of(frame), [&](const Child& child) {
      return !decided(child.bounds) && is_awake(child);
    });
  }
  // Left to right, or in the order of their ranks: the first of equal children is taken, but the
  // one that was called last stays chosen while it ties (E7).
  Summary summarise(const Frame& frame) const {
    const auto children = stack_.children_of(frame);
    const std::uint32_t end = end_of_look(frame);
    Summary s{.bounds = frame.broke ? unknown_ : children[0].bounds};
    for (std::int32_t i = 0; i < static_cast<std::int32_t>(frame.count); ++i) {
      const Child& child = children[static_cast<std::size_t>(i)];
      const PhiDeltaPair c = over_edge(child);
      s.bounds = this->join(frame, s.bounds, child.bounds);
      s.delta += std::min(c.phi, kPhiDeltaCap);
      if (child.rank >= end && !decided(child.bounds)) continue;
      if (c.delta < s.phi || (c.delta == s.phi && goes_first(children, frame, i, s.best)) ||
          s.best < 0) {
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
  // Which of two children with equal numbers goes first?
  static bool goes_first(std::span<const Child> children, const Frame& frame, std::int32_t i,
                         std::int32_t before) {
    if (i == frame.chosen || before == frame.chosen || before < 0) return i == frame.chosen;
    return children[static_cast<std::size_t>(i)].rank <
           children[static_cast<std::size_t>(before)].rank;
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
    this->note_choice(frame, s.best);
    next_threshold_ = threshold_of(stack_.chosen_child(frame), frame, s, frame.threshold);
  }
  // What a child is called with, as its parent's opponent sees it.
  PhiDeltaPair threshold_of(const Child& chosen, const Frame& frame, const Summary& s,
                            const PhiDeltaPair& threshold) const {
    const Choice choice{
        {s.phi, s.delta}, over_edge(chosen), s.second, frame.average, frame.attackers};
    return before_edge(chosen, options_.rule.of_child(threshold, choice));
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
  // Hands what was found to the parent. `zone`: if it is decided, as the board lies in the table.
  void leave(const Summary& s, const Zone<G>& zone) {
    const PhiDeltaPair numbers = numbers_of(stack_.top(), s);
    const std::uint64_t work = stack_.top().work;
    stack_.pop();
    Frame& parent = stack_.top();
    parent.work += work;
    take_result(parent, stack_.chosen_child(parent), numbers, s.bounds, zone);
    refresh(parent, work);
  }
  void take_result(const Frame& parent, Child& child, const PhiDeltaPair& numbers,
                   const Bounds& bounds, const Zone<G>& zone) {
    child.numbers = child.turned_for_parent(numbers);
    child.bounds = this->proved(Bounds::both(child.bounds, bounds));
    child.entered = true;
    if (decided(child.bounds) && this->zones_on()) this->take_zone(parent, child, zone);
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
  PhiDeltaPair next_threshold_;
  PhiDeltaPair job_threshold_;                      // of a job
  std::uint64_t first_entry_ = 0;                   // entries before the job
  std::uint64_t last_entry_ = SearchLimits::kNone;  // and when it is spent
  std::optional<Found> found_;                      // by a job that is done
  std::vector<PhiDeltaPair> kept_;                  // while it looks ahead
  FirstNumbers firsts_;  // of the top's children, until they all have theirs
  ChildOrder<G> order_;
};

// By one searcher.
template <AcyclicGame G>
using DepthFirst = TableSearch<DepthFirstSearcher<G>>;

}  // namespace playproof
