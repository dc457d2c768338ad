// Depth-first proof-number search of games whose positions can come again, with a table: df-pn and
// its family (host/table/thresholds.h), right on cycles (host/table/path_table_search.h).
//
// Numbers of open positions are shared by all paths (E12); they may feed on themselves around a
// cycle, which LoopRule deals with. What is like a reply that has just been lost may be tried first
// (host/table/similar.h).
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>

#include "games/core/quads.h"
#include "host/table/path_table_search.h"
#include "host/table/similar.h"
#include "host/table/thresholds.h"
#include "kernels/numbers/leaf_numbers.h"
#include "kernels/numbers/quad_numbers.h"

namespace playproof {

struct PathSearchOptions : PathTableOptions {
  ThresholdRule rule;
  LeafNumbers leaf;  // unit, mobility or quads: they follow from the position
  LoopRule loops = LoopRule::kTca;
  std::uint64_t patience = 1000;  // calls without a new leaf
  SimilarRule similar = SimilarRule::kNone;

  // df-pn with TCA is complete and gets through where others take for ever.
  void make_complete() {
    rule = {};
    loops = LoopRule::kTca;
    similar = SimilarRule::kNone;
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
      : Base(rules, claim, options), similar_(rules, options.similar) {}

 private:
  using Base::children_;
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
    // What a simulation enters for nothing is new again the next time, and no way out of a cycle.
    if (!similar_.trying()) since_new_ = is_new ? 0 : since_new_ + 1;
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
    if (similar_.on()) push_similar();
    go_on();
  }
  template <class Archive>
  [[gnu::cold]] void serialize_own(Archive& archive) {
    archive(next_threshold_, since_new_, similar_);
    archive.check(are_thresholds(next_threshold_), "a threshold that no rule sets");
    archive.check(since_new_ <= counters_.re_entries, "more calls without a new leaf than calls");
  }
  template <class Archive>
  [[gnu::cold]] void serialize_frame(Archive& archive, Frame& frame) {
    archive(frame.threshold, frame.average, frame.looped, frame.raises);
    archive.check(are_thresholds(frame.threshold) && frame.average <= kPhiDeltaCap,
                  "a threshold that no rule sets");
    if (!similar_.on()) return;
    const auto depth = static_cast<std::size_t>(&frame - frames_.data());
    similar_.serialize_step(archive, depth, frame.state,
                            Archive::kLoading && depth > 0 ? model_of_call() : Model{});
  }
  template <class Archive>
  [[gnu::cold]] void serialize_child_more(Archive& /*archive*/, Child& /*child*/) {}
  // What a simulation entered for nothing is not counted where it is left, and not stored.
  void count_own(Counters* counted, std::uint64_t left) const {
    if (similar_.simulates()) left = std::min(left, counters_.node_visits);
    counted->node_visits = counted->table_stored = left;
  }
  std::uint64_t own_bytes() const { return similar_.bytes(counters_.max_depth); }

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
        if (similar_.trying()) {
          if (tries_similar(&frame)) return;
          give_up();
          continue;
        }
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
      if (similar_.on()) pop_similar();
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
    if (similar_.favourite() != kNoMove && s.best != frame.chosen) favourite_first(frame, &s);
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

  // ---- similar replies (host/table/similar.h) --------------------------------------------------

  using Model = typename SimilarReplies<G>::Model;

  // The move by which the table knows that a position has this answer, kNoMove where the other side
  // moves; nothing if it does not know that, on any path.
  auto solved_by() const {
    return [this](const State& state, Answer answer) -> std::optional<Move> {
      const PositionId<G> id = position_id(G{}, state);
      const Entry* entry = table_.find(id, id.hash());
      if (entry == nullptr) return std::nullopt;
      if (entry->answer == answer) return entry->move;
      const auto* twin = entry->answer == Answer::kOpen ? entry->twin_with(answer) : nullptr;
      return twin != nullptr ? std::optional(twin->move) : std::nullopt;
    };
  }
  Answer lost_at(const Frame& frame) const { return Base::answer_for(!frame.attackers); }
  // The model of the top, which was entered by its parent's choice, and has no step yet.
  Model model_of_call() const {
    const Frame& parent = frames_[frames_.size() - 2];
    return similar_.below(parent.state, lost_at(parent), chosen_of(parent).move);
  }
  void push_similar() {
    const bool is_root = frames_.size() == 1;
    if (is_root) similar_.clear();
    similar_.push(is_root ? Model{} : model_of_call(), solved_by());
  }
  // The favourite of the top goes before others with the same numbers.
  void favourite_first(const Frame& frame, Summary* s) const {
    for (const Child& child : children_of(frame)) {
      if (child.move != similar_.favourite() || child.answer != Answer::kOpen) continue;
      if (seen_by(!frame.attackers, child.numbers).delta == s->phi)
        s->best = index_of(frame, child);
    }
  }
  // A position was left, and the top knows its answer.
  void pop_similar() {
    const Child& child = chosen_of(frames_.back());
    const bool none_tried = similar_.pop();
    if (none_tried && child.answer == lost_at(frames_.back())) similar_.refute(child.move);
  }
  // Does a simulation go on at the top, which is open? Then the child is chosen that it enters.
  bool tries_similar(Frame* frame) {
    const auto& step = similar_.top();
    if (step.refuted != kNoMove) return tries_sibling(frame, step.refuted);
    if (!step.model.is_there() || !similar_.may_enter()) return false;
    if (step.model.answer == lost_at(*frame)) return tries_reply(frame);
    const auto move = solved_by()(step.model.state, step.model.answer);
    return choose_similar(frame, [&](const Child& child) { return child.move == move; });
  }
  // The next sibling of the model that may be lost as that is.
  bool tries_sibling(Frame* frame, Move refuted) {
    similar_.begin_sibling();
    if (chosen_of(*frame).move == refuted) frame->chosen = -1;
    const Model model = similar_.below(frame->state, lost_at(*frame), refuted);
    return choose_similar(frame, [&](const Child& child) {
      return index_of(*frame, child) > frame->chosen &&
             similar_.leads_on(child.state, model, solved_by());
    });
  }
  // The next open reply; before the first is entered, all must have models that lead on.
  bool tries_reply(Frame* frame) {
    const auto children = children_of(*frame);
    const bool all = frame->chosen >= 0 || std::ranges::all_of(children, [&](const Child& child) {
                       if (child.answer != Answer::kOpen) return true;
                       const Model model =
                           similar_.below(frame->state, lost_at(*frame), child.move);
                       return similar_.leads_on(child.state, model, solved_by());
                     });
    return all && choose_similar(frame, [](const Child&) { return true; });
  }
  // Takes the first open child that is good(child).
  template <class Good>
  bool choose_similar(Frame* frame, Good&& good) {
    const auto children = children_of(*frame);
    const auto found = std::ranges::find_if(
        children, [&](const Child& child) { return child.answer == Answer::kOpen && good(child); });
    if (found == children.end()) return false;
    frame->chosen = index_of(*frame, *found);
    return true;
  }
  std::int32_t index_of(const Frame& frame, const Child& child) const {
    return static_cast<std::int32_t>(&child - children_of(frame).data());
  }
  // A simulation has failed, and what it left open is as if nobody had been there; or all siblings
  // were tried. The search goes on with those that are open.
  void give_up() {
    while (similar_.top().refuted == kNoMove) {
      const std::uint64_t work = frames_.back().work;
      path_.pop();
      children_.resize(frames_.back().first);
      frames_.pop_back();
      similar_.pop();
      frames_.back().work += work;
    }
    Frame& frame = frames_.back();
    for (const Child& child : children_of(frame)) {
      if (child.move == similar_.top().refuted) frame.chosen = index_of(frame, child);
    }
    similar_.end();
  }

  PhiDeltaPair next_threshold_;
  std::uint64_t since_new_ = 0;
  SimilarReplies<G> similar_;
};

}  // namespace playproof
