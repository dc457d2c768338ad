// Depth-first search with a table by the labels of a scheme (kernels/schemes/scheme.h): those of
// PPN (kernels/schemes/ppn.h) are depth-first probability-based proof-number search, those of EWS
// (kernels/schemes/ews.h) Expected Work Search with a table. Labels, and which child is selected,
// are those of the scheme; a position that two lines lead to is searched once. The table holds
// every position that was evaluated, leaves too: a search that turns back as often as these do
// would play their playouts again and again.
//
// A label may become better and worse, so a node has no threshold that is only ever reached once:
// after each expansion the labels go up the stack as far as they change, and the search goes on
// below the first node, from the root, that now wants another child. With epsilon = 0, on trees,
// with a table that loses nothing, that is the order of the best-first search, expansion for
// expansion. Else a node stays with a child until another one is more than 1 + epsilon times as
// good, which the scheme says: nearly(or_node, a, b, share), is a at least `share` times as good as
// b? For PPN an interval of log p and log(1 - p) for each node would say the same
// (docs/readings.md).
//
// A table that lost positions makes a node forget how far it was, and a search that goes to and fro
// would never end. Then a child is left only after as many entries as it had in all earlier calls
// together, so that some call is long enough.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "host/table/call_stack.h"
#include "host/table/depth_first_scheme_options.h"
#include "host/table/label_payload.h"
#include "host/table/table_search.h"
#include "host/table/table_searcher.h"
#include "host/tree/node_numbers.h"
#include "kernels/schemes/leaf_at.h"
#include "kernels/schemes/scheme.h"

namespace playproof {

template <Game G, class Label>
struct LabelledChild : AnyCallChild<G> {
  using AnyCallChild<G>::AnyCallChild;

  Label label;
  std::uint64_t work = 0;  // entries below it since its parent was entered
};
template <Game G>
struct LabelledFrame : AnyCallFrame<G> {
  std::uint64_t least = 0;  // entries before it may be left
};

template <AcyclicGame G, Scheme S>
class DepthFirstSchemeSearcher final
    : public TableSearcher<
          DepthFirstSchemeSearcher<G, S>, G, LabelledChild<G, typename S::Label>, LabelledFrame<G>,
          LabelPayload<typename KeptLabel<typename S::Label>::Packed>, DepthFirstSchemeOptions<S>> {
  static_assert(S::kPlayouts);
  using Kept = KeptLabel<typename S::Label>;
  using Base = TableSearcher<DepthFirstSchemeSearcher<G, S>, G, LabelledChild<G, typename S::Label>,
                             LabelledFrame<G>, LabelPayload<typename Kept::Packed>,
                             DepthFirstSchemeOptions<S>>;
  friend Base;
  friend typename Base::Zones;

 public:
  using Label = typename S::Label;
  using typename Base::Child;
  using typename Base::Entry;
  using typename Base::Frame;
  using typename Base::Options;
  using typename Base::Question;
  using typename Base::Rules;
  using typename Base::State;
  using typename Base::Table;

  [[gnu::cold]] DepthFirstSchemeSearcher(Question& question, const Options& options)
      : Base(question, options) {}

  void absorb(std::span<const Tally> tallies) {
    if (!waiting_) return;
    std::size_t next = 0;
    for (Child& child : stack_.children_of(stack_.top())) {
      if (!child.needs_playouts) continue;
      child.needs_playouts = false;
      child.label = leaf_label(child, reached(tallies[next++], claim_));
      this->store(child.hash, {id(child.state), child.label, child.bounds, 0});
      counters_.playouts += static_cast<std::uint64_t>(options_.scheme.playouts);
      ++counters_.evaluations;
    }
    waiting_ = false;
    go_on();
  }

  bool plays() const { return true; }
  std::uint64_t playouts() const { return static_cast<std::uint64_t>(options_.scheme.playouts); }
  std::vector<Move> root_ties() const {
    std::vector<Move> ties;
    if (stack_.empty()) return ties;
    const Child* best = nullptr;
    for (const Child& child : stack_.children_of(stack_.root())) {
      if (child.needs_playouts || decided(child.bounds)) continue;
      if (best == nullptr || prefers(stack_.root(), child, *best)) {
        ties.clear();
        best = &child;
      }
      if (!prefers(stack_.root(), *best, child)) ties.push_back(child.move);
    }
    return ties;
  }

  // DepthFirstSearcher::root_numbers() says what this is.
  std::optional<Label> root_numbers() const {
    if (stack_.empty() || (waiting_ && stack_.size() == 1)) return std::nullopt;
    return summarise(stack_.root()).label;
  }
  std::optional<NodeNumbers> shown_root() const {
    const auto label = root_numbers();
    if (!label) return std::nullopt;
    return node_numbers(*label);
  }
  static NodeNumbers shown(const Child& child) { return node_numbers(child.label); }
  static NodeNumbers shown(const Entry& entry, bool /*attackers*/) {
    return node_numbers(entry.label());
  }

  // Saves, or replaces everything by what was saved, the question's part of it too.
  template <class Archive>
  [[gnu::cold]] void serialize_all(Archive& archive) {
    archive(counters_, this->peak_stack_, question_.stop_reason, question_.table_before,
            this->shallow_);
    this->serialize_question(archive);
    this->serialize_stack(archive);
    if constexpr (Archive::kLoading) this->loaded(archive);
  }

 private:
  using Base::claim_;
  using Base::counters_;
  using Base::decided;
  using Base::id;
  using Base::options_;
  using Base::probe_;
  using Base::question_;
  using Base::rules_;
  using Base::stack_;
  using Base::table_;
  using Base::unknown_;
  using Base::waiting_;

  // What the children say of their parent.
  struct Summary {
    Label label;
    Bounds bounds;
    std::int32_t best = -1;  // the open child that is selected, the one called last on ties
  };

  bool prefers(const Frame& parent, const Child& a, const Child& b) const {
    return options_.scheme.prefers(parent.attackers, a.label, b.label);
  }
  Label solved(const Bounds& bounds) const {
    return bounds.proves(claim_.threshold) ? options_.scheme.proved() : options_.scheme.disproved();
  }
  bool is_solved(const Label& label) const {
    return label == options_.scheme.proved() || label == options_.scheme.disproved();
  }
  // The label of a leaf, if so many of its playouts reach the goal.
  Label leaf_label(const Child& child, double reached) const {
    Leaf leaf = leaf_at<G>(rules_, claim_, options_.scheme, child.state,
                           static_cast<std::uint32_t>(stack_.size()));
    leaf.reached = reached;
    leaf.playouts = options_.scheme.playouts;
    return options_.scheme.leaf(leaf);
  }
  // The children of a frame, as schemes look at them.
  struct Children {
    struct One {
      const Label& label;
      bool decided;
      bool open() const { return !decided; }
    };
    const DepthFirstSchemeSearcher& search;
    std::span<const Child> all;

    int size() const { return static_cast<int>(all.size()); }
    One operator[](int i) const {
      const Child& child = all[static_cast<std::size_t>(i)];
      return {child.label, search.decided(child.bounds)};
    }
  };

  // Enters the child that was chosen last, or the root.
  void call(std::vector<LeafRequest<G>>& requests) {
    ++counters_.iterations;
    const bool again = !stack_.empty() && stack_.chosen_child(stack_.top()).entered;
    Frame& frame = this->count_and_enter(again);
    if (!frame.broke) number_children(frame, requests);
    this->note_stack();
  }

  // Hooks of host/table/table_searcher.h.
  void entered(Frame& frame, const Child* child) {
    if (child != nullptr && table_.counters().lost_any()) frame.least = child->work;
  }
  // It stays so where an early break decides the parent: then nobody evaluates it.
  void made(const Frame& /*frame*/, Child& child) { child.label = Kept::none(); }
  void number_solved(const Frame& /*frame*/, Child& child) { child.label = solved(child.bounds); }
  bool number_stands(const Frame& /*frame*/, const Child& child) const {
    if (decided(child.bounds)) return child.label == solved(child.bounds);
    return child.label.valid() && !is_solved(child.label);
  }
  template <class Archive>
  [[gnu::cold]] void serialize_frame(Archive& archive, Frame& frame) {
    const std::uint64_t before = frame.least;  // of who is entered now
    archive(frame.least, frame.chosen, frame.before, frame.work);
    archive.check(frame.least == 0 || frame.least == before, "more work than was done before");
  }
  template <class Archive>
  [[gnu::cold]] void serialize_child(Archive& archive, Child& child) {
    Kept::serialize(archive, child.label);
    archive(child.work);
    archive.check(child.work < stack_.top().work, "more work than its parent's");
  }

  // The way of one child, when its parent is entered.
  struct NewLeaf {
    DepthFirstSchemeSearcher& search;
    const Frame& parent;
    Child& child;
    std::vector<LeafRequest<G>>& requests;

    // A sibling's zone may have decided it, too.
    bool by_rules() const { return search.decided(child.bounds); }
    bool by_probe() {
      if (!search.probe_.applies_to(child.state)) return false;
      return !search.is_asked_before(child) && search.probed(child);
    }
    bool by_table() { return search.look_up(parent, child); }
    bool by_playouts() {
      child.needs_playouts = true;
      requests.push_back({child.state,
                          {search.options_.seed, G::key(search.rules_, child.state)},
                          0,
                          static_cast<std::uint32_t>(search.options_.scheme.playouts)});
      return true;
    }
    void by_number() {}  // its number is what playouts say
  };

  void number_children(Frame& frame, std::vector<LeafRequest<G>>& requests) {
    const std::size_t before = requests.size();
    if (this->zones_on()) {
      number_must_play(frame, requests);
    } else {
      for (Child& child : stack_.children_of(frame)) {
        leaf_way(NewLeaf{*this, frame, child, requests});
      }
    }
    waiting_ = requests.size() > before;
  }
  // What is known of the children comes first: it may decide their siblings, or the node.
  void number_must_play(Frame& frame, std::vector<LeafRequest<G>>& requests) {
    known_.clear();
    for (Child& child : stack_.children_of(frame)) {
      known_.push_back(leaf_is_known(NewLeaf{*this, frame, child, requests}) ||
                       this->ask_of_child(frame, child));
      if (decided(child.bounds) && this->mover_wins(frame, child.bounds)) return;
    }
    if (this->ask_patterns(frame) || this->ask_knowledge(frame)) return;
    std::size_t next = 0;
    for (Child& child : stack_.children_of(frame)) {
      const bool known = known_[next++];
      if (known || decided(child.bounds)) continue;
      if (this->is_put_off(frame, child)) {
        child.label = of_none(frame, child);
      } else {
        estimate_leaf(NewLeaf{*this, frame, child, requests});
      }
    }
  }
  // The label as if the side to move at the frame had won no playout.
  Label of_none(const Frame& frame, const Child& child) const {
    return leaf_label(child, frame.attackers ? 0 : options_.scheme.playouts);
  }
  // Does the table say what the probe would? One that may leave a position open has done so with
  // all that stand there.
  bool is_asked_before(const Child& child) const {
    const auto entry = table_.find(child.hash, id(child.state), [](const Entry&) { return false; });
    return entry && (!probe_.kDecides || decided(entry->bounds()));
  }
  // Asks the probe. True if it decides the child.
  bool probed(Child& child) {
    const Bounds bounds = Bounds::both(child.bounds, ask(probe_, child.state, claim_).bounds);
    probe_.count(counters_);
    if (!decided(bounds)) return false;
    child.bounds = bounds;
    child.label = solved(bounds);
    if (question_.listener != nullptr) question_.listener->on_decided(child.hash, bounds);
    this->store(child.hash, {id(child.state), child.label, bounds, 0});
    return true;
  }
  // False if the table does not know the position, or only that another claim was decided there.
  // What an open position was worth for another claim (goals `value` and `score`, a kept table) is
  // taken for this one.
  bool look_up(const Frame& parent, Child& child) {
    const auto entry = this->look_up_entry(child);
    if (!entry) return false;
    const bool solves = decided(entry->bounds());
    const Label known = entry->label();
    if (!solves && is_solved(known)) return false;
    const Label label = solves ? solved(entry->bounds()) : known;
    this->note_useful(label != child.label || entry->bounds() != child.bounds);
    child.label = label;
    child.bounds = this->proved(entry->bounds());
    child.entered = entry->entered();
    if (solves && this->zones_on()) this->take_zone(parent, child, entry->beside);
    return true;
  }

  Summary summarise(const Frame& frame) const {
    const Children children{*this, stack_.children_of(frame)};
    Summary s{{}, this->proved(this->bounds_of(frame))};
    const bool held = frame.chosen >= 0 && children[frame.chosen].open();
    s.best = best_open_child(options_.scheme, frame.attackers, children, held ? frame.chosen : -1);
    if (decided(s.bounds)) {
      s.label = solved(s.bounds);
    } else {
      options_.scheme.back_up(frame.attackers, children, s.label);
    }
    return s;
  }

  // The top has its children, or learnt something of them: leaves what is to be left, and chooses.
  void go_on() {
    while (true) {
      const std::size_t chooser = back_up();
      bool news = false;
      while (stack_.size() - 1 > chooser) {
        const std::uint64_t work = leave();
        news = stack_.size() - 1 == chooser && work > stack_.top().count && refresh(stack_.top());
      }
      if (news) continue;
      Frame& frame = stack_.top();
      const Summary s = summarise(frame);
      if (!decided(s.bounds)) {
        this->note_choice(frame, s.best);
        return;
      }
      const Zone<G> zone = this->zones_on() ? this->zone_of(frame, s.bounds) : Zone<G>{};
      this->store(frame, {id(frame.state), s.label, s.bounds, frame.work}, zone);  // the root
      if (question_.listener != nullptr) question_.listener->on_decided(frame.hash, s.bounds);
      this->end(frame, s.bounds);
      return;
    }
  }
  // Numbers go up the stack as far as they change. Returns the depth of the first node from the
  // root that chooses anew; the top does in any case.
  std::size_t back_up() {
    std::size_t chooser = stack_.size() - 1;
    std::uint64_t below = 0;  // entries below the node that is looked at
    for (std::size_t depth = stack_.size(); depth-- > 0;) {
      const Frame& frame = stack_.frame(depth);
      const Summary s = summarise(frame);
      ++counters_.node_visits;
      if (depth + 1 < stack_.size() && !stays(frame, s, below, stack_.frame(depth + 1).least)) {
        chooser = depth;
      }
      below += frame.work;
      if (depth == 0) {
        this->root_changed_ = true;
        question_.bounds = s.bounds;
        break;
      }
      Child& child = stack_.chosen_child(stack_.frame(depth - 1));
      const bool same = child.label == s.label && child.bounds == s.bounds;
      child.label = s.label;
      child.bounds = Bounds::both(child.bounds, s.bounds);
      if (same) break;
      if (decided(s.bounds) && this->zones_on()) {
        const Zone<G> zone = this->zone_of(frame, s.bounds);
        this->note_pattern(frame, s.bounds, zone);
        this->take_zone(stack_.frame(depth - 1), child, zone);
      }
    }
    return chooser;
  }
  // Does the node go on with the child that it called last?
  bool stays(const Frame& frame, const Summary& s, std::uint64_t below, std::uint64_t least) const {
    const Child& chosen = stack_.chosen_child(frame);
    if (decided(chosen.bounds)) return false;
    if (s.best == frame.chosen || below < least) return true;
    if (options_.epsilon == 0) return false;
    const Child& best = stack_.children_of(frame)[static_cast<std::size_t>(s.best)];
    return options_.scheme.nearly(frame.attackers, chosen.label, best.label,
                                  1 / (1 + options_.epsilon));
  }
  // Leaves the top, whose number its parent has; returns the entries below it.
  std::uint64_t leave() {
    const Frame left = stack_.top();
    Zone<G> zone;
    if (this->zones_on()) {
      const Bounds bounds = summarise(left).bounds;
      if (decided(bounds)) zone = this->zone_of(left, bounds);
    }
    stack_.pop();
    Frame& parent = stack_.top();
    Child& child = stack_.chosen_child(parent);
    child.entered = true;
    child.work += left.work;
    parent.work += left.work;
    this->store(left, {id(left.state), child.label, child.bounds, left.work}, zone);
    if (question_.listener != nullptr && decided(child.bounds))
      question_.listener->on_decided(left.hash, child.bounds);
    return left.work;
  }
  // A long search below one child may have met positions of its siblings: has the table news?
  bool refresh(const Frame& parent) {
    bool news = false;
    for (Child& child : stack_.children_of(parent)) {
      if (decided(child.bounds)) continue;
      const Label label = child.label;
      const Bounds bounds = child.bounds;
      look_up(parent, child);
      news = news || child.label != label || child.bounds != bounds;
    }
    return news;
  }

  std::vector<bool> known_;  // of the top's children, while it is entered with zones
};

// By one searcher.
template <AcyclicGame G, Scheme S>
using DepthFirstScheme = TableSearch<DepthFirstSchemeSearcher<G, S>>;

}  // namespace playproof
