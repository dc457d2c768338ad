// How Vcdt searches (games/connect/vcdt.h, which says what it answers): depth first, with deepening
// by turns and a table. Included where it is instantiated.
#pragma once

#include <algorithm>
#include <cstddef>
#include <limits>

#include "games/connect/vcdt.h"

namespace playproof {

template <int W, class Policy>
Vcdt<W, Policy>::Vcdt(const ConnectWindows<W>& windows, int table_bits)
    : windows_(&windows),
      pairs_(std::make_unique<ForcingPairs<W>>(windows)),
      position_(windows, {}),
      table_(std::size_t{1} << table_bits) {}

template <int W, class Policy>
VcdtAnswer Vcdt<W, Policy>::solve(const ConnectThreats<W>& position, int attacker, int stones,
                                  const VcdtOptions& options) {
  ++question_;
  position_ = position;
  attacker_ = attacker;
  stones_ = stones;
  options_ = options;
  answer_ = {};
  begin_ = pairs_->tested();
  stones_tested_ = 0;
  stopped_ = false;

  using Replies = VcdtOptions::Replies;
  open_[0] = options.replies != Replies::kMacro;
  open_[1] = options.replies != Replies::kAll;
  if (options.shortest) {
    for (int turns = 1; turns <= options.turns; ++turns) {
      deepen(turns, true);
      deepen(turns, false);
    }
  } else {
    for (int turns = 1; turns <= options.turns; ++turns) deepen(turns, true);
    for (int turns = 1; turns <= options.turns; ++turns) deepen(turns, false);
  }
  answer_.work = pairs_->tested() - begin_ + stones_tested_;
  return answer_;
}

// Searches to so many turns, unless that can find nothing more.
template <int W, class Policy>
void Vcdt<W, Policy>::deepen(int turns, bool macro) {
  if (!open_[macro] || stopped_) return;
  const Result result = search(turns, macro, stones_);
  if (result == Result::kCut) return;
  open_[macro] = false;
  if (result == Result::kWin) {
    open_[!macro] = false;
    answer_.outcome = VcdtAnswer::Outcome::kWin;
    answer_.turns = turns;
    answer_.macro = macro || turns <= 2;  // up to two turns there are no replies
    if (turns > 1) answer_.first = find(stones_)->turn;
  } else if (!macro) {  // macro replies that nothing wins against say nothing of replies themselves
    answer_.outcome = VcdtAnswer::Outcome::kExhausted;
  }
}

template <int W, class Policy>
auto Vcdt<W, Policy>::search(int turns, bool macro, int stones) -> Result {
  if (position_.can_complete(attacker_, stones)) return Result::kWin;
  if (turns <= 1 || stopped_) return Result::kCut;
  if (pairs_->tested() - begin_ + stones_tested_ > options_.work) {
    stopped_ = true;
    return Result::kCut;
  }
  int failed = 0;
  if (const Entry* entry = find(stones)) {
    if (entry->wins(turns, macro)) return Result::kWin;
    failed = entry->fail[macro];
    if (failed == kNever) return Result::kNone;
    if (failed >= turns) return Result::kCut;
  }
  ++answer_.nodes;
  ConnectTurn best;
  int win = 0;
  const Result result = choose({turns, failed}, macro, stones, &best, &win);
  if (stopped_) return result == Result::kWin ? result : Result::kCut;
  Entry* entry = get(stones);
  if (result == Result::kWin) {
    // Without replies (two turns) both kinds are the same. The turn belongs to one win: a longer
    // one by the other kind is forgotten.
    entry->win[macro || win == 2] = static_cast<std::int8_t>(win);
    entry->win[!(macro || win == 2)] = 0;
    entry->turn = best;
  } else {
    entry->fail[macro] = result == Result::kNone ? kNever : static_cast<std::int8_t>(turns);
  }
  return result;
}

template <int W, class Policy>
auto Vcdt<W, Policy>::choose(Depth depth, bool macro, int stones, ConnectTurn* best, int* win)
    -> Result {
  const std::size_t begin = turns_.size();
  *win = 2;
  if (stones == 2) {
    if (!pairs_->read(position_, attacker_, Policy::kHeedsOthersThreats)) return Result::kNone;
    if (depth.failed < 2 && pairs_->triple(best)) return Result::kWin;
    if (depth.turns == 2) return Result::kCut;
    pairs_->doubles(&turns_);
  } else {
    ForcingStones found = forcing_stones(&position_, attacker_, Policy::kHeedsOthersThreats);
    stones_tested_ += static_cast<std::uint64_t>(position_.empty().size());
    *best = found.winning;
    if (best->first != kNoMove) return Result::kWin;
    if (depth.turns == 2) return Result::kCut;
    turns_.insert(turns_.end(), found.turns.begin(), found.turns.end());
  }
  std::ranges::stable_sort(turns_.begin() + static_cast<std::ptrdiff_t>(begin), turns_.end(),
                           [](const auto& a, const auto& b) { return a.score > b.score; });
  *win = depth.turns;
  Result result = Result::kNone;
  for (std::size_t i = begin; i < turns_.size() && !stopped_; ++i) {
    const ConnectTurn turn = turns_[i].turn;
    const Result one = try_turn(turn, depth.turns, macro);
    if (one == Result::kWin) {
      *best = turn;
      result = one;
      break;
    }
    if (one == Result::kCut) result = one;
  }
  turns_.resize(begin);
  return result;
}

template <int W, class Policy>
auto Vcdt<W, Policy>::try_turn(const ConnectTurn& turn, int turns, bool macro) -> Result {
  position_.add(attacker_, turn);
  position_.list(attacker_, &threats_);
  ConnectReplies replies = hitting_replies(threats_.all(), windows_->rules.stones);
  const Result result = macro ? answer_macro(replies, turns) : answer_all(&replies, turns);
  position_.remove(attacker_, turn);
  return result;
}

template <int W, class Policy>
auto Vcdt<W, Policy>::answer_all(ConnectReplies* replies, int turns) -> Result {
  if (replies->count > 1) order(replies);
  for (const ConnectTurn& reply : replies->all()) {
    position_.add(1 - attacker_, reply);
    const Result result = search(turns - 1, false, windows_->rules.stones);
    position_.remove(1 - attacker_, reply);
    if (result != Result::kWin) return result;
  }
  return Result::kWin;
}

template <int W, class Policy>
auto Vcdt<W, Policy>::answer_macro(const ConnectReplies& replies, int turns) -> Result {
  const CellSet<W> cells = cells_of<W>(replies);
  for_each_cell(cells, [&](int cell) { position_.add(1 - attacker_, cell); });
  // So many stones at once may complete a line, which none of the replies does.
  const Result result = position_.completed(1 - attacker_)
                            ? Result::kNone
                            : search(turns - 1, true, windows_->rules.stones);
  for_each_cell(cells, [&](int cell) { position_.remove(1 - attacker_, cell); });
  return result;
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
  options_.work = std::numeric_limits<std::uint64_t>::max() / 2;
  stopped_ = false;
  if (answer_.outcome == VcdtAnswer::Outcome::kWin) {
    prove(answer_.turns, answer_.macro, stones_, &proof);
  }
  return proof;
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
  RaceNode node;
  node.turn = entry->turn;
  const bool by_macro = entry->win[1] != 0;
  const int left = entry->win[by_macro] - 1;
  const int p = windows_->rules.stones;
  position_.add(attacker_, node.turn);
  position_.list(attacker_, &threats_);
  std::vector<std::uint32_t> children;
  if (hitting_number(threats_.all(), p) > p) {
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
  return append(node);
}

}  // namespace playproof
