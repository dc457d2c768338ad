// Depth-first proof-number search of games whose positions can come again, with a table: df-pn and
// its family (host/table/thresholds.h), right on cycles.
//
// A child that is on the path already ends the line by the rule of the game
// (host/path/repetition.h). What follows from that rests on the path: on the first position there
// that it came back to. Once that position itself is left, it rests on nothing more, and goes into
// the base of the table; else into a twin, with the path. Another path may be served by a twin,
// too, once its proof was walked there, from table entry to table entry, and every repetition that
// it uses was found on that path as well (Kawano's simulation, as Kishimoto and Müller use it).
// Where the rule blames who repeats, a proof rests on all of its path: the prover must not have
// been before where he goes.
//
// Numbers of open positions are shared by all paths (E12); they may feed on themselves around a
// cycle, which LoopRule deals with.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "games/core/identity.h"
#include "host/path/path.h"
#include "host/path/repetition.h"
#include "host/question/counters.h"
#include "host/question/search_options.h"
#include "host/table/history_table.h"
#include "host/table/thresholds.h"

namespace playproof {

struct PathSearchOptions {
  ThresholdRule rule;
  HistoryRule history = HistoryRule::kTwins;
  LoopRule loops = LoopRule::kTca;
  std::uint64_t patience = 1000;  // calls without a new leaf
  std::uint64_t table_bytes = std::uint64_t{64} << 20;
  bool table_grows = false;
  SearchOptions search;  // limits, order of moves
};

template <Game G>
class PathSearch {
 public:
  using State = typename G::State;
  using Rules = typename G::Rules;
  using Options = PathSearchOptions;

  PathSearch(const Rules& rules, const Claim& claim, const Options& options)
      : rules_(rules),
        claim_(claim),
        rule_(path_rule<G>(rules)),
        options_(options),
        table_(options.table_bytes, options.table_grows) {}

  // Asks about a position with these before it; what the table holds stays. It must not be
  // finished, nor be one of them. What the table knows is said at once, with the move that it was
  // proven by.
  void begin(const State& position, std::span<const State> before = {}) {
    frames_.clear();
    children_.clear();
    path_.clear();
    for (const State& one : before) path_.push(one);
    root_ = path_.size();
    position_ = position;
    stopped_ = StopReason::kRunning;
    proved_ = false;
    move_ = kNoMove;
    recall();
  }
  // Up to so many calls more; not running once it has the answer, or may not go on.
  StopReason run(std::uint64_t calls) {
    while (stopped_ == StopReason::kRunning && calls-- > 0) {
      if (counters_.iterations >= options_.search.max_nodes) {
        stopped_ = StopReason::kNodes;
      } else if (bytes() > options_.search.max_bytes) {
        stopped_ = StopReason::kMemory;
      } else {
        call();
      }
    }
    return stopped_;
  }
  StopReason stopped() const { return stopped_; }
  bool proved() const { return proved_; }
  // Once decided: of the side to move, if it has it its way.
  Move best_move() const { return move_; }
  const Claim& claim() const { return claim_; }
  const Options& options() const { return options_; }
  Counters counters() const {
    Counters c = counters_;
    c.nodes_created = c.iterations;
    c.peak_bytes = std::max(peak_bytes_, bytes());
    c.table_replaced = table_.lost();
    return c;
  }
  // Answers that were found on one path and served on another.
  std::uint64_t hits_across_paths() const { return across_; }

  // Another search, without limits, whose table never loses anything; of the same claim it knows
  // what this one does, if that has lost nothing either.
  PathSearch another(const Claim& claim) const {
    Options options = options_;
    options.search.max_nodes = options.search.max_bytes = SearchLimits::kNone;
    options.table_grows = true;
    PathSearch other(rules_, claim, options);
    if (claim.threshold == claim_.threshold && table_.lost() == 0) other.table_.take(table_);
    return other;
  }
  // Is no answer taken for more than it is?
  bool is_safe() const { return options_.history != HistoryRule::kNone; }

  // Children of the root as they are counted now: move, answer, numbers of the attacker.
  template <class F>
  void for_each_root_child(F&& f) const {
    if (frames_.empty()) return;
    for (const Child& child : children_of(frames_.front())) {
      f(child.move, child.state, child.answer, child.numbers);
    }
  }

 private:
  using Id = PositionId<G>;
  using Entry = typename HistoryTable<Id>::Entry;
  using Twin = typename HistoryTable<Id>::Twin;

  struct Child {
    State state{};
    Id id{};
    std::uint64_t hash = 0;
    PhiDeltaPair numbers;        // of the attacker
    std::uint32_t distance = 0;  // the least from the root that the table knows
    Rests rests = kOnNothing;    // once decided
    Move move = kNoMove;
    Answer answer = Answer::kOpen;
    bool finished = false;
    bool seen = false;  // it is in the table
  };
  struct Frame {
    State state{};
    Id id{};
    std::uint64_t hash = 0;
    PhiDeltaPair threshold;  // of the side to move
    std::uint64_t work = 1;
    std::size_t first = 0;  // of its children
    std::size_t count = 0;
    std::int32_t chosen = -1;
    std::uint32_t distance = 0;
    PhiDelta average = 1;
    bool attackers = true;
    bool looped = false;  // TCA: a child, here or above, may lead back
    bool raises = false;  // its thresholds rise above its numbers once
  };
  // What the children say of their parent.
  struct Summary {
    PhiDelta phi = kPhiDeltaInfinity;
    PhiDelta second = kPhiDeltaInfinity;
    PhiDelta delta = 0;
    std::int32_t best = -1;
    Answer answer = Answer::kOpen;
    Rests rests = kOnNothing;
    Move move = kNoMove;
  };

  std::span<Child> children_of(const Frame& frame) {
    return {children_.data() + frame.first, frame.count};
  }
  std::span<const Child> children_of(const Frame& frame) const {
    return {children_.data() + frame.first, frame.count};
  }
  static Answer answer_for(bool proved) { return proved ? Answer::kProved : Answer::kDisproved; }
  static PhiDeltaPair solved(Answer answer) {
    return answer == Answer::kProved ? kMoverWins : kMoverLoses;
  }
  // Numbers of the attacker, as the side to move sees them, and back.
  static PhiDeltaPair seen_by(bool attackers, const PhiDeltaPair& numbers) {
    return attackers ? numbers : numbers.turned();
  }
  std::uint64_t bytes() const {
    return table_.bytes() + path_.bytes() + frames_.capacity() * sizeof(Frame) +
           children_.capacity() * sizeof(Child);
  }

  void recall() {
    const Id id = position_id(G{}, position_);
    const Entry* entry = table_.find(id, id.hash());
    if (entry == nullptr) return;
    Answer answer = entry->answer;
    Move move = entry->move;
    const Twin* twin = entry->twin_of(path_.code());
    if (answer == Answer::kOpen && twin != nullptr) {
      answer = twin->answer;
      move = twin->move;
    }
    if (answer == Answer::kOpen) return;
    proved_ = answer == Answer::kProved;
    move_ = move;
    stopped_ = StopReason::kDecided;
  }
  void call() {
    ++counters_.iterations;
    enter();
    counters_.max_depth = std::max<std::uint64_t>(counters_.max_depth, frames_.size());
    peak_bytes_ = std::max(peak_bytes_, bytes());
    go_on();
  }

  // The child that was chosen last, or the root.
  void enter() {
    Frame frame;
    if (frames_.empty()) {
      frame.state = position_;
      frame.id = position_id(G{}, position_);
      frame.hash = frame.id.hash();
      frame.threshold = options_.rule.of_root();
    } else {
      const Frame& above = frames_.back();
      const Child& child = children_of(above)[static_cast<std::size_t>(above.chosen)];
      frame.state = child.state;
      frame.id = child.id;
      frame.hash = child.hash;
      frame.looped = above.looped;
      frame.threshold = next_threshold_;
    }
    frame.distance = static_cast<std::uint32_t>(path_.size() - root_);
    frame.attackers = G::to_move(rules_, frame.state) == claim_.attacker;
    path_.push(frame.id, frame.hash);
    const Entry* entry = table_.find(frame.id, frame.hash);
    const bool is_new = entry == nullptr;
    if (!is_new) frame.distance = std::min(frame.distance, entry->distance);
    counters_.nodes_expanded += is_new ? 1 : 0;
    counters_.re_entries += is_new ? 0 : 1;
    since_new_ = is_new ? 0 : since_new_ + 1;
    make_children(&frame);
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
  }
  void make_children(Frame* frame) {
    Move moves[G::kMaxMoves];
    const int count = G::moves(rules_, frame->state, moves);
    order_moves(options_.search, G::key(rules_, frame->state), moves, count);
    frame->first = children_.size();
    frame->count = static_cast<std::size_t>(count);
    children_.resize(frame->first + frame->count);
    PhiDelta sum = 0;
    PhiDelta open = 0;
    for (int i = 0; i < count; ++i) {
      Child& child = children_[frame->first + static_cast<std::size_t>(i)];
      child = Child{};
      child.state = frame->state;
      child.move = moves[i];
      G::play(rules_, child.state, child.move);
      child.finished = G::finished(rules_, child.state);
      if (child.finished) {
        const Value value = value_for(claim_.attacker, G::value(rules_, child.state));
        decide(&child, answer_for(value >= claim_.threshold), kOnNothing);
      } else {
        child.id = position_id(G{}, child.state);
        child.hash = child.id.hash();
        child.distance = frame->distance + 1;
        look_up(*frame, &child);
      }
      if (child.answer == answer_for(frame->attackers) && options_.search.early_break) {
        frame->count = static_cast<std::size_t>(i) + 1;
        children_.resize(frame->first + frame->count);
        break;
      }
      if (child.answer == Answer::kOpen) {
        sum += seen_by(!frame->attackers, child.numbers).delta;
        ++open;
      }
    }
    frame->average = open == 0 ? 1 : sum / open;
  }
  static void decide(Child* child, Answer answer, Rests rests) {
    child->answer = answer;
    child->rests = rests;
    child->numbers = solved(answer);
  }
  bool is_old(const Frame& frame, const Child& child) const {
    return child.answer == Answer::kOpen && child.seen && child.distance <= frame.distance;
  }

  // The frame's position is the last one of the path.
  void look_up(const Frame& frame, Child* child) {
    const std::int32_t place = path_.find(child->id, child->hash);
    if (place != Path<G>::kNowhere) {
      const Player mover = G::to_move(rules_, frame.state);
      decide(child, answer_for(reached_by_repetition(rule_, claim_, mover)), place);
      return;
    }
    ++counters_.table_lookups;
    Entry* entry = table_.find(child->id, child->hash);
    if (entry == nullptr) return;
    ++counters_.table_hits;
    child->seen = true;
    child->distance = std::min(child->distance, entry->distance);
    child->numbers = entry->numbers;
    if (entry->answer != Answer::kOpen) {
      ++counters_.table_useful_hits;
      decide(child, entry->answer, kOnNothing);
    } else if (options_.history != HistoryRule::kNone) {
      ask_twins(entry, child);
    }
  }
  void ask_twins(Entry* entry, Child* child) {
    if (const Twin* twin = entry->twin_of(path_.code())) {
      ++counters_.table_useful_hits;
      decide(child, twin->answer, twin->rests);
      return;
    }
    if (options_.history != HistoryRule::kTwins) return;
    for (const Answer answer : {Answer::kProved, Answer::kDisproved}) {
      const Twin* twin = entry->twin_with(answer);
      if (twin == nullptr) continue;
      walk_budget_ = kWalk;
      const Move move = twin->move;
      const std::optional<Rests> rests = walk(child->state, child->id, child->hash, answer);
      if (!rests) continue;
      ++across_;
      ++counters_.table_useful_hits;
      decide(child, answer, *rests);
      if (*rests == kOnNothing) {
        entry->answer = answer;
        entry->move = move;
      } else {
        entry->add({path_.code(), *rests, answer, move});
      }
      return;
    }
  }

  // Does what twins say of other paths hold on this one, too? From a position that is not on it; on
  // what it then rests. Nothing: it does not, or takes too long to see.
  std::optional<Rests> walk(const State& state, const Id& id, std::uint64_t hash, Answer answer) {
    if (walk_budget_ == 0) return std::nullopt;
    --walk_budget_;
    const Entry* entry = table_.find(id, hash);
    if (entry == nullptr) return std::nullopt;
    if (entry->answer != Answer::kOpen) {
      return entry->answer == answer ? std::optional(kOnNothing) : std::nullopt;
    }
    const Twin* twin = entry->twin_of(path_.code());
    if (twin != nullptr) {
      return twin->answer == answer ? std::optional(twin->rests) : std::nullopt;
    }
    twin = entry->twin_with(answer);
    if (twin == nullptr) return std::nullopt;
    const bool provers =
        (G::to_move(rules_, state) == claim_.attacker) == (answer == Answer::kProved);
    Move moves[G::kMaxMoves];
    int count = 1;
    moves[0] = twin->move;
    if (!provers) count = G::moves(rules_, state, moves);
    const Rests here = path_.size();
    path_.push(id, hash);
    std::optional<Rests> rests = kOnNothing;
    for (int i = 0; i < count && rests; ++i) {
      const std::optional<Rests> of_child = walk_move(state, moves[i], provers, answer);
      rests = of_child ? std::optional(std::min(*rests, *of_child)) : std::nullopt;
    }
    path_.pop();
    if (rests) rests = left(*rests, here);
    return rests;
  }
  std::optional<Rests> walk_move(const State& state, Move move, bool provers, Answer answer) {
    State child = state;
    G::play(rules_, child, move);
    if (G::finished(rules_, child)) {
      const Value value = value_for(claim_.attacker, G::value(rules_, child));
      const bool same = answer_for(value >= claim_.threshold) == answer;
      return same ? std::optional(kOnNothing) : std::nullopt;
    }
    const Id id = position_id(G{}, child);
    const std::uint64_t hash = id.hash();
    const std::int32_t place = path_.find(id, hash);
    if (place != Path<G>::kNowhere) {
      const Player mover = G::to_move(rules_, state);
      const bool same = answer_for(reached_by_repetition(rule_, claim_, mover)) == answer;
      return same ? std::optional<Rests>{place} : std::nullopt;
    }
    const std::optional<Rests> rests = walk(child, id, hash, answer);
    return rests && provers ? over_own_move(*rests) : rests;
  }
  // Of the prover's own move to a position that is not the end: where he would be blamed for coming
  // to it a second time, it must not have been before.
  Rests over_own_move(Rests rests) const { return blames_mover(rule_) ? kOnAll : rests; }
  // Once the position in this place is left: what rests on it alone, or on what came later, rests
  // on nothing.
  static Rests left(Rests rests, Rests here) { return rests >= here ? kOnNothing : rests; }

  // Leaves nodes whose thresholds are met, until a child is to be called or the root is decided.
  void go_on() {
    while (true) {
      Frame& frame = frames_.back();
      const Summary summary = summarise(frame);
      const bool at_root = frames_.size() == 1;
      const PhiDeltaPair numbers = summary.answer == Answer::kOpen
                                       ? PhiDeltaPair{capped(summary.phi), summary.delta}
                                       : seen_by(frame.attackers, solved(summary.answer));
      if (summary.answer == Answer::kOpen) {
        if (frame.raises) {
          frame.threshold = {std::max(frame.threshold.phi, as_threshold(numbers.phi + 1)),
                             std::max(frame.threshold.delta, as_threshold(numbers.delta + 1))};
          frame.raises = false;
        }
        const bool met = options_.rule.met(frame.threshold, numbers);
        if (at_root && met) frame.threshold = options_.rule.of_root_again(numbers);
        if (at_root || !met) {
          choose(&frame, summary);
          return;
        }
      }
      ++counters_.node_visits;
      if (leave(summary, numbers)) return;
    }
  }
  Summary summarise(const Frame& frame) const {
    Summary s;
    const auto children = children_of(frame);
    const Answer wins = answer_for(frame.attackers);
    bool all_lost = true;
    bool has_new = false;
    PhiDelta old_most = 0;
    for (std::size_t i = 0; i < children.size(); ++i) {
      const Child& child = children[i];
      if (child.answer == wins) {
        const Rests rests = child.finished ? kOnNothing : over_own_move(child.rests);
        if (s.answer != Answer::kOpen && rests <= s.rests) continue;
        s.answer = wins;
        s.rests = rests;
        s.move = child.move;
      }
      if (child.answer != Answer::kOpen) continue;
      all_lost = false;
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
    if (s.answer == Answer::kOpen && all_lost) {
      s.answer = answer_for(!frame.attackers);
      for (const Child& child : children) s.rests = std::min(s.rests, child.rests);
    }
    if (s.answer == Answer::kOpen && options_.rule.by_proof_number(frame.attackers)) {
      hardest_to_prove(frame, &s);
    }
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
    const Child& child = children_of(*frame)[static_cast<std::size_t>(s.best)];
    const PhiDeltaPair numbers = seen_by(!frame->attackers, child.numbers);
    const Choice choice{{s.phi, s.delta}, numbers, s.second, frame->average, frame->attackers};
    const PhiDeltaPair threshold = options_.rule.of_child(frame->threshold, choice);
    // The rule speaks of the opponent of who moves here; the child's side to move may be the same.
    const bool child_attackers = G::to_move(rules_, child.state) == claim_.attacker;
    next_threshold_ = child_attackers == frame->attackers ? threshold.turned() : threshold;
  }
  // Takes the top off the stack; true: it was the root.
  bool leave(const Summary& summary, const PhiDeltaPair& numbers) {
    const Frame frame = frames_.back();
    const Rests here = path_.size() - 1;
    path_.pop();
    children_.resize(frame.first);
    frames_.pop_back();
    Rests rests = left(summary.rests, here);
    if (options_.history == HistoryRule::kNone) rests = kOnNothing;
    store(frame, summary, rests, seen_by(frame.attackers, numbers));
    if (frames_.empty()) {
      proved_ = summary.answer == Answer::kProved;
      move_ = summary.move;
      stopped_ = StopReason::kDecided;
      return true;
    }
    Frame& parent = frames_.back();
    parent.work += frame.work;
    Child& child = children_of(parent)[static_cast<std::size_t>(parent.chosen)];
    child.seen = true;
    child.distance = std::min(child.distance, frame.distance);
    child.numbers = seen_by(frame.attackers, numbers);
    if (summary.answer != Answer::kOpen) decide(&child, summary.answer, rests);
    if (frame.work > parent.count) refresh(parent);
    return false;
  }
  void store(const Frame& frame, const Summary& summary, Rests rests, const PhiDeltaPair& numbers) {
    Entry& entry = table_.entry_of(frame.id, frame.hash);
    ++counters_.table_stored;
    entry.distance = std::min(entry.distance, frame.distance);
    entry.work = static_cast<std::uint32_t>(
        std::min<std::uint64_t>(entry.work + frame.work, std::uint64_t{1} << 31));
    if (entry.answer != Answer::kOpen) return;
    if (summary.answer == Answer::kOpen) {
      entry.numbers = numbers;
    } else if (rests == kOnNothing) {
      entry.answer = summary.answer;
      entry.move = summary.move;
      entry.numbers = numbers;
    } else {
      entry.add({path_.code(), rests, summary.answer, summary.move});
    }
  }
  // A long search below one child may have met positions of its siblings.
  void refresh(const Frame& frame) {
    for (Child& child : children_of(frame)) {
      if (child.answer == Answer::kOpen) look_up(frame, &child);
    }
  }

  static constexpr std::uint32_t kWalk = 1000;  // positions

  Rules rules_;
  Claim claim_;
  PathRule rule_;
  Options options_;
  HistoryTable<Id> table_;
  Path<G> path_;
  std::int32_t root_ = 0;  // its place on the path
  State position_{};
  std::vector<Frame> frames_;
  std::vector<Child> children_;  // of all frames
  PhiDeltaPair next_threshold_;
  StopReason stopped_ = StopReason::kRunning;
  bool proved_ = false;
  Move move_ = kNoMove;
  std::uint64_t since_new_ = 0;
  std::uint32_t walk_budget_ = 0;
  std::uint64_t across_ = 0;
  std::uint64_t peak_bytes_ = 0;
  Counters counters_;
};

}  // namespace playproof
