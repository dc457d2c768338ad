// Small Hex boards by exhaustive search, and what the claim of a zone (host/zone/zone.h) means
// there.
#pragma once

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "games/core/random_position.h"
#include "games/hex/entry.h"
#include "host/zone/zone.h"

namespace playproof {

class SmallHex {
 public:
  using Board = Hex<1>;
  using State = Board::State;
  using Cells = CellSet<1>;

  SmallHex(int rows, int columns) : rules_(Board::make_rules(rows, columns)) {}
  const Board::Rules& rules() const { return rules_; }

  Player winner(const State& state) {
    if (Board::finished(rules_, state)) return player_of(Board::value(rules_, state));
    const auto [at, fresh] = known_.try_emplace(state.stones[0][0] | state.stones[1][0] << 32);
    if (!fresh) return at->second;
    const Player mover = Board::to_move(rules_, state);
    Player found = opponent(mover);
    Move moves[Board::kMaxMoves];
    const int count = Board::moves(rules_, state, moves);
    for (int i = 0; i < count && found != mover; ++i) {
      State child = state;
      Board::play(rules_, child, moves[i]);
      found = winner(child);
    }
    known_[state.stones[0][0] | state.stones[1][0] << 32] = found;
    return found;
  }
  // Every position that can come about, not finished.
  std::vector<State> positions() const {
    std::vector<State> all = {Board::initial(rules_)};
    std::unordered_map<std::uint64_t, bool> seen;
    for (std::size_t i = 0; i < all.size(); ++i) {
      Move moves[Board::kMaxMoves];
      const int count = Board::moves(rules_, all[i], moves);
      for (int m = 0; m < count; ++m) {
        State child = all[i];
        Board::play(rules_, child, moves[m]);
        const std::uint64_t key = child.stones[0][0] | child.stones[1][0] << 32;
        if (!Board::finished(rules_, child) && seen.emplace(key, true).second) all.push_back(child);
      }
    }
    return all;
  }
  // A position that the claim speaks of: `needed` are stones of `winner`, no stone of the other
  // lies in `zone`, `mover` is to move; drawn at random. False if this draw has too many stones of
  // one.
  bool draw_match(Player winner, const Cells& needed, const Cells& zone, Player mover,
                  std::uint64_t seed, State* out) const {
    std::uint64_t draw = seed;
    std::vector<int> free;
    for (int cell = 0; cell < rules_.cells; ++cell) {
      if (!needed.has(cell)) free.push_back(cell);
    }
    for (std::size_t i = free.size(); i > 1; --i) {
      draw = mix64(draw);
      std::swap(free[i - 1], free[draw % i]);
    }
    int own = needed.size();
    int others = 0;
    State state;
    for_each_cell(needed, [&](int cell) { put(state, winner, cell); });
    draw = mix64(draw);
    // Stones of both until so many are there; the winner's where the other may not.
    const int most = static_cast<int>(draw % static_cast<std::uint64_t>(rules_.cells)) + own;
    for (const int cell : free) {
      if (own + others >= most) break;
      const bool to_other = !zone.has(cell) && others <= own - (winner == Player::kFirst ? 1 : 0);
      put(state, to_other ? opponent(winner) : winner, cell);
      ++(to_other ? others : own);
    }
    const int first = winner == Player::kFirst ? own : others;
    const int second = own + others - first;
    state.count = static_cast<std::uint16_t>(own + others);
    *out = state;
    return first - second == (mover == Player::kFirst ? 0 : 1) && !wins(state, Player::kFirst) &&
           !wins(state, Player::kSecond);
  }
  // The chains of one side join its edges.
  bool wins(const State& state, Player player) const {
    bool found = false;
    for_each_cell(Connection<Board>::stones(state, player), [&](int cell) {
      // Played last, any stone of the chain completes it.
      State before = state;
      before.winner = 0;
      before.stones[static_cast<int>(player)][0] &= ~(std::uint64_t{1} << cell);
      before.count =
          static_cast<std::uint16_t>(2 * rules_.cells + (player == Player::kFirst ? 0 : 1));
      Board::play(rules_, before, static_cast<Move>(cell));
      found = found || before.winner != 0;
    });
    return found;
  }

 private:
  static Player player_of(Value value) { return value > 0 ? Player::kFirst : Player::kSecond; }
  static void put(State& state, Player player, int cell) {
    state.stones[static_cast<int>(player)][0] |= std::uint64_t{1} << cell;
  }

  Board::Rules rules_;
  std::unordered_map<std::uint64_t, Player> known_;
};

// The position of an entry of a table.
template <class Entry>
SmallHex::State state_of(const Entry& entry) {
  SmallHex::State state;
  state.stones[0][0] = entry.id().words[0];
  state.stones[1][0] = entry.id().words[1];
  state.count = static_cast<std::uint16_t>(
      (SmallHex::Cells::of(state.stones[0]) | SmallHex::Cells::of(state.stones[1])).size());
  return state;
}

}  // namespace playproof
