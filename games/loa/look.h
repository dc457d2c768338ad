// Wins of Lines of Action within one ply or three (games/core/look.h).
//
// A win of one ply is a move that joins all of the mover's stones. One stone moves, so it goes to a
// cell beside every group that is left, and few groups have such a cell. That who has no move loses
// is left to the search.
#pragma once

#include <algorithm>
#include <cstdint>

#include "games/core/look.h"
#include "games/loa/rules.h"

namespace playproof {

template <>
struct Look<Loa> {
  using Rules = Loa::Rules;
  using State = Loa::State;

  static LookAnswer find(const Rules& rules, const State& state, int plies) {
    LookAnswer answer{kNoMove, 1};
    answer.move = joining_move(rules, state);
    if (answer.move == kNoMove && plies >= 3) answer.move = winning_move(rules, state, &answer);
    return answer;
  }

 private:
  static bool has_won(const Rules& rules, const State& state, int side) {
    return Loa::value(rules, state) == (side == 0 ? 1 : -1);
  }
  // Of the moves that join all stones the first by group and stone; kNoMove.
  static Move joining_move(const Rules& rules, const State& state) {
    std::uint64_t group[Loa::kMostStones];
    std::uint64_t beside[Loa::kMostStones];
    int groups = 0;
    for (std::uint64_t rest = state.stones[state.to_move]; rest != 0; rest &= ~group[groups++]) {
      group[groups] = Loa::group_of(rest & (~rest + 1), rest);
      beside[groups] = Loa::grown(group[groups]) & rules.board;
    }
    for (int moved = 0; moved < groups; ++moved) {
      std::uint64_t common = rules.board;
      for (int i = 0; i < groups; ++i) common &= i == moved ? rules.board : beside[i];
      if (common == 0) continue;
      for (std::uint64_t rest = group[moved]; rest != 0; rest &= rest - 1) {
        const int from = lowest_bit64(rest);
        for (std::uint64_t to = Loa::targets(rules, state, from) & common; to != 0; to &= to - 1) {
          const auto move = static_cast<Move>(64 * from + lowest_bit64(to));
          State child = state;
          Loa::play(rules, child, move);
          if (has_won(rules, child, state.to_move)) return move;
        }
      }
    }
    return kNoMove;
  }
  // A move after which each reply has lost, or leaves a move that joins all stones; kNoMove. The
  // reply that answered the last move is tried first.
  static Move winning_move(const Rules& rules, const State& state, LookAnswer* answer) {
    Move moves[Loa::kMaxMoves];
    Move replies[Loa::kMaxMoves];
    Move held = kNoMove;
    const int count = Loa::moves(rules, state, moves);
    for (int i = 0; i < count; ++i) {
      State child = state;
      Loa::play(rules, child, moves[i]);
      ++answer->nodes;
      if (has_won(rules, child, state.to_move)) return moves[i];
      if (Loa::finished(rules, child)) continue;
      const int answers = Loa::moves(rules, child, replies);
      Move* const known = std::find(replies, replies + answers, held);
      if (known != replies + answers) std::swap(*known, replies[0]);
      int lost = 0;
      while (lost < answers && loses(rules, child, replies[lost], answer)) ++lost;
      if (lost == answers) return moves[i];
      held = replies[lost];
    }
    return kNoMove;
  }
  static bool loses(const Rules& rules, const State& state, Move reply, LookAnswer* answer) {
    State child = state;
    Loa::play(rules, child, reply);
    ++answer->nodes;
    if (Loa::finished(rules, child)) return has_won(rules, child, child.to_move);
    return joining_move(rules, child) != kNoMove;
  }
};
static_assert(HasLooks<Loa>);

}  // namespace playproof
