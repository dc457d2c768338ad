// The oracle of games that repeat. Where repetition has one value, whoever brings it about:
// retrograde analysis of all positions that can be reached, from the ends back to where they came
// from (Thompson 1986); what is never reached so is infinite play. Else: every path, one after the
// other, without a table. It stands beside searches with numbers and tables
// (host/table/path_search.h) and shares nothing with them.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "games/core/error.h"
#include "games/core/identity.h"
#include "host/path/path.h"
#include "host/path/repetition.h"
#include "host/question/counters.h"
#include "host/question/question.h"

namespace playproof {

// Retrograde analysis of one claim, for rules that blame nobody.
template <Game G>
class Retrograde {
 public:
  using State = typename G::State;
  using Rules = typename G::Rules;

  Retrograde(const Rules& rules, const Claim& claim)
      : rules_(rules),
        claim_(claim),
        by_repetition_(reached_by_repetition(path_rule<G>(rules), claim, Player::kFirst)) {}

  // Takes in what can be reached from a position, up to so many positions more; true once it is all
  // there. Then every one of these is known.
  bool run(const State& from, std::uint64_t positions) {
    add(from);
    for (; next_ < nodes_.size(); ++next_) {
      if (positions-- == 0) return false;
      expand(next_);
    }
    if (solved_ < nodes_.size()) solve();
    return true;
  }
  // Does the attacker reach it? Of a known position.
  bool reached(const State& state) const { return at(state).reached; }
  // A move of the side that has it its way: by such moves play ends, or goes on for ever if that is
  // good for it. kNoMove in an end, and if the other side has it its way.
  Move move(const State& state) const { return at(state).move; }
  std::uint64_t positions() const { return nodes_.size(); }
  std::uint64_t bytes() const {
    return nodes_.size() * (sizeof(Node) + sizeof(State) + 96) + arrows_ * 4 * sizeof(std::size_t);
  }

 private:
  using Id = PositionId<G>;
  struct Node {
    State state{};
    bool attackers = true;
    bool reached = false;
    bool known = false;
    std::uint32_t open = 0;  // moves that may still avoid what the other side wants
    Move move = kNoMove;
    std::vector<std::pair<std::size_t, Move>> from;
  };

  std::size_t index_of(const State& state) const {
    const auto found = index_.find(position_id(G{}, state));
    return found == index_.end() ? nodes_.size() : found->second;
  }
  const Node& at(const State& state) const { return nodes_[index_of(state)]; }
  std::size_t add(const State& state) {
    const auto [found, is_new] = index_.emplace(position_id(G{}, state), nodes_.size());
    if (is_new) {
      nodes_.emplace_back();
      nodes_.back().state = state;
    }
    return found->second;
  }
  void expand(std::size_t i) {
    const State state = nodes_[i].state;
    if (G::finished(rules_, state)) return;
    nodes_[i].attackers = G::to_move(rules_, state) == claim_.attacker;
    Move moves[G::kMaxMoves];
    const int count = G::moves(rules_, state, moves);
    nodes_[i].open = static_cast<std::uint32_t>(count);
    arrows_ += static_cast<std::uint64_t>(count);
    for (int m = 0; m < count; ++m) {
      State child = state;
      G::play(rules_, child, moves[m]);
      nodes_[add(child)].from.emplace_back(i, moves[m]);
    }
  }
  // Positions in which the side for which repetition is bad comes to an end that it wants. All
  // others are the other side's. Anew, since new positions may lead to old ones alone.
  void solve() {
    const bool wanted = !by_repetition_;
    std::vector<std::size_t> ends;
    for (std::size_t i = solved_; i < nodes_.size(); ++i) {
      Node& node = nodes_[i];
      node.reached = by_repetition_;
      if (!G::finished(rules_, node.state)) continue;
      const Value value = value_for(claim_.attacker, G::value(rules_, node.state));
      node.reached = value >= claim_.threshold;
      node.known = true;
      if (node.reached == wanted) ends.push_back(i);
    }
    // What was solved before and leads nowhere new is not touched; an end of then is one of now for
    // positions that are new.
    for (std::size_t i = 0; i < solved_; ++i) {
      if (nodes_[i].known && nodes_[i].reached == wanted) ends.push_back(i);
    }
    for (std::size_t k = 0; k < ends.size(); ++k) {
      for (const auto& [parent, move] : nodes_[ends[k]].from) {
        Node& node = nodes_[parent];
        if (node.known || parent < solved_) continue;
        if (node.attackers == wanted) {
          node.move = move;
        } else if (--node.open > 0) {
          continue;
        }
        node.known = true;
        node.reached = wanted;
        ends.push_back(parent);
      }
    }
    for (std::size_t i = solved_; i < nodes_.size(); ++i) stay(i, wanted);
    solved_ = nodes_.size();
  }
  // The other side stays where it has it its way: the lowest such move.
  void stay(std::size_t i, bool wanted) {
    Node& node = nodes_[i];
    if (node.known || node.attackers == wanted) return;
    Move moves[G::kMaxMoves];
    const int count = G::moves(rules_, node.state, moves);
    for (int m = 0; m < count && node.move == kNoMove; ++m) {
      State child = node.state;
      G::play(rules_, child, moves[m]);
      if (at(child).reached != wanted) node.move = moves[m];
    }
  }

  Rules rules_;
  Claim claim_;
  bool by_repetition_;
  std::map<Id, std::size_t> index_;
  std::vector<Node> nodes_;
  std::size_t next_ = 0;    // to be expanded
  std::size_t solved_ = 0;  // of those before it all is known
  std::uint64_t arrows_ = 0;
};

// Every path, by the rule as it stands: `most` times a position may be there, then the line ends
// (a rule that never ends it ends it the second time, where nothing new can come).
template <Game G>
class EveryPath {
 public:
  using State = typename G::State;
  using Rules = typename G::Rules;

  EveryPath(const Rules& rules, const Claim& claim)
      : rules_(rules),
        claim_(claim),
        rule_(path_rule<G>(rules)),
        most_(rule_ == PathRule::kThirdDraws ? 3 : 2) {}

  // Of a position with these before it.
  void begin(const State& state, std::span<const State> before) {
    stack_.clear();
    times_.clear();
    answered_ = false;
    move_ = kNoMove;
    for (const State& one : before) ++times_[position_id(G{}, one)];
    call(state);
  }
  // True once it has the answer; makes up to `calls` calls.
  bool run(std::uint64_t calls) {
    while (!answered_ && calls-- > 0) {
      Frame& frame = stack_.back();
      State child = frame.state;
      G::play(rules_, child, frame.moves[frame.next++]);
      call(child);
    }
    return answered_;
  }
  bool answer() const { return answer_; }
  Move move() const { return move_; }  // of the root, if its side has it its way
  std::uint64_t calls() const { return calls_; }
  std::uint64_t max_depth() const { return max_depth_; }
  std::uint64_t bytes() const { return max_depth_ * (sizeof(Frame) + 2 * G::kMaxMoves); }

 private:
  struct Frame {
    State state{};
    bool attackers = true;
    std::size_t next = 0;
    std::vector<Move> moves;
  };
  void call(const State& state) {
    ++calls_;
    if (G::finished(rules_, state)) {
      give(value_for(claim_.attacker, G::value(rules_, state)) >= claim_.threshold);
      return;
    }
    int& times = times_[position_id(G{}, state)];
    if (times + 1 >= most_ && !stack_.empty()) {
      const Player mover = G::to_move(rules_, stack_.back().state);
      give(reached_by_repetition(rule_, claim_, mover));
      return;
    }
    ++times;
    Frame& frame = stack_.emplace_back();
    frame.state = state;
    frame.attackers = G::to_move(rules_, state) == claim_.attacker;
    Move moves[G::kMaxMoves];
    const int count = G::moves(rules_, state, moves);
    frame.moves.assign(moves, moves + count);
    max_depth_ = std::max<std::uint64_t>(max_depth_, stack_.size());
  }
  void give(bool reached) {
    while (!stack_.empty()) {
      const Frame& frame = stack_.back();
      if (reached != frame.attackers && frame.next < frame.moves.size()) return;
      if (stack_.size() == 1 && reached == frame.attackers) move_ = frame.moves[frame.next - 1];
      --times_[position_id(G{}, frame.state)];
      stack_.pop_back();
    }
    answer_ = reached;
    answered_ = true;
  }

  Rules rules_;
  Claim claim_;
  PathRule rule_;
  int most_;
  std::map<PositionId<G>, int> times_;
  std::vector<Frame> stack_;
  bool answered_ = false;
  bool answer_ = false;
  Move move_ = kNoMove;
  std::uint64_t calls_ = 0;
  std::uint64_t max_depth_ = 0;
};

// The one or the other, as the rule asks; an engine like host/table/path_search.h.
template <Game G>
class ExhaustivePaths {
 public:
  using State = typename G::State;
  using Rules = typename G::Rules;

  ExhaustivePaths(const Rules& rules, const Claim& claim, std::uint64_t max_nodes,
                  std::uint64_t max_bytes)
      : rules_(rules), claim_(claim), max_nodes_(max_nodes), max_bytes_(max_bytes) {
    if (blames_mover(path_rule<G>(rules))) {
      paths_.emplace(rules, claim);
    } else {
      positions_.emplace(rules, claim);
    }
  }

  void begin(const State& position, std::span<const State> before = {}) {
    position_ = position;
    stopped_ = StopReason::kRunning;
    if (paths_) paths_->begin(position, before);
  }
  // Up to about so many positions more; not running once it has the answer, or may not go on.
  StopReason run(std::uint64_t calls) {
    if (stopped_ != StopReason::kRunning) return stopped_;
    const std::uint64_t left = max_nodes_ - std::min(max_nodes_, counters().iterations);
    const bool done = paths_ ? paths_->run(std::min(calls, left))
                             : positions_->run(position_, std::min(calls, left));
    if (done) {
      stopped_ = StopReason::kDecided;
      proved_ = paths_ ? paths_->answer() : positions_->reached(position_);
      move_ = paths_ ? paths_->move() : positions_->move(position_);
    } else if (calls >= left) {
      stopped_ = StopReason::kNodes;
    } else if (counters().peak_bytes > max_bytes_) {
      stopped_ = StopReason::kMemory;
    }
    return stopped_;
  }
  StopReason stopped() const { return stopped_; }
  bool proved() const { return proved_; }
  // Once decided: of the side to move, if it has it its way.
  Move best_move() const { return move_; }
  const Claim& claim() const { return claim_; }
  Counters counters() const {
    Counters counters;
    counters.iterations = paths_ ? paths_->calls() : positions_->positions();
    counters.nodes_created = counters.nodes_expanded = counters.iterations;
    counters.max_depth = paths_ ? paths_->max_depth() : 0;
    counters.peak_bytes = paths_ ? paths_->bytes() : positions_->bytes();
    return counters;
  }
  // Another search, without limits; of the same claim it knows what this one does.
  ExhaustivePaths another(const Claim& claim) const {
    ExhaustivePaths other = *this;
    if (claim.threshold != claim_.threshold) other = ExhaustivePaths(rules_, claim, 0, 0);
    other.max_nodes_ = other.max_bytes_ = SearchLimits::kNone;
    return other;
  }
  static bool is_safe() { return true; }

 private:
  Rules rules_;
  Claim claim_;
  std::uint64_t max_nodes_;
  std::uint64_t max_bytes_;
  std::optional<Retrograde<G>> positions_;
  std::optional<EveryPath<G>> paths_;
  State position_{};
  StopReason stopped_ = StopReason::kRunning;
  bool proved_ = false;
  Move move_ = kNoMove;
};

}  // namespace playproof
