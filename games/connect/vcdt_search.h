// How Vcdt searches (games/connect/vcdt.h, which says what it answers): depth first, with deepening
// by turns and a table, on a stack of its own, so that it can stop anywhere. Included where it is
// instantiated.
#pragma once

#include <algorithm>
#include <cstddef>
#include <limits>

#include "games/connect/vcdt.h"
#include "games/core/error.h"

namespace playproof {

template <int W, class Policy>
Vcdt<W, Policy>::Vcdt(const ConnectWindows<W>& windows, int table_bits)
    : windows_(&windows),
      pairs_(std::make_unique<ForcingPairs<W>>(windows)),
      position_(windows, {}),
      table_(std::size_t{1} << table_bits),
      root_(windows, {}) {}

template <int W, class Policy>
void Vcdt<W, Policy>::begin(const ConnectThreats<W>& position, int attacker, int stones,
                            const VcdtOptions& options) {
  ++question_;
  position_ = root_ = position;
  attacker_ = attacker;
  stones_ = stones;
  options_ = options;
  answer_ = {};
  begin_ = pairs_->tested();
  stones_tested_ = work_before_ = 0;
  stopped_ = false;
  phase_ = 0;
  stack_.clear();
  turns_.clear();
  using Replies = VcdtOptions::Replies;
  open_[0] = options.replies != Replies::kMacro;
  open_[1] = options.replies != Replies::kAll;
}

template <int W, class Policy>
bool Vcdt<W, Policy>::advance(std::uint64_t calls) {
  const std::uint64_t end = answer_.calls + std::min(calls, ~answer_.calls);
  while (phase_ < phases() && !stopped_) {
    if (answer_.calls >= end) return false;
    std::optional<Result> result;
    if (!stack_.empty()) {
      result = play_on();
    } else if (macro_ = is_macro(phase_); open_[macro_]) {
      result = enter(turns_of(phase_), stones_);
    } else {
      ++phase_;
    }
    if (result && !stopped_) next_phase(*result);
  }
  return true;
}

template <int W, class Policy>
VcdtAnswer Vcdt<W, Policy>::answer() const {
  VcdtAnswer answer = answer_;
  answer.work = work();
  return answer;
}

// Takes in what a search to so many turns has found; another one follows, unless that can find
// nothing more.
template <int W, class Policy>
void Vcdt<W, Policy>::next_phase(Result result) {
  const int turns = turns_of(phase_++);
  if (result == Result::kCut) return;
  open_[macro_] = false;
  if (result == Result::kWin) {
    open_[!macro_] = false;
    answer_.outcome = VcdtAnswer::Outcome::kWin;
    answer_.turns = turns;
    answer_.macro = macro_ || turns <= 2;  // up to two turns there are no replies
    if (turns > 1) answer_.first = find(stones_)->turn;
  } else if (!macro_) {  // macro replies that nothing wins against say nothing of replies
                         // themselves
    answer_.outcome = VcdtAnswer::Outcome::kExhausted;
  }
}

// The work is done: what is on the path stays open.
template <int W, class Policy>
void Vcdt<W, Policy>::stop() {
  stopped_ = true;
  stack_.clear();
  turns_.clear();
  position_ = root_;
}

template <int W, class Policy>
auto Vcdt<W, Policy>::enter(int turns, int stones) -> std::optional<Result> {
  ++answer_.calls;
  if (position_.can_complete(attacker_, stones)) return give(Result::kWin);
  if (turns <= 1) return give(Result::kCut);
  if (work() > options_.work) {
    stop();
    return Result::kCut;
  }
  int failed = 0;
  if (const Entry* entry = find(stones)) {
    if (entry->wins(turns, macro_)) return give(Result::kWin);
    failed = entry->fail[macro_];
    if (failed == kNever) return give(Result::kNone);
    if (failed >= turns) return give(Result::kCut);
  }
  ++answer_.nodes;
  ++answer_.nodes_by[macro_];
  Frame frame;
  frame.turns = turns;
  frame.stones = stones;
  ConnectTurn best;
  const std::optional<Result> result = list_turns(failed, &frame, &best);
  if (!result) {
    stack_.push_back(frame);
    answer_.depth = std::max<std::uint64_t>(answer_.depth, stack_.size());
    return std::nullopt;
  }
  remember(frame, *result, best, 2);
  return give(*result);
}

// The turns of a position, the most promising first; its result instead, if they tell it.
template <int W, class Policy>
auto Vcdt<W, Policy>::list_turns(int failed, Frame* frame, ConnectTurn* best)
    -> std::optional<Result> {
  const std::size_t begin = turns_.size();
  if (frame->stones == 2) {
    if (!pairs_->read(position_, attacker_, Policy::kHeedsOthersThreats)) return Result::kNone;
    if (failed < 2 && pairs_->triple(best)) return Result::kWin;
    if (frame->turns == 2) return Result::kCut;
    pairs_->doubles(&turns_);
  } else {
    ForcingStones found = forcing_stones(&position_, attacker_, Policy::kHeedsOthersThreats);
    stones_tested_ += static_cast<std::uint64_t>(position_.empty().size());
    *best = found.winning;
    if (best->first != kNoMove) return Result::kWin;
    if (frame->turns == 2) return Result::kCut;
    turns_.insert(turns_.end(), found.turns.begin(), found.turns.end());
  }
  std::ranges::stable_sort(turns_.begin() + static_cast<std::ptrdiff_t>(begin), turns_.end(),
                           [](const auto& a, const auto& b) { return a.score > b.score; });
  if (turns_.size() == begin) return Result::kNone;
  frame->begin = frame->next = begin;
  frame->end = turns_.size();
  return std::nullopt;
}

template <int W, class Policy>
void Vcdt<W, Policy>::remember(const Frame& frame, Result result, const ConnectTurn& best,
                               int win) {
  Entry* entry = get(frame.stones);
  if (result == Result::kWin) {
    // Without replies (two turns) both kinds are the same. The turn belongs to one win: a longer
    // one by the other kind is forgotten.
    const bool by_macro = macro_ || win == 2;
    entry->win[by_macro] = static_cast<std::int8_t>(win);
    entry->win[!by_macro] = 0;
    entry->turn = best;
  } else {
    entry->fail[macro_] = result == Result::kNone ? kNever : static_cast<std::int8_t>(frame.turns);
  }
}

// Puts the turn that is tried on the board and lists the replies.
template <int W, class Policy>
void Vcdt<W, Policy>::play_turn(Frame* frame) {
  position_.add(attacker_, turns_[frame->next].turn);
  position_.list(attacker_, &threats_);
  frame->replies = hitting_replies(threats_.all(), windows_->rules.stones);
  if (!macro_ && frame->replies.count > 1) order(&frame->replies);
  frame->reply = 0;
}
template <int W, class Policy>
void Vcdt<W, Policy>::add_reply(const Frame& frame) {
  if (macro_) {
    for_each_cell(cells_of<W>(frame.replies),
                  [&](int cell) { position_.add(1 - attacker_, cell); });
  } else {
    position_.add(1 - attacker_, frame.replies.turns[frame.reply]);
  }
}
template <int W, class Policy>
void Vcdt<W, Policy>::remove_reply(const Frame& frame) {
  if (macro_) {
    for_each_cell(cells_of<W>(frame.replies),
                  [&](int cell) { position_.remove(1 - attacker_, cell); });
  } else {
    position_.remove(1 - attacker_, frame.replies.turns[frame.reply]);
  }
}

template <int W, class Policy>
auto Vcdt<W, Policy>::play_on() -> std::optional<Result> {
  Frame& frame = stack_.back();
  if (frame.reply == kNoTurn) play_turn(&frame);
  add_reply(frame);
  // So many stones at once may complete a line, which none of the replies does.
  if (macro_ && position_.completed(1 - attacker_)) return give(Result::kNone);
  return enter(frame.turns - 1, windows_->rules.stones);
}

template <int W, class Policy>
auto Vcdt<W, Policy>::give(Result result) -> std::optional<Result> {
  while (!stack_.empty()) {
    Frame& frame = stack_.back();
    remove_reply(frame);
    if (result == Result::kWin && !macro_ && ++frame.reply < frame.replies.count) {
      return std::nullopt;
    }
    const ConnectTurn turn = turns_[frame.next].turn;
    position_.remove(attacker_, turn);
    frame.reply = kNoTurn;
    if (result != Result::kWin) {
      if (result == Result::kCut) frame.result = result;
      if (++frame.next < frame.end) return std::nullopt;
      result = frame.result;
    }
    remember(frame, result, turn, frame.turns);
    turns_.resize(frame.begin);
    stack_.pop_back();
  }
  return result;
}

// Searches one position to the end.
template <int W, class Policy>
auto Vcdt<W, Policy>::search(int turns, bool macro, int stones) -> Result {
  macro_ = macro;
  std::optional<Result> result = enter(turns, stones);
  while (!result) result = play_on();
  return *result;
}

// What gives the other side most comes first: it refutes most often.
template <int W, class Policy>
void Vcdt<W, Policy>::order(ConnectReplies* replies) {
  scores_.read(position_, 1 - attacker_);
  int scores[ConnectReplies::kMost];
  for (int i = 0; i < replies->count; ++i) {
    const ConnectTurn turn = replies->turns[i];
    const int score = scores_(turn.first) + (turn.second == kNoMove ? 0 : scores_(turn.second));
    int place = i;
    for (; place > 0 && scores[place - 1] < score; --place) {
      scores[place] = scores[place - 1];
      replies->turns[place] = replies->turns[place - 1];
    }
    scores[place] = score;
    replies->turns[place] = turn;
  }
}

// Questions have tables of their own, without the cost of clearing one.
template <int W, class Policy>
std::uint64_t Vcdt<W, Policy>::salt(int stones) const {
  return mix64(2 * question_ + (stones == windows_->rules.stones ? 0 : 1));
}

template <int W, class Policy>
auto Vcdt<W, Policy>::find(int stones) -> Entry* {
  Entry& entry = table_[position_.key(0) & (table_.size() - 1)];
  return entry.check == (position_.key(1) ^ salt(stones)) ? &entry : nullptr;
}

template <int W, class Policy>
auto Vcdt<W, Policy>::get(int stones) -> Entry* {
  if (Entry* entry = find(stones)) return entry;
  Entry& entry = table_[position_.key(0) & (table_.size() - 1)];
  entry = {};
  entry.check = position_.key(1) ^ salt(stones);
  return &entry;
}

template <int W, class Policy>
RaceProof Vcdt<W, Policy>::proof() {
  RaceProof proof;
  const VcdtAnswer answer = this->answer();
  options_.work = std::numeric_limits<std::uint64_t>::max() / 2;
  if (answer.outcome == VcdtAnswer::Outcome::kWin) {
    prove(answer.turns, answer.macro, stones_, &proof);
  }
  answer_ = answer;
  return proof;
}

// What a file said may be otherwise.
template <int W, class Policy>
void Vcdt<W, Policy>::refuse() const {
  throw Error(ErrorCode::kData, "the search that was resumed: a win of its table is none");
}

template <int W, class Policy>
bool Vcdt<W, Policy>::is_turn(const ConnectTurn& turn, int stones) const {
  const auto is_free = [&](Move cell) {
    return cell < windows_->rules.cells && position_.empty().has(cell);
  };
  if (!is_free(turn.first)) return false;
  if (stones == 1) return turn.second == kNoMove;
  return turn.second != turn.first && is_free(turn.second);
}

// Appends the proof of the position, which is a win within so many turns; its number.
template <int W, class Policy>
std::uint32_t Vcdt<W, Policy>::prove(int turns, bool macro, int stones, RaceProof* proof) {
  const auto append = [&](const RaceNode& node) {
    proof->nodes.push_back(node);
    return static_cast<std::uint32_t>(proof->nodes.size() - 1);
  };
  if (position_.can_complete(attacker_, stones)) return append({});
  const Entry* entry = find(stones);
  if (entry == nullptr || !entry->wins(turns, macro)) {  // another position took its place
    search(turns, macro, stones);
    entry = find(stones);
  }
  if (entry == nullptr || !entry->wins(turns, macro) || !is_turn(entry->turn, stones)) refuse();
  RaceNode node;
  node.turn = entry->turn;
  const bool by_macro = entry->win[1] != 0;
  const int left = entry->win[by_macro] - 1;
  const int p = windows_->rules.stones;
  position_.add(attacker_, node.turn);
  position_.list(attacker_, &threats_);
  std::vector<std::uint32_t> children;
  const int number = hitting_number(threats_.all(), p);
  if (number < p) refuse();
  if (number > p) {
    node.kind = RaceNode::Kind::kWins;
  } else {
    const ConnectReplies replies = hitting_replies(threats_.all(), p);
    const auto answered = [&](const CellSet<W>& cells) {
      for_each_cell(cells, [&](int cell) { position_.add(1 - attacker_, cell); });
      children.push_back(prove(left, by_macro, p, proof));
      for_each_cell(cells, [&](int cell) { position_.remove(1 - attacker_, cell); });
    };
    node.kind = by_macro ? RaceNode::Kind::kMacro : RaceNode::Kind::kForces;
    if (by_macro) {
      answered(cells_of<W>(replies));
    } else {
      for (const ConnectTurn& reply : replies.all()) {
        ConnectReplies one;
        one.add(reply.first, reply.second);
        answered(cells_of<W>(one));
      }
    }
  }
  position_.remove(attacker_, node.turn);
  node.first_child = static_cast<std::uint32_t>(proof->children.size());
  node.children = static_cast<std::uint32_t>(children.size());
  proof->children.insert(proof->children.end(), children.begin(), children.end());
  proof->replies.resize(proof->children.size());
  return append(node);
}

template <int W, class Policy>
template <class Archive>
void Vcdt<W, Policy>::serialize(Archive& archive) {
  archive(question_, answer_.outcome, answer_.turns, answer_.macro, answer_.first.first,
          answer_.first.second, answer_.calls, answer_.nodes, answer_.nodes_by[0],
          answer_.nodes_by[1], answer_.depth);
  std::uint64_t done = work();
  archive(done, phase_, macro_, open_[0], open_[1], stopped_);
  archive.check(phase_ >= 0 && phase_ <= phases(), "a depth that is not searched");
  const bool is_win = answer_.outcome == VcdtAnswer::Outcome::kWin;
  archive.check(!is_win || (answer_.turns > 0 && answer_.turns <= options_.turns),
                "a win of so many turns");
  serialize_table(archive);
  serialize_path(archive);
  if constexpr (Archive::kLoading) {
    work_before_ = done;
    begin_ = pairs_->tested();
    stones_tested_ = 0;
  }
}

template <int W, class Policy>
template <class Archive>
void Vcdt<W, Policy>::serialize_table(Archive& archive) {
  const Entry none;
  std::uint64_t size = table_.size();
  std::uint64_t used = 0;
  for (const Entry& entry : table_) used += entry.check != 0;
  archive(size, used);
  archive.check(size == table_.size() && used <= size, "a table of another size");
  if constexpr (Archive::kLoading) std::ranges::fill(table_, none);
  std::uint64_t place = 0;
  for (std::uint64_t i = 0; i < used; ++i, ++place) {
    if constexpr (!Archive::kLoading) {
      while (table_[place].check == 0) ++place;
    }
    archive(place);
    archive.check(place < size, "an entry outside of the table");
    Entry& entry = table_[place];
    archive(entry.check, entry.turn.first, entry.turn.second);
    for (std::int8_t* turns : {&entry.win[0], &entry.win[1], &entry.fail[0], &entry.fail[1]}) {
      archive(*turns);
      archive.check(*turns >= 0, "turns below zero");
    }
  }
}

// The path is played again: its turns are listed anew.
template <int W, class Policy>
template <class Archive>
void Vcdt<W, Policy>::serialize_path(Archive& archive) {
  std::uint64_t depth = stack_.size();
  archive(depth);
  archive.check(depth <= static_cast<std::uint64_t>(options_.turns), "a path that is too long");
  archive.check(depth == 0 || (phase_ < phases() && !stopped_), "a path of no search");
  archive.check(depth == 0 || macro_ == is_macro(phase_), "a path of other replies");
  for (std::uint64_t i = 0; i < depth; ++i) {
    if constexpr (Archive::kLoading) {
      Frame frame;
      frame.turns = turns_of(phase_) - static_cast<int>(i);
      frame.stones = i == 0 ? stones_ : windows_->rules.stones;
      ConnectTurn best;
      const bool over = position_.can_complete(attacker_, frame.stones) || frame.turns <= 1 ||
                        list_turns(2, &frame, &best).has_value();
      archive.check(!over, "a position where nothing is tried");
      stack_.push_back(frame);
    }
    Frame& frame = stack_[i];
    std::uint64_t next = frame.next - frame.begin;
    auto result = static_cast<std::int8_t>(frame.result);
    int reply = frame.reply;
    archive(next, result, reply);
    archive.check(next < frame.end - frame.begin, "a turn that is not there");
    archive.check(result == -1 || result == 0, "a result of no turns");
    archive.check(reply == kNoTurn ? i + 1 == depth : reply >= 0, "a reply that is not there");
    if constexpr (Archive::kLoading) {
      frame.next = frame.begin + next;
      frame.result = static_cast<Result>(result);
      if (reply == kNoTurn) continue;
      play_turn(&frame);
      archive.check(reply < frame.replies.count, "a reply that is not there");
      frame.reply = reply;
      if (i + 1 < depth) add_reply(frame);  // that of the last one is still to be played
    }
  }
}

}  // namespace playproof
