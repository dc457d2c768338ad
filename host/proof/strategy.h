// One side's proof as the moves that it plays: what is kept of a proof whose tree must go, so that
// its line can still be shown. Two bytes a node where the prover moves, nothing for the others.
#pragma once

#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

#include "games/core/error.h"
#include "games/core/game.h"
#include "host/proof/guide.h"
#include "host/proof/probed_moves.h"

namespace playproof {

// The moves stand in the order of a walk over the proof from its root: where the prover is to move,
// the move; where the opponent is, nothing, since every legal reply follows, in ascending order.
// Nothing stands there either of what follows a position (not the root) that a probe decides.
using Strategy = std::vector<Move>;

// The strategy of the proof that stands in a source (host/proof/proof_writer.h).
template <Game G, class Source>
Strategy strategy_of(const typename G::Rules& rules, const typename G::State& root, Source& source,
                     typename Source::Handle handle) {
  Strategy strategy;
  std::vector<std::pair<typename G::State, typename Source::Handle>> waiting{{root, handle}};
  std::vector<std::pair<Move, typename Source::Handle>> replies;
  bool at_root = true;
  while (!waiting.empty()) {
    const auto [state, at] = waiting.back();
    waiting.pop_back();
    if (G::finished(rules, state) || (!at_root && source.is_probed(state))) continue;
    at_root = false;
    const bool one = G::to_move(rules, state) == source.claim.prover();
    Move moves[G::kMaxMoves];
    const int needed = one ? 1 : G::moves(rules, state, moves);
    replies.clear();
    source.replies(at, state, one, replies);
    if (replies.size() != static_cast<std::size_t>(needed)) {
      throw Error(ErrorCode::kInternal, "the search did not keep a proof of its verdict");
    }
    if (one) strategy.push_back(replies.front().first);
    for (auto reply = replies.rbegin(); reply != replies.rend(); ++reply) {
      auto child = state;
      G::play(rules, child, reply->first);
      waiting.emplace_back(child, reply->second);
    }
  }
  strategy.shrink_to_fit();
  return strategy;
}

// Plays a strategy. What a file said of it is not believed: Error(kData) where it cannot be one.
template <Game G>
class StrategyGuide final : public Guide<G> {
 public:
  using State = typename G::State;
  using Rules = typename G::Rules;

  // `options`: those of the search that the strategy is from.
  StrategyGuide(const Rules& rules, const ProofClaim& claim, const SearchOptions& options,
                const Strategy& strategy)
      : rules_(rules),
        prover_(claim.prover()),
        probed_(rules, claim, options),
        strategy_(strategy) {}

  Move move(const State& state) override {
    if (!is_below_) return checked(state, next_);
    const Move move = probed_.holding_move(state);
    if (move == kNoMove) refuse();
    return move;
  }
  void follow(const State& state, Move move) override {
    if (is_below_) {
      probed_.follow(state, move);
      return;
    }
    State next = state;
    G::play(rules_, next, move);
    is_below_ = is_left_out(next);
    if (G::to_move(rules_, state) == prover_) {
      ++next_;
      return;
    }
    Move moves[G::kMaxMoves];
    const int count = G::moves(rules_, state, moves);
    for (int i = 0; i < count && moves[i] != move; ++i) {
      State child = state;
      G::play(rules_, child, moves[i]);
      skip(child);
    }
  }

 private:
  // The move at a place, if it is legal there.
  Move checked(const State& state, std::size_t place) const {
    Move moves[G::kMaxMoves];
    Move* end = moves + G::moves(rules_, state, moves);
    if (place < strategy_.size() && std::find(moves, end, strategy_[place]) != end) {
      return strategy_[place];
    }
    refuse();
  }
  [[noreturn]] static void refuse() {
    throw Error(ErrorCode::kData, "the moves of a proof that was saved are not those of a proof");
  }
  bool is_left_out(const State& state) {
    return G::finished(rules_, state) || probed_.applies_to(state);
  }
  // Passes over the moves of the proof below `root`.
  void skip(const State& root) {
    std::vector<State> waiting{root};
    while (!waiting.empty()) {
      const State state = waiting.back();
      waiting.pop_back();
      if (is_left_out(state)) continue;
      Move moves[G::kMaxMoves];
      int count = 1;
      if (G::to_move(rules_, state) == prover_) {
        moves[0] = checked(state, next_++);
      } else {
        count = G::moves(rules_, state, moves);
      }
      for (int i = count; i-- > 0;) G::play(rules_, waiting.emplace_back(state), moves[i]);
    }
  }

  Rules rules_;
  Player prover_;
  ProbedMoves<G> probed_;
  const Strategy& strategy_;
  std::size_t next_ = 0;   // the place of the next move
  bool is_below_ = false;  // of a position that a probe decides
};

}  // namespace playproof
