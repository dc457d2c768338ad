// Plays a win by threats stone by stone: what a line of play and a strategy ask of a proof.
#pragma once

#include <algorithm>
#include <cstddef>
#include <optional>
#include <vector>

#include "games/connect/race_proof.h"
#include "games/connect/threats.h"
#include "host/proof/strategy.h"

namespace playproof {

// The attacker's side of it. The other side may reply as it likes: what does not hit all threats
// lets him complete a line.
template <int W>
class RaceGuide final : public Guide<Connect<W>> {
 public:
  using Game = Connect<W>;
  using State = typename Game::State;

  // Both must outlive it. `attacker` is to move in the position that the proof is of.
  RaceGuide(const ConnectWindows<W>& windows, const RaceProof& proof, int attacker)
      : windows_(windows), proof_(proof), attacker_(attacker), node_(&proof.root()) {}

  Move move(const State& state) override {
    plan(state);
    return planned_.empty() ? kNoMove : planned_.front();
  }
  void follow(const State& state, Move move) override {
    if (mover(state) == attacker_) {
      plan(state);
      std::erase(planned_, move);
      return;
    }
    reply_.add(move);
    State next = state;
    Game::play(windows_.rules, next, move);
    if (Game::finished(windows_.rules, next) || mover(next) != attacker_) return;
    node_ = child(ConnectThreats<W>(windows_, next));
    reply_ = {};
    begun_ = false;
  }

  // What the other side plays in a longest game, where it is to move: all of a turn.
  std::vector<Move> longest_reply(const State& state) const {
    const ConnectThreats<W> position(windows_, state);
    const ConnectReplies replies = replies_of(position);
    std::vector<Move> cells;
    if (replies.count == 0 || node_ == nullptr) {  // nothing hits all threats
      for_each_cell(position.empty(), [&](int cell) { cells.push_back(static_cast<Move>(cell)); });
    } else {
      int chosen = 0;
      int longest = 0;
      for (int i = 0; i < replies.count && node_->kind == RaceNode::Kind::kForces; ++i) {
        const int turns = proof_.turns_below(*node_, static_cast<std::uint32_t>(i));
        if (turns > longest) chosen = i;
        longest = std::max(longest, turns);
      }
      const ConnectTurn& turn = replies.turns[chosen];
      cells.push_back(turn.first);
      if (turn.second != kNoMove) cells.push_back(turn.second);
    }
    const auto turn = static_cast<std::size_t>(windows_.rules.stones);
    if (cells.size() > turn) cells.resize(turn);
    return cells;
  }

 private:
  int mover(const State& state) const {
    return static_cast<int>(Game::to_move(windows_.rules, state));
  }
  // What the rest of the turn is, once for each turn.
  void plan(const State& state) {
    if (begun_) return;
    begun_ = true;
    planned_.clear();
    const int stones = Game::stones_left_in_turn(windows_.rules, state);
    const ConnectThreats<W> position(windows_, state);
    if (position.can_complete(attacker_, stones)) {
      for_each_cell(fewest_missing(position),
                    [&](int cell) { planned_.push_back(static_cast<Move>(cell)); });
    } else if (node_ != nullptr) {
      planned_.push_back(node_->turn.first);
      if (node_->turn.second != kNoMove) planned_.push_back(node_->turn.second);
    }
  }
  CellSet<W> fewest_missing(const ConnectThreats<W>& position) const {
    CellSet<W> best = position.empty();
    const int from = windows_.rules.connect - windows_.rules.stones;
    for_each_window(windows_, position.live_from(attacker_, from), [&](int window) {
      const CellSet<W> missing = windows_.cells(window) & position.empty();
      if (missing.size() < best.size()) best = missing;
    });
    return best;
  }
  ConnectReplies replies_of(const ConnectThreats<W>& position) const {
    typename ConnectThreats<W>::List threats;
    position.list(attacker_, &threats);
    const int p = windows_.rules.stones;
    if (hitting_number(threats.all(), p) != p) return {};
    return hitting_replies(threats.all(), p);
  }
  // The node after the turn and the reply that were played; null: none is needed.
  const RaceNode* child(ConnectThreats<W> position) const {
    if (node_ == nullptr || node_->children == 0) return nullptr;
    for_each_cell(reply_, [&](int cell) { position.remove(1 - attacker_, cell); });
    const ConnectReplies replies = replies_of(position);
    for (int i = 0; i < replies.count; ++i) {
      CellSet<W> cells = CellSet<W>::one(replies.turns[i].first);
      if (replies.turns[i].second != kNoMove) cells.add(replies.turns[i].second);
      if (!(cells == reply_)) continue;
      const std::size_t place =
          node_->kind == RaceNode::Kind::kMacro ? 0 : static_cast<std::size_t>(i);
      return &proof_.nodes[proof_.children[node_->first_child + place]];
    }
    return nullptr;
  }

  const ConnectWindows<W>& windows_;
  const RaceProof& proof_;
  int attacker_;
  const RaceNode* node_;  // how he goes on; null: he can complete a line
  bool begun_ = false;    // his turn is planned
  std::vector<Move> planned_;
  CellSet<W> reply_;  // of the other side, so far
};

}  // namespace playproof
