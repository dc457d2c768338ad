// Depth-first proof-number search of games whose positions can come again, with a table: df-pn and
// its family (host/table/thresholds.h), right on cycles (host/table/path_table_search.h).
//
// Numbers of open positions are shared by all paths (E12); they may feed on themselves around a
// cycle, which LoopRule deals with.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "games/core/quads.h"
#include "host/table/path_table_search.h"
#include "host/table/thresholds.h"
#include "kernels/numbers/leaf_numbers.h"
#include "kernels/numbers/quad_numbers.h"

namespace playproof {

struct PathSearchOptions : PathTableOptions {
  ThresholdRule rule;
  LeafNumbers leaf;  // unit, mobility or quads: they follow from the position
  LoopRule loops = LoopRule::kTca;
  std::uint64_t patience = 1000;  // calls without a new leaf

  // df-pn with TCA is complete and gets through where others take for ever.
  void make_complete() {
    rule = {};
    loops = LoopRule::kTca;
  }
};

template <Game G>
struct CountedFrame : PathFrame<G> {
  PhiDeltaPair threshold;  // of the side to move
  PhiDelta average = 1;
  bool looped = false;  // TCA: a child, here or above, may lead back
  bool raises = false;  // its thresholds rise above its numbers once
};

// The numbers of a child and of an entry are those of the attacker: proof and disproof number.
template <Game G>
class PathSearch final : public PathTableSearch<PathSearch<G>, G, PathChild<G, PhiDeltaPair>,
                                                CountedFrame<G>, PhiDeltaPair, PathSearchOptions> {
  using Base = PathTableSearch<PathSearch<G>, G, PathChild<G, PhiDeltaPair>, CountedFrame<G>,
                               PhiDeltaPair, PathSearchOptions>;
  friend Base;

 public:
  using typename Base::Options;
  using typename Base::Rules;
  using typename Base::State;

  PathSearch(const Rules& rules, const Claim& claim, const Options& options)
      : Base(rules, claim, options) {}

 private:
  using Base::children_of;
  using Base::chosen_of;
  using Base::claim_;
  using Base::counters_;
  using Base::frames_;
  using Base::options_;
  using Base::path_;
  using Base::rules_;
  using Base::table_;
  using typename Base::Child;
  using typename Base::Entry;
  using typename Base::Frame;
  using typename Base::Verdict;

  struct Summary {
    PhiDelta phi = kPhiDeltaInfinity;
    PhiDelta second = kPhiDeltaInfinity;
    PhiDelta delta = 0;
    std::int32_t best = -1;
  };

  // Turns numbers of the attacker into those that the side to move sees, and back.
  static PhiDeltaPair seen_by(bool attackers, const PhiDeltaPair& numbers) {
    return attackers ? numbers : numbers.turned();
  }

  // Hooks of host/table/path_table_search.h.
  static PhiDeltaPair numbers_of(Answer answer) {
    return answer == Answer::kProved ? kMoverWins : kMoverLoses;
  }
  PhiDeltaPair numbers_of_nothing(const State& state) const { return first_numbers(state); }
  static bool number_stands(const PhiDeltaPair& numbers) {
    return numbers.open() && numbers.phi > 0 && numbers.delta > 0;
  }
  void entered(Frame& frame) const {
    if (frames_.empty()) {
      frame.threshold = options_.rule.of_root();
    } else {
      frame.looped = frames_.back().looped;
      frame.threshold = next_threshold_;
    }
  }
  void call() {
    Frame frame = this->next_frame();
    const Entry* entry = table_.find(frame.id, frame.hash);
    const bool is_new = entry == nullptr;
    this->count_entry(&frame, is_new, entry);
    since_new_ = is_new ? 0 : since_new_ + 1;
    PhiDelta sum = 0;
    PhiDelta open = 0;
    this->make_children(&frame, [&](Child& child) {
      if (!child.seen) child.numbers = first_numbers(child.state);
      sum += seen_by(!frame.attackers, child.numbers).delta;
      ++open;
    });
    frame.average = open == 0 ? 1 : sum / open;
    if (options_.loops == LoopRule::kTca) {
      const auto children = children_of(frame);
      const bool back = std::any_of(children.begin(), children.end(),
                                    [&](const Child& child) { return is_old(frame, child); });
      frame.looped = back || (frame.looped && !is_new);
      frame.raises = frame.looped;
    } else if (options_.loops == LoopRule::kPatience) {
      frame.raises = since_new_ > options_.patience;
    }
    frames_.push_back(frame);
    go_on();
  }
  template <class Archive>
  [[gnu::cold]] void serialize_own(Archive& archive) {
    archive(next_threshold_, since_new_);
    archive.check(are_thresholds(next_threshold_), "a threshold that no rule sets");
    archive.check(since_new_ <= counters_.re_entries, "more calls without a new leaf than calls");
  }
  template <class Archive>
  [[gnu::cold]] void serialize_frame(Archive& archive, Frame& frame) {
    archive(frame.threshold, frame.average, frame.looped, frame.raises);
    archive.check(are_thresholds(frame.threshold) && frame.average <= kPhiDeltaCap,
                  "a threshold that no rule sets");
  }
  template <class Archive>
  [[gnu::cold]] void serialize_child_more(Archive& /*archive*/, Child& /*child*/) {}
  static void count_own(Counters* counted, std::uint64_t left) {
    counted->node_visits = counted->table_stored = left;
  }

  // Those of a leaf.
  PhiDeltaPair first_numbers(const State& state) const {
    const LeafNumbers& leaf = options_.leaf;
    if (!leaf.needs_mobility() && !leaf.needs_quads()) return {};
    Move moves[G::kMaxMoves];
    const int count = G::moves(rules_, state, moves);
    const Player mover = G::to_move(rules_, state);
    PhiDeltaPair own;
    if constexpr (HasQuads<G>) {
      if (leaf.needs_quads()) {
        own = quad_numbers(count, G::quad_groups(state, mover),
                           G::quad_groups(state, opponent(mover)));
      }
    }
    if (leaf.needs_mobility()) own = leaf(0, count, 0);
    return seen_by(mover == claim_.attacker, own);
  }
  bool is_old(const Frame& frame, const Child& child) const {
    return child.answer == Answer::kOpen && child.seen && child.distance <= frame.distance;
  }

  // Leaves nodes whose thresholds are met, until a child is to be called or the root is decided.
  void go_on() {
    while (true) {
      Frame& frame = frames_.back();
      const Verdict verdict = this->verdict_of(frame);
      PhiDeltaPair numbers;
      if (verdict.answer == Answer::kOpen) {
        const Summary summary = summarise(frame);
        numbers = {capped(summary.phi), summary.delta};
        if (frame.raises) {
          frame.threshold = {std::max(frame.threshold.phi, as_threshold(numbers.phi + 1)),
                             std::max(frame.threshold.delta, as_threshold(numbers.delta + 1))};
          frame.raises = false;
        }
        const bool at_root = frames_.size() == 1;
        const bool met = options_.rule.met(frame.threshold, numbers);
        if (at_root && met) frame.threshold = options_.rule.of_root_again(numbers);
        if (at_root || !met) {
          choose(&frame, summary);
          return;
        }
        numbers = seen_by(frame.attackers, numbers);
      }
      ++counters_.node_visits;
      const std::uint64_t work = frame.work;
      if (!this->leave(verdict, numbers)) return;
      if (work > frames_.back().count) refresh(frames_.back());
    }
  }
  // What the children of an open position say of it.
  Summary summarise(const Frame& frame) const {
    Summary s;
    const auto children = children_of(frame);
    bool has_new = false;
    PhiDelta old_most = 0;
    for (std::size_t i = 0; i < children.size(); ++i) {
      const Child& child = children[i];
      if (child.answer != Answer::kOpen) continue;
      const PhiDeltaPair c = seen_by(!frame.attackers, child.numbers);
      if (options_.loops == LoopRule::kDfpnR && is_old(frame, child)) {
        old_most = std::max(old_most, c.phi);
      } else {
        has_new = true;
        s.delta += std::min(c.phi, kPhiDeltaCap);
      }
      const auto index = static_cast<std::int32_t>(i);
      if (s.best < 0 || c.delta < s.phi || (c.delta == s.phi && index == frame.chosen)) {
        s.second = s.phi;
        s.phi = c.delta;
        s.best = index;
      } else {
        s.second = std::min(s.second, c.delta);
      }
    }
    if (!has_new) s.delta = old_most;
    s.delta = capped(s.delta);
    if (options_.rule.by_proof_number(frame.attackers)) hardest_to_prove(frame, &s);
    return s;
  }
  // PN* where the opponent moves: the open child with the greatest proof number.
  void hardest_to_prove(const Frame& frame, Summary* s) const {
    const auto children = children_of(frame);
    PhiDelta most = 0;
    std::int32_t best = -1;
    for (std::size_t i = 0; i < children.size(); ++i) {
      const auto index = static_cast<std::int32_t>(i);
      if (children[i].answer != Answer::kOpen) continue;
      const PhiDelta proof = children[i].numbers.phi;
      if (best >= 0 && proof <= most && !(proof == most && index == frame.chosen)) continue;
      best = index;
      most = proof;
    }
    s->best = best;
  }
  void choose(Frame* frame, const Summary& s) {
    counters_.root_switches +=
        frames_.size() == 1 && frame->chosen >= 0 && frame->chosen != s.best ? 1 : 0;
    frame->chosen = s.best;
    const Child& child = chosen_of(*frame);
    const PhiDeltaPair numbers = seen_by(!frame->attackers, child.numbers);
    const Choice choice{{s.phi, s.delta}, numbers, s.second, frame->average, frame->attackers};
    const PhiDeltaPair threshold = options_.rule.of_child(frame->threshold, choice);
    // The rule speaks of the opponent of who moves here; the child's side to move may be the same.
    const bool child_attackers = G::to_move(rules_, child.state) == claim_.attacker;
    next_threshold_ = child_attackers == frame->attackers ? threshold.turned() : threshold;
  }
  // A long search below one child may have met positions of its siblings.
  void refresh(const Frame& frame) {
    for (Child& child : children_of(frame)) {
      if (child.answer == Answer::kOpen) this->look_up(&child);
    }
  }

  PhiDeltaPair next_threshold_;
  std::uint64_t since_new_ = 0;
};

}  // namespace playproof
