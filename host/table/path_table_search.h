// What depth-first searches with a table have in common where positions can come again, whatever
// their numbers are: an explicit stack, the path, a table of bases and twins, limits, what is
// saved. Right on cycles:
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
// `Self` has the numbers: host/table/path_search.h (phi and delta), host/table/path_scheme_search.h
// (labels of a scheme).
//
//   call()                        enters the child that was chosen last, or the root, and goes on
//   entered(frame)                of a new frame, what does not follow from its position
//   numbers_of(answer)            those of a decided child
//   numbers_of_nothing(state)     where nothing is known of them
//   number_stands(numbers)        can an open position have these?
//   serialize_own(archive), serialize_frame(archive, frame), serialize_child_more(archive, child)
//   own_bytes()                   what it keeps beside the stack
//   count_own(counted, left)      what it counts that follows from the other counts; so many
//                                 positions were left
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "games/core/identity.h"
#include "host/path/line.h"
#include "host/path/path.h"
#include "host/path/repetition.h"
#include "host/probe/game_probe.h"
#include "host/question/counters.h"
#include "host/question/search_options.h"
#include "host/table/history_table.h"

namespace playproof {

struct PathTableOptions {
  HistoryRule history = HistoryRule::kTwins;
  std::uint64_t table_bytes = std::uint64_t{64} << 20;
  bool table_grows = false;
  SearchOptions search;  // limits, order of moves
};

template <Game G, class Numbers>
struct PathChild {
  typename G::State state{};
  PositionId<G> id{};
  std::uint64_t hash = 0;
  Numbers numbers{};
  std::uint32_t distance = 0;  // the least from the root that the table knows
  Rests rests = kOnNothing;    // once decided
  Move move = kNoMove;
  Answer answer = Answer::kOpen;
  bool finished = false;
  bool seen = false;  // it is in the table
};
template <Game G>
struct PathFrame {
  typename G::State state{};
  PositionId<G> id{};
  std::uint64_t hash = 0;
  std::uint64_t work = 1;  // calls, its own and below it
  std::size_t first = 0;   // of its children
  std::size_t count = 0;
  std::int32_t chosen = -1;
  std::uint32_t distance = 0;
  bool attackers = true;
};

template <class Self, Game G, class C, class F, class Numbers, class O>
class PathTableSearch {
 public:
  using State = typename G::State;
  using Rules = typename G::Rules;
  using Options = O;

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
  // Makes up to so many calls more; not running once it has the answer, or may not go on.
  StopReason run(std::uint64_t calls) {
    while (stopped_ == StopReason::kRunning && calls-- > 0) {
      if (counters_.iterations >= options_.search.max_nodes) {
        stopped_ = StopReason::kNodes;
      } else if (bytes() > options_.search.max_bytes) {
        stopped_ = StopReason::kMemory;
      } else {
        ++counters_.iterations;
        self().call();
      }
    }
    return stopped_;
  }
  StopReason stopped() const { return stopped_; }
  bool proved() const { return proved_; }
  // Once it is decided, this is a move of the side to move, if that has it its way.
  Move best_move() const { return move_; }
  const Claim& claim() const { return claim_; }
  const Options& options() const { return options_; }
  Counters counters() const {
    Counters c = counters_;
    c.nodes_created = c.iterations;
    c.peak_bytes = bytes();
    c.table_replaced = table_.lost();
    return c;
  }
  // Another search, without limits, whose table never loses anything; of the same claim it knows
  // what this one does, if that has lost nothing either. It finds proofs once more, whatever found
  // them first, and so it has the thresholds that get there soonest.
  Self another(const Claim& claim) const {
    Self other(rules_, claim, for_ever(options_));
    if (claim.threshold == claim_.threshold && table_.lost() == 0) other.table_.take(table_);
    other.loaded_ = loaded_;
    return other;
  }
  // Is no answer taken for more than it is?
  bool is_safe() const { return options_.history != HistoryRule::kNone; }

  // Saves, or replaces everything by what was saved (host/archive/archive.h); of a search that
  // began without a past, between two calls. What is loaded of answers and moves is believed until
  // the proof is walked.
  template <class Archive>
  [[gnu::cold]] void serialize(Archive& archive) {
    StopReason stopped = stopped_;
    bool proved = proved_;
    Move move = move_;
    archive(stopped, proved, move, counters_, most_children_);
    archive.check(counters_.max_depth <= most_plies<G>(), "a path longer than any");
    self().serialize_own(archive);
    table_.serialize(archive, {counters_.iterations, counters_.max_depth, blames_mover(rule_)},
                     options_.search.max_bytes, [&](const Numbers& numbers, Answer answer) {
                       return self().number_stands(numbers) ||
                              (answer != Answer::kOpen && numbers == self().numbers_of(answer));
                     });
    serialize_stack(archive);
    if constexpr (Archive::kLoading) {
      loaded_ = true;
      proved_ = proved;
      move_ = move;
      stopped_ = stopped == StopReason::kDecided ? stopped : StopReason::kRunning;
      const bool movers = proved == (G::to_move(rules_, position_) == claim_.attacker);
      const bool decided = stopped_ == StopReason::kDecided;
      archive.check(frames_.empty() == (decided || counters_.iterations == 0),
                    "the search ended for another reason than it says");
      archive.check(decided ? movers == (move != kNoMove) && (!movers || may_play(position_, move))
                            : move == kNoMove && !proved,
                    "a move that no such search has");
      archive.check(counts_stand(), "counts that a search with its stack and its table has not");
    }
  }

  // Children of the root as they are counted now: move, state, answer, numbers.
  template <class V>
  void for_each_root_child(V&& visit) const {
    if (frames_.empty()) return;
    for (const C& child : children_of(frames_.front())) {
      visit(child.move, child.state, child.answer, child.numbers);
    }
  }

 protected:
  using Child = C;
  using Frame = F;
  using Id = PositionId<G>;
  using Table = HistoryTable<Id, Numbers>;
  using Entry = typename Table::Entry;
  using Twin = typename Table::Twin;

  PathTableSearch(const Rules& rules, const Claim& claim, const Options& options)
      : rules_(rules),
        claim_(claim),
        rule_(path_rule<G>(rules)),
        options_(options),
        table_(options.table_bytes, options.table_grows),
        probe_(rules, options.search) {}

  // The children say who has it his way.
  struct Verdict {
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
  const Child& chosen_of(const Frame& frame) const {
    return children_of(frame)[static_cast<std::size_t>(frame.chosen)];
  }
  Child& chosen_of(const Frame& frame) {
    return children_of(frame)[static_cast<std::size_t>(frame.chosen)];
  }
  static Answer answer_for(bool proved) { return proved ? Answer::kProved : Answer::kDisproved; }
  // It counts the table, and path and stack where they were longest: the same for a search in
  // pieces.
  std::uint64_t bytes() const {
    const std::uint64_t longest = static_cast<std::uint64_t>(root_) + counters_.max_depth;
    return table_.bytes() + Path<G>::bytes(longest) +
           std::bit_ceil(counters_.max_depth) * sizeof(Frame) +
           std::bit_ceil(most_children_) * sizeof(Child) + self().own_bytes();
  }

  // It is that of the child that was chosen last, or of the root.
  Frame next_frame() const {
    Frame frame;
    if (frames_.empty()) {
      frame.state = position_;
      frame.id = position_id(G{}, position_);
      frame.hash = frame.id.hash();
    } else {
      const Child& child = chosen_of(frames_.back());
      frame.state = child.state;
      frame.id = child.id;
      frame.hash = child.hash;
    }
    frame.attackers = G::to_move(rules_, frame.state) == claim_.attacker;
    self().entered(frame);
    return frame;
  }
  // A new frame, which is to be put on the stack, with its position at the end of the path; counts
  // it. `is_new`: nobody was there before.
  void count_entry(Frame* frame, bool is_new, const Entry* entry) {
    frame->distance = static_cast<std::uint32_t>(path_.size() - root_);
    path_.push(frame->id, frame->hash);
    if (entry != nullptr) frame->distance = std::min(frame->distance, entry->distance);
    counters_.nodes_expanded += is_new ? 1 : 0;
    counters_.re_entries += is_new ? 0 : 1;
    counters_.max_depth = std::max<std::uint64_t>(counters_.max_depth, frames_.size() + 1);
  }
  // Rules, path, table and probe decide what they can; then visit(child) is asked about the others.
  template <class V>
  void make_children(Frame* frame, V&& visit) {
    Move moves[G::kMaxMoves];
    const int count = ordered_moves(*frame, moves);
    frame->first = children_.size();
    frame->count = static_cast<std::size_t>(count);
    children_.resize(frame->first + frame->count);
    most_children_ = std::max<std::uint64_t>(most_children_, children_.size());
    for (int i = 0; i < count; ++i) {
      Child& child = children_[frame->first + static_cast<std::size_t>(i)];
      child = child_of(*frame, moves[i]);
      if (!child.finished && !repeats(*frame, &child) && look_up(&child) == nullptr) {
        ask_probe(&child);
      }
      if (child.answer == answer_for(frame->attackers) && options_.search.early_break) {
        frame->count = static_cast<std::size_t>(i) + 1;
        children_.resize(frame->first + frame->count);
        break;
      }
      if (child.answer == Answer::kOpen) visit(child);
    }
  }
  void decide(Child* child, Answer answer, Rests rests) const {
    child->answer = answer;
    child->rests = rests;
    child->numbers = self().numbers_of(answer);
  }
  // What the table knows of a child that is not on the path; null: nothing.
  Entry* look_up(Child* child) {
    ++counters_.table_lookups;
    Entry* entry = table_.find(child->id, child->hash);
    if (entry == nullptr) return nullptr;
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
    return entry;
  }

  // Asks about a child that was never entered. What decides it rests on no path.
  void ask_probe(Child* child) {
    if (!probe_.applies_to(child->state)) return;
    const Bounds bounds = ask(probe_, child->state, claim_).bounds;
    probe_.count(counters_);
    if (!bounds.decides(claim_.threshold)) return;
    decide(child, answer_for(bounds.proves(claim_.threshold)), kOnNothing);
  }

  Verdict verdict_of(const Frame& frame) const {
    Verdict verdict;
    const Answer wins = answer_for(frame.attackers);
    Rests of_all = kOnNothing;
    bool all_lost = true;
    for (const Child& child : children_of(frame)) {
      all_lost = all_lost && child.answer != Answer::kOpen && child.answer != wins;
      of_all = std::min(of_all, child.rests);
      if (child.answer != wins) continue;
      const Rests rests = child.finished ? kOnNothing : over_own_move(child.rests);
      if (verdict.answer != Answer::kOpen && rests <= verdict.rests) continue;
      verdict = {wins, rests, child.move};
    }
    if (all_lost) verdict = {answer_for(!frame.attackers), of_all, kNoMove};
    return verdict;
  }
  // Says what remains once the position in this place is left: what rests on it alone, or on what
  // came later, rests on nothing; where history=none, whatever it rests on.
  Rests left(Rests rests, Rests here) const {
    return rests >= here || options_.history == HistoryRule::kNone ? kOnNothing : rests;
  }
  // Takes the top off the stack and the path, and tells the table; `numbers` are those that it
  // keeps of an open position. False: it was the root.
  bool leave(const Verdict& found, const Numbers& numbers) {
    const Frame frame = frames_.back();
    path_.pop();
    children_.resize(frame.first);
    frames_.pop_back();
    const Verdict verdict = {found.answer, left(found.rests, path_.size()), found.move};
    store(frame, verdict, numbers);
    if (frames_.empty()) {
      proved_ = verdict.answer == Answer::kProved;
      move_ = verdict.move;
      stopped_ = StopReason::kDecided;
      return false;
    }
    Frame& parent = frames_.back();
    parent.work += frame.work;
    Child& child = chosen_of(parent);
    child.seen = true;
    child.distance = std::min(child.distance, frame.distance);
    child.numbers = numbers;
    if (verdict.answer != Answer::kOpen) decide(&child, verdict.answer, verdict.rests);
    return true;
  }

  Rules rules_;
  Claim claim_;
  PathRule rule_;
  Options options_;
  Table table_;
  GameProbe<G> probe_;
  Path<G> path_;
  std::int32_t root_ = 0;  // its place on the path
  State position_{};
  std::vector<Frame> frames_;
  std::vector<Child> children_;  // of all frames
  Counters counters_;

 private:
  static constexpr std::uint32_t kWalk = 1000;  // positions

  Self& self() { return static_cast<Self&>(*this); }
  const Self& self() const { return static_cast<const Self&>(*this); }
  static Options for_ever(Options options) {
    options.search.max_nodes = options.search.max_bytes = SearchLimits::kNone;
    options.table_grows = true;
    if constexpr (requires { options.make_complete(); }) options.make_complete();
    return options;
  }
  int ordered_moves(const Frame& frame, Move* moves) const {
    const int count = G::moves(rules_, frame.state, moves);
    order_moves(options_.search, G::key(rules_, frame.state), moves, count);
    return count;
  }
  // Moves of a file are held against the rules before they are played.
  bool may_play(const State& state, Move move) const {
    if (!loaded_) return true;
    Move moves[G::kMaxMoves];
    Move* const end = moves + G::moves(rules_, state, moves);
    return std::find(moves, end, move) != end;
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
    const bool movers = G::to_move(rules_, position_) == claim_.attacker;
    if (answer == answer_for(movers) && !may_play(position_, move)) return;
    proved_ = answer == Answer::kProved;
    move_ = move;
    stopped_ = StopReason::kDecided;
  }

  Child child_of(const Frame& frame, Move move) const {
    Child child;
    child.state = frame.state;
    child.move = move;
    G::play(rules_, child.state, move);
    child.finished = G::finished(rules_, child.state);
    if (child.finished) {
      const Value value = value_for(claim_.attacker, G::value(rules_, child.state));
      decide(&child, answer_for(value >= claim_.threshold), kOnNothing);
    } else {
      child.id = position_id(G{}, child.state);
      child.hash = child.id.hash();
      child.distance = frame.distance + 1;
    }
    return child;
  }
  // Is the child on the path already, whose last position is the frame's? Then that decides it.
  bool repeats(const Frame& frame, Child* child) const {
    const std::int32_t place = path_.find(child->id, child->hash);
    if (place == Path<G>::kNowhere) return false;
    const Player mover = G::to_move(rules_, frame.state);
    decide(child, answer_for(reached_by_repetition(rule_, claim_, mover)), place);
    return true;
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
      ++counters_.path_hits;
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
    if (provers && !may_play(state, twin->move)) return std::nullopt;
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
  // The prover moves to a position that is not the end: where he would be blamed for coming
  // to it a second time, it must not have been before.
  Rests over_own_move(Rests rests) const { return blames_mover(rule_) ? kOnAll : rests; }
  void store(const Frame& frame, const Verdict& verdict, const Numbers& numbers) {
    Entry& entry = table_.entry_of(frame.id, frame.hash);
    ++counters_.table_stored;
    if (entry.is_new()) entry.numbers = self().numbers_of_nothing(frame.state);
    entry.distance = std::min(entry.distance, frame.distance);
    entry.work = static_cast<std::uint32_t>(
        std::min<std::uint64_t>(entry.work + frame.work, std::uint64_t{1} << 31));
    if (entry.answer != Answer::kOpen) return;
    if (verdict.answer == Answer::kOpen) {
      entry.numbers = numbers;
    } else if (verdict.rests == kOnNothing) {
      entry.answer = verdict.answer;
      entry.move = verdict.move;
      entry.numbers = self().numbers_of(verdict.answer);
    } else {
      entry.add({path_.code(), verdict.rests, verdict.answer, verdict.move});
    }
  }

  // Positions and moves follow from the choices, so only numbers are kept.
  template <class Archive>
  [[gnu::cold]] void serialize_stack(Archive& archive) {
    auto size = static_cast<std::uint32_t>(frames_.size());
    archive(size);
    archive.check(size <= counters_.max_depth, "a longer path than any");
    if constexpr (Archive::kLoading) begin(position_);
    for (std::uint32_t depth = 0; depth < size; ++depth) {
      if constexpr (Archive::kLoading) frames_.push_back(next_frame());
      Frame& frame = frames_[depth];
      std::uint64_t position = frame.hash;
      archive(position, frame.work, frame.chosen, frame.distance);
      archive.check(position == frame.hash, "another position");
      archive.check(frame.distance <= depth && frame.work > 0,
                    "numbers that no position on a path has");
      self().serialize_frame(archive, frame);
      if constexpr (Archive::kLoading) {
        path_.push(frame.id, frame.hash);
        Move moves[G::kMaxMoves];
        frame.first = children_.size();
        frame.count = static_cast<std::size_t>(ordered_moves(frame, moves));
        for (std::size_t i = 0; i < frame.count; ++i) {
          children_.push_back(child_of(frame, moves[i]));
        }
      }
      for (Child& child : children_of(frame)) serialize_child(archive, frame, child);
      const auto count = static_cast<std::int32_t>(frame.count);
      archive.check(0 <= frame.chosen && frame.chosen < count && !chosen_of(frame).finished &&
                        chosen_of(frame).answer == Answer::kOpen,
                    "a path through no open child");
    }
  }
  template <class Archive>
  [[gnu::cold]] void serialize_child(Archive& archive, const Frame& frame, Child& child) {
    const Rests here = path_.size() - 1;
    if constexpr (Archive::kLoading) {
      if (!child.finished) repeats(frame, &child);  // the rules know it then
    }
    const Child known = child;
    serialize_numbers(archive, child.numbers);
    archive(child.distance, child.rests, child.answer, child.seen);
    self().serialize_child_more(archive, child);
    if constexpr (!Archive::kLoading) return;
    if (known.answer != Answer::kOpen) {
      archive.check(child.answer == known.answer && child.rests == known.rests &&
                        child.numbers == known.numbers,
                    "a child that is not what the rules say");
      return;
    }
    const Rests least = blames_mover(rule_) ? kOnAll : 0;
    const bool rests = child.rests == kOnNothing || (least <= child.rests && child.rests <= here);
    const bool decided = child.answer != answer_for(frame.attackers) && rests &&
                         child.numbers == self().numbers_of(child.answer);
    archive.check(child.answer == Answer::kOpen ? self().number_stands(child.numbers) : decided,
                  "a child that no open position has");
    archive.check(child.distance <= frame.distance + 1, "a child too far from the root");
  }
  // Can a search have counted so that has this stack and this table?
  [[gnu::cold]] bool counts_stand() const {
    const Counters& c = counters_;
    Counters counted;
    counted.iterations = c.nodes_expanded + c.re_entries;
    counted.nodes_expanded = c.nodes_expanded;
    counted.re_entries = c.re_entries;
    counted.max_depth = c.max_depth;
    counted.root_switches = c.root_switches;
    counted.table_lookups = c.table_lookups;
    counted.table_hits = c.table_hits;
    counted.table_useful_hits = c.table_useful_hits;
    counted.path_hits = c.path_hits;
    counted.races = c.races;
    counted.race_nodes = c.race_nodes;
    self().count_own(&counted, counted.iterations - frames_.size());
    std::uint64_t left = c.iterations;  // calls, each of one frame or below it
    for (const Frame& frame : frames_) {
      if (frame.work > left) return false;
      left -= frame.work;
    }
    return c == counted && (frames_.empty() || left == 0) && frames_.size() <= c.max_depth &&
           c.max_depth <= c.iterations && c.nodes_expanded <= c.iterations &&
           c.root_switches <= 2 * c.iterations && c.table_hits <= c.table_lookups &&
           c.table_useful_hits <= c.table_hits && c.path_hits <= c.table_useful_hits &&
           c.races <= c.race_nodes && (probe_.on() || c.race_nodes == 0) &&
           children_.size() <= most_children_ && most_children_ <= c.max_depth * G::kMaxMoves &&
           table_.lost() <= c.table_stored && table_.used() <= c.table_stored - table_.lost();
  }

  StopReason stopped_ = StopReason::kRunning;
  bool proved_ = false;
  Move move_ = kNoMove;
  std::uint32_t walk_budget_ = 0;
  std::uint64_t most_children_ = 0;  // of all frames
  bool loaded_ = false;              // what the table says of moves was read from a file
};

}  // namespace playproof
