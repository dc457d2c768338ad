// Depth-first search by the labels of a scheme, with a table, of games whose positions can come
// again: what host/table/depth_first_scheme.h is of other games (its order of expansions, its
// epsilon), right on cycles (host/table/path_table_search.h). Labels are of PPN or EWS.
//
// Labels may feed on themselves around a cycle, and twins may be lost; so a child is left, for
// another one that is better, only after as many calls as it had in all earlier visits of its
// parent together: some visit is long enough.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "host/playouts/evaluator.h"
#include "host/table/path_table_search.h"
#include "kernels/schemes/leaf_at.h"
#include "kernels/schemes/scheme.h"

namespace playproof {

template <Game G, class S>
struct PathSchemeOptions : PathTableOptions {
  S scheme;
  double epsilon = 0;  // a child is left when another one is more than 1 + epsilon times as good
  std::shared_ptr<PlayoutEvaluator<G>> playouts;  // asked about the children of one node at a time
};
template <Game G, class Label>
struct PathSchemeChild : PathChild<G, Label> {
  std::uint64_t work = 0;  // calls below it since its parent was entered
};
template <Game G>
struct PathSchemeFrame : PathFrame<G> {
  std::uint64_t least = 0;  // calls before it may be left
};

template <Game G, Scheme S>
class PathSchemeSearch final
    : public PathTableSearch<PathSchemeSearch<G, S>, G, PathSchemeChild<G, typename S::Label>,
                             PathSchemeFrame<G>, typename S::Label, PathSchemeOptions<G, S>> {
  using Base = PathTableSearch<PathSchemeSearch<G, S>, G, PathSchemeChild<G, typename S::Label>,
                               PathSchemeFrame<G>, typename S::Label, PathSchemeOptions<G, S>>;
  friend Base;

 public:
  using Label = typename S::Label;
  using typename Base::Options;
  using typename Base::Rules;
  using typename Base::State;

  PathSchemeSearch(const Rules& rules, const Claim& claim, const Options& options)
      : Base(rules, claim, options) {}

 private:
  using Base::children_of;
  using Base::chosen_of;
  using Base::claim_;
  using Base::counters_;
  using Base::frames_;
  using Base::options_;
  using Base::path_;
  using Base::root_;
  using Base::rules_;
  using Base::table_;
  using typename Base::Child;
  using typename Base::Entry;
  using typename Base::Frame;
  using typename Base::Verdict;

  // What the children say of their parent.
  struct Summary {
    Verdict verdict;
    Label label;
    std::int32_t best = -1;  // the open child that is selected, the one called last on ties
  };
  // The children of a frame, as schemes look at them.
  struct Children {
    struct One {
      const Label& label;
      bool decided;
      bool open() const { return !decided; }
    };
    std::span<const Child> all;

    int size() const { return static_cast<int>(all.size()); }
    One operator[](int i) const {
      const Child& child = all[static_cast<std::size_t>(i)];
      return {child.numbers, child.answer != Answer::kOpen};
    }
  };

  // Hooks of host/table/path_table_search.h.
  Label numbers_of(Answer answer) const {
    return answer == Answer::kProved ? options_.scheme.proved() : options_.scheme.disproved();
  }
  static Label numbers_of_nothing(const State& /*state*/) { return KeptLabel<Label>::none(); }
  bool number_stands(const Label& label) const {
    return label.valid() && label != options_.scheme.proved() &&
           label != options_.scheme.disproved();
  }
  void entered(Frame& frame) const {
    frame.least = frames_.empty() ? 0 : chosen_of(frames_.back()).work;
  }
  void call() {
    Frame frame = this->next_frame();
    const Entry* entry = table_.find(frame.id, frame.hash);
    this->count_entry(&frame, entry == nullptr || entry->work <= kLeaf, entry);
    requests_.clear();
    this->make_children(&frame, [&](const Child& child) {
      if (!child.seen) requests_.push_back(request(child.state));
    });
    frames_.push_back(frame);
    play_leaves(frame);
    go_on();
  }
  template <class Archive>
  [[gnu::cold]] void serialize_own(Archive& /*archive*/) {}
  template <class Archive>
  [[gnu::cold]] void serialize_frame(Archive& archive, Frame& frame) {
    const std::uint64_t before = frame.least;  // of who is entered now
    archive(frame.least);
    archive.check(frame.least == before, "more work than was done before");
  }
  template <class Archive>
  [[gnu::cold]] void serialize_child_more(Archive& archive, Child& child) {
    archive(child.work);
    archive.check(child.work < frames_.back().work, "more work than its parent's");
  }
  static std::uint64_t own_bytes() { return 0; }
  void count_own(Counters* counted, std::uint64_t left) const {
    counted->node_visits = std::max(counters_.node_visits, left);
    counted->evaluations = counters_.evaluations;
    counted->playouts = counters_.evaluations * static_cast<std::uint64_t>(playouts());
    counted->table_stored = left + counters_.evaluations;
  }

  static constexpr std::uint32_t kLeaf = 1;  // the work of an entry that nobody entered
  int playouts() const { return options_.scheme.playouts; }
  LeafRequest<G> request(const State& state) const {
    return {state,
            {options_.search.seed, G::key(rules_, state)},
            0,
            static_cast<std::uint32_t>(playouts())};
  }
  // Those children that nobody knew get labels from playouts. One that an early break has left
  // alone keeps none, and needs none.
  void play_leaves(const Frame& frame) {
    if (this->verdict_of(frame).answer != Answer::kOpen || requests_.empty()) return;
    tallies_.resize(requests_.size());
    options_.playouts->collect(options_.playouts->submit(requests_), tallies_);
    std::size_t next = 0;
    for (Child& child : children_of(frame)) {
      if (child.answer != Answer::kOpen || child.seen) continue;
      Leaf leaf = leaf_at<G>(rules_, claim_, options_.scheme, child.state, child.distance);
      leaf.plies_left = 1;  // how many nobody knows: all alike
      leaf.reached = reached(tallies_[next++], claim_);
      leaf.playouts = playouts();
      child.numbers = options_.scheme.leaf(leaf);
      child.seen = true;
      Entry& entry = table_.entry_of(child.id, child.hash);
      entry.numbers = child.numbers;
      entry.distance = std::min(entry.distance, child.distance);
      ++counters_.table_stored;
      ++counters_.evaluations;
      counters_.playouts += static_cast<std::uint64_t>(playouts());
    }
  }

  Summary summarise(const Frame& frame) const {
    Summary s{this->verdict_of(frame), {}};
    const Children children{children_of(frame)};
    const bool held = frame.chosen >= 0 && children[frame.chosen].open();
    s.best = best_open_child(options_.scheme, frame.attackers, children, held ? frame.chosen : -1);
    if (s.verdict.answer != Answer::kOpen) {
      s.label = numbers_of(s.verdict.answer);
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
      while (frames_.size() - 1 > chooser) {
        const std::uint64_t work = leave_top();
        const Frame& top = frames_.back();
        news = frames_.size() - 1 == chooser && work > top.count && refresh(top);
      }
      if (news) continue;
      const Summary s = summarise(frames_.back());
      if (s.verdict.answer != Answer::kOpen) {
        this->leave(s.verdict, s.label);  // the root
        return;
      }
      choose(&frames_.back(), s.best);
      return;
    }
  }
  void choose(Frame* frame, std::int32_t best) {
    counters_.root_switches +=
        frames_.size() == 1 && frame->chosen >= 0 && frame->chosen != best ? 1 : 0;
    frame->chosen = best;
  }
  // Labels and answers go up the stack as far as they change. Returns the depth of the first node
  // from the root that chooses anew; the top does in any case.
  std::size_t back_up() {
    std::size_t chooser = frames_.size() - 1;
    std::uint64_t below = 0;  // calls below the node that is looked at
    for (std::size_t depth = frames_.size(); depth-- > 0;) {
      const Frame& frame = frames_[depth];
      const Summary s = summarise(frame);
      ++counters_.node_visits;
      const bool top = depth + 1 == frames_.size();
      if (!top && !stays(frame, s, below, frames_[depth + 1].least)) chooser = depth;
      below += frame.work;
      if (depth == 0) break;
      Child& child = chosen_of(frames_[depth - 1]);
      const bool same = child.numbers == s.label && child.answer == s.verdict.answer;
      child.numbers = s.label;
      if (s.verdict.answer != Answer::kOpen) {
        const auto here = static_cast<Rests>(root_ + static_cast<std::int32_t>(depth));
        this->decide(&child, s.verdict.answer, this->left(s.verdict.rests, here));
      }
      if (same) break;
    }
    return chooser;
  }
  // Does the node go on with the child that it called last?
  bool stays(const Frame& frame, const Summary& s, std::uint64_t below, std::uint64_t least) const {
    const Child& chosen = chosen_of(frame);
    if (s.verdict.answer != Answer::kOpen || chosen.answer != Answer::kOpen) return false;
    if (s.best == frame.chosen || below < least) return true;
    if (options_.epsilon == 0) return false;
    const Child& best = children_of(frame)[static_cast<std::size_t>(s.best)];
    return options_.scheme.nearly(frame.attackers, chosen.numbers, best.numbers,
                                  1 / (1 + options_.epsilon));
  }
  // Leaves the top, whose parent has its label; returns the calls below it.
  std::uint64_t leave_top() {
    const Summary s = summarise(frames_.back());
    const std::uint64_t work = frames_.back().work;
    this->leave(s.verdict, s.label);
    chosen_of(frames_.back()).work += work;
    return work;
  }
  // A long search below one child may have met positions of its siblings: has the table news?
  bool refresh(const Frame& frame) {
    bool news = false;
    for (Child& child : children_of(frame)) {
      if (child.answer != Answer::kOpen) continue;
      const Label label = child.numbers;
      this->look_up(&child);
      news = news || child.numbers != label || child.answer != Answer::kOpen;
    }
    return news;
  }

  std::vector<LeafRequest<G>> requests_;  // of one node
  std::vector<Tally> tallies_;
};

}  // namespace playproof
