// Plays a win by threats stone by stone: what a line of play and a strategy ask of a proof.
#pragma once

#include <algorithm>
#include <cstddef>
#include <optional>
#include <vector>

#include "games/connect/race_zone.h"
#include "games/connect/threats.h"
#include "games/connect/vcdt.h"
#include "host/proof/guide.h"

namespace playproof {

// The attacker's side of it. The other side may reply as it likes: what does not hit all threats
// lets him complete a line.
template <int W>
class RaceGuide final : public Guide<Connect<W>> {
 public:
  using Game = Connect<W>;
  using State = typename Game::State;

  // The proof must outlive it. `attacker` is to move, with so many stones left, in the position
  // that the proof is of.
  RaceGuide(const ConnectThreats<W>& position, const RaceProof& proof, int attacker, int stones)
      : windows_(position.windows()),
        proof_(proof),
        attacker_(attacker),
        node_(&proof.root()),
        model_(position),
        zones_(proof.nodes.size()) {
    // Which turns the replies of quiet nodes answer: what their zones say.
    const auto keep = [this](const typename RaceWalk<W>::Visited& at) {
      zones_[at.index] = at.zone;
    };
    RaceWalk<W>().walk(position, attacker, stones, proof, keep);
  }

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
    go_on();
    reply_ = {};
    begun_ = false;
  }

  // What the other side plays in a longest game, where it is to move: all of a turn.
  std::vector<Move> longest_reply(const State& state) const {
    const CellSet<W> empty = ConnectThreats<W>(windows_, state).empty();
    std::vector<Move> cells;
    const auto add = [&](Move cell) {
      const bool fits = cells.size() < static_cast<std::size_t>(windows_.rules.stones) &&
                        cell != kNoMove && empty.has(cell) && std::ranges::count(cells, cell) == 0;
      if (fits) cells.push_back(cell);
    };
    if (node_ != nullptr && node_->children > 0) {
      std::uint32_t chosen = 0;
      for (std::uint32_t i = 1; i < node_->children; ++i) {
        if (proof_.turns_below(*node_, i) > proof_.turns_below(*node_, chosen)) chosen = i;
      }
      const ConnectTurn turn = reply(chosen);
      add(turn.first);
      add(turn.second);
    }
    for_each_cell(empty, [&](int cell) { add(static_cast<Move>(cell)); });
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
  // All that hit, after the turn of the node.
  ConnectReplies hitting() const {
    ConnectThreats<W> after = model_;
    after.add(attacker_, node_->turn);
    typename ConnectThreats<W>::List threats;
    after.list(attacker_, &threats);
    const int p = windows_.rules.stones;
    if (hitting_number(threats.all(), p) != p) return {};
    return hitting_replies(threats.all(), p);
  }
  // A reply that leads to a child.
  ConnectTurn reply(std::uint32_t child) const {
    if (node_->kind == RaceNode::Kind::kQuiet) return proof_.replies[node_->first_child + child];
    return hitting().turns[child];
  }
  // Goes to the node after the turn and the reply played; to none, if he can complete a line.
  void go_on() {
    if (node_ == nullptr || node_->children == 0) {
      node_ = nullptr;
      return;
    }
    const RaceNode& from = *node_;
    node_ = nullptr;
    CellSet<W> placed;
    std::uint32_t child = 0;
    if (from.kind == RaceNode::Kind::kQuiet) {
      for (; child < from.children; ++child) {
        placed = cells_of<W>(proof_.replies[from.first_child + child]);
        if (answers(from, child, placed)) break;
      }
      if (child == from.children) return;
    } else {
      node_ = &from;
      const ConnectReplies replies = hitting();
      node_ = nullptr;
      const auto all = replies.all();
      const auto found = std::ranges::find_if(
          all, [&](const ConnectTurn& turn) { return cells_of<W>(turn) == reply_; });
      if (found == all.end()) return;
      const bool macro = from.kind == RaceNode::Kind::kMacro;
      child = macro ? 0 : static_cast<std::uint32_t>(found - all.begin());
      placed = macro ? cells_of<W>(replies) : reply_;
    }
    model_.add(attacker_, from.turn);
    for_each_cell(placed & model_.empty(), [&](int cell) { model_.add(1 - attacker_, cell); });
    node_ = &proof_.nodes[proof_.children[from.first_child + child]];
  }
  // Whether what was played has the stones of a quiet node's reply, and to what follows that the
  // others are nothing.
  bool answers(const RaceNode& from, std::uint32_t child, const CellSet<W>& placed) const {
    if (!placed.within(reply_)) return false;
    ConnectTurn rest;
    for_each_cell(reply_ - placed, [&](int cell) {
      (rest.first == kNoMove ? rest.first : rest.second) = static_cast<Move>(cell);
    });
    return zones_[proof_.children[from.first_child + child]].leaves_out(rest);
  }

  const ConnectWindows<W>& windows_;
  const RaceProof& proof_;
  int attacker_;
  const RaceNode* node_;  // how he goes on; null: he can complete a line
  // The position of the node, which may have other stones of the other side than the game: all that
  // a macro gives it, and none where they are nothing to the proof.
  ConnectThreats<W> model_;
  std::vector<RaceZone<W>> zones_;
  bool begun_ = false;  // his turn is planned
  std::vector<Move> planned_;
  CellSet<W> reply_;  // of the other side, so far
};

}  // namespace playproof
