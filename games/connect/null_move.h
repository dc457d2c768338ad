// Which replies a win after a null move leaves to try (Wu and Lin 2010; thesis, 3.3.2). The
// defender passes and the attacker wins: place 2 of that proof's zone holds a stone of every pair
// that could refute it. For each cell s of it the semi-null move, s alone: if the attacker wins
// again, only partners in place 1 of that zone are left.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "games/connect/race_zone.h"
#include "games/connect/vcdt.h"

namespace playproof {

// The defender's pairs of cells that need a search of their own.
template <int W>
struct PairsToTry {
  bool null_move = false;  // the attacker wins after a null move; else nothing else is known
  RaceZone<W> zone;        // of that win
  // Says of the cells of place 2 whether the attacker wins after this stone alone, and place 1
  // then.
  struct SemiNull {
    Move cell = kNoMove;
    bool won = false;
    CellSet<W> partners;
  };
  std::vector<SemiNull> semi_null;
  std::vector<ConnectTurn> pairs;
};

template <int W, class Hazards = SoundHazards>
class NullMoves {
 public:
  // `windows` must outlive it; its rules have two stones a turn.
  explicit NullMoves(const ConnectWindows<W>& windows) : search_(windows) {}

  // A win by double threats with the attacker to move, and the zone of its walked proof.
  std::optional<RaceZone<W>> win(const ConnectThreats<W>& position, int attacker,
                                 const VcdtOptions& options) {
    const int stones = position.windows().rules.stones;
    const VcdtAnswer answer = search_.solve(position, attacker, stones, options);
    if (answer.outcome != VcdtAnswer::Outcome::kWin) return std::nullopt;
    return walk_.walk(position, attacker, stones, search_.proof());
  }

  // The attacker's opponent is to move with a whole turn, and cannot complete a line with it.
  PairsToTry<W> pairs(ConnectThreats<W> position, int attacker, const VcdtOptions& options) {
    PairsToTry<W> answer;
    const auto zone = win(position, attacker, options);
    if (!zone) return answer;
    answer.null_move = true;
    answer.zone = *zone;
    const int cells = position.windows().rules.cells;
    // For each cell, the partners with which it may refute.
    std::vector<CellSet<W>> partners(static_cast<std::size_t>(cells), position.empty());
    const CellSet<W> first = zone->places[2] & position.empty();
    for_each_cell(first, [&](int cell) {
      position.add(1 - attacker, cell);
      const auto semi = win(position, attacker, options);
      position.remove(1 - attacker, cell);
      if (semi) partners[static_cast<std::size_t>(cell)] = semi->places[1];
      answer.semi_null.push_back({static_cast<Move>(cell), semi.has_value(),
                                  semi ? semi->places[1] & position.empty() : position.empty()});
    });
    for_each_cell(first, [&](int a) {
      for_each_cell(position.empty() & partners[static_cast<std::size_t>(a)], [&](int b) {
        if (b == a || (b < a && first.has(b))) return;  // listed from the other one
        if (!partners[static_cast<std::size_t>(b)].has(a)) return;
        // One stone outside of place 1 and one outside of place 2 change nothing.
        const bool ordered = zone->places[1].has(a) || zone->places[1].has(b) || first.has(b);
        if (!ordered) return;
        answer.pairs.push_back({static_cast<Move>(a), static_cast<Move>(b)});
      });
    });
    return answer;
  }

 private:
  Vcdt<W> search_;
  RaceWalk<W, Hazards> walk_;
};

}  // namespace playproof
