// Alpha-beta for Othello in thirty lines, by the rules alone: an oracle for positions that are too
// large to try everything. It shares no code with the endings of games/ nor with any search.
#pragma once

#include <algorithm>
#include <cstdint>
#include <utility>

#include "games/othello/rules.h"

namespace playproof {

class PlainAlphaBeta {
 public:
  explicit PlainAlphaBeta(const Othello::Rules& rules) : rules_(rules) {}

  // Exact value for the side to move.
  int value(const Othello::State& state) const {
    int low = -64;
    int high = 64;
    while (low < high) {
      const int threshold = low + (high - low + 1) / 2;
      if (at_least(state, threshold)) {
        low = threshold;
      } else {
        high = threshold - 1;
      }
    }
    return low;
  }
  // Is the value for the side to move at least `threshold`?
  bool at_least(const Othello::State& state, int threshold) const {
    const Player mover = Othello::to_move(rules_, state);
    if (Othello::finished(rules_, state)) {
      return value_for(mover, Othello::value(rules_, state)) >= threshold;
    }
    Move moves[Othello::kMaxMoves];
    const int count = Othello::moves(rules_, state, moves);
    std::pair<int, Othello::State> next[Othello::kMaxMoves];  // by the replies they leave
    for (int i = 0; i < count; ++i) {
      next[i].second = state;
      Othello::play(rules_, next[i].second, moves[i]);
      next[i].first = popcount64(next[i].second.legal);
    }
    std::sort(next, next + count, [](const auto& a, const auto& b) { return a.first < b.first; });
    return std::any_of(next, next + count,
                       [&](const auto& reply) { return !at_least(reply.second, 1 - threshold); });
  }

 private:
  Othello::Rules rules_;
};

}  // namespace playproof
