// Turns and replies of a proof search on turns (games/connect/rzop.h), the most promising first: by
// what their stones are worth, and replies also by how often their stones did well. It orders what
// is tried; nothing rests on it.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <set>
#include <span>
#include <utility>
#include <vector>

#include "games/connect/forcing_turns.h"

namespace playproof {

// A turn of the attacker, and what null moves say of it.
struct TurnCandidate : ForcingTurn {
  static constexpr std::uint32_t kNone = ~std::uint32_t{0};
  std::uint32_t null_zone = kNone;  // a zone, by its number
  int rest = 0;                     // what the turn leaves to be looked at
  bool tested = false;
  bool good = false;  // null moves do not refute it
};

// The good ones: the one that leaves the least to be looked at and the one of the best stones in
// turn.
inline void rank_turns(std::vector<TurnCandidate>* turns) {
  std::erase_if(*turns, [](const TurnCandidate& turn) { return !turn.good; });
  std::vector<TurnCandidate> least = *turns;
  std::ranges::stable_sort(least, {}, &TurnCandidate::rest);
  std::vector<TurnCandidate> ranked;
  std::set<ConnectTurn> listed;
  for (std::size_t i = 0; i < turns->size(); ++i) {
    for (const TurnCandidate& turn : {least[i], (*turns)[i]}) {
      if (listed.insert(turn.turn).second) ranked.push_back(turn);
    }
  }
  *turns = std::move(ranked);
}

template <int W>
class ScoredTurns {
 public:
  using Turns = std::vector<ForcingTurn>;

  void begin(int cells) { history_.assign(static_cast<std::size_t>(cells), 0); }
  // A reply with these cells was not lost at once.
  void note(const CellSet<W>& cells) {
    for_each_cell(cells, [&](int cell) { ++history_[static_cast<std::size_t>(cell)]; });
  }
  // How often there was such a reply.
  int past(Move cell) const { return std::min(history_[cell], kMostHistory); }

  // Cells, each as a turn of one stone, by what a stone of the player is worth there.
  Turns stones(const ConnectThreats<W>& position, const CellSet<W>& cells, int player) {
    scores_.read(position, player);
    Turns stones;
    for_each_cell(cells, [&](int cell) {
      stones.push_back({{static_cast<Move>(cell), kNoMove}, scores_(cell)});
    });
    sort(&stones);
    return stones;
  }
  // Pairs of these cells that hit all threats. The second stone is worth what it is worth after
  // the first one, and what a `reply` there has been. The position is as it was afterwards.
  Turns pairs(ConnectThreats<W>* position, const Turns& cells, std::span<const Threat> against,
              int player, bool reply) {
    Turns pairs;
    for (std::size_t i = 0; i < cells.size(); ++i) {
      const Move a = cells[i].turn.first;
      position->add(player, a);
      scores_.read(*position, player);
      for (std::size_t j = i + 1; j < cells.size(); ++j) {
        const Move b = cells[j].turn.first;
        const bool hit = std::ranges::all_of(
            against, [&](const Threat& threat) { return threat.has(a) || threat.has(b); });
        if (!hit) continue;
        const int score = cells[i].score + scores_(b) + (reply ? past(b) : 0);
        pairs.push_back({{std::min(a, b), std::max(a, b)}, score});
      }
      position->remove(player, a);
    }
    sort(&pairs);
    return pairs;
  }
  // These replies, in their order.
  Turns of(const ConnectThreats<W>& position, std::span<const ConnectTurn> replies, int player) {
    scores_.read(position, player);
    Turns turns;
    for (const ConnectTurn& reply : replies) {
      turns.push_back({reply, scores_(reply.first) + scores_(reply.second)});
    }
    return turns;
  }
  static void sort(Turns* turns) {
    std::ranges::stable_sort(*turns,
                             [](const auto& a, const auto& b) { return a.score > b.score; });
  }

 private:
  static constexpr int kMostHistory = 20;  // in scores

  CellScores<W> scores_;
  std::vector<int> history_;  // of cells
};

}  // namespace playproof
