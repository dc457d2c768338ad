// Hex for searches that keep a tree, in which one rule is broken: of zones, of what probes say, or
// of patterns.
#pragma once

#include <cstdint>
#include <span>

#include "games/hex/entry.h"
#include "host/zone/patterns.h"
#include "host/zone/zone.h"

namespace playproof {

enum class Broken : std::uint8_t {
  kFinished,
  kWon,
  kLost,
  kOutside,
  kChain,
  kCarrier,
  kPatternZone,    // a stone of the loser lies in the zone
  kPatternStones,  // one of the needed stones is not there
  kPatternMover,   // good with the winner to move alone, and used as if that did not matter
  kPatternMirror   // mirrored so that the edges are exchanged, but not the players
};
template <Broken B>
struct BrokenHex : Hex<1> {};
// What probes say, too.
template <Broken B>
struct Connection<BrokenHex<B>> : Connection<Hex<1>> {
  struct Pairs : HexPairs<1> {
    using HexPairs<1>::HexPairs;
    bool find(const Cells& own, const Cells& other, Chain* chain) {
      const bool found = HexPairs<1>::find(own, other, chain);
      if (found && B == Broken::kChain && !chain->pairs.empty()) chain->pairs.pop_back();
      return found;
    }
  };
  struct Links : LinkSearch<1> {
    using LinkSearch<1>::LinkSearch;
    bool prove(const Cells& own, const Cells& other, bool to_move, Proof* proof) {
      const bool found = LinkSearch<1>::prove(own, other, to_move, proof);
      if (found && B == Broken::kCarrier) proof->carrier.words[0] &= proof->carrier.words[0] - 1;
      return found;
    }
  };
};
inline CellSet<1> less(CellSet<1> cells, bool broken) {
  if (broken) cells.words[0] &= cells.words[0] - 1;
  return cells;
}
template <Broken B>
struct ZoneRules<BrokenHex<B>> {
  using Cells = CellSet<1>;
  static Cells finished(const auto& rules, const auto& state) {
    return less(Connection<Hex<1>>::winning_set(rules, state), B == Broken::kFinished);
  }
  static Cells won(const Cells& child) { return less(child, B == Broken::kWon); }
  static Cells lost(std::span<const Cells> zones, const Cells& replies) {
    const bool broken = B == Broken::kLost && zones.size() > 1;
    return union_of_few(zones.subspan(broken ? 1 : 0), replies);
  }
  static Cells outside(const Cells& zone, const Cells& board) {
    return board - less(zone, B == Broken::kOutside);
  }
};
template <Broken B>
class Patterns<BrokenHex<B>> : public Patterns<Hex<1>> {
  using Base = Patterns<Hex<1>>;

 public:
  using Base::Base;
  template <class F>
  void add(Player winner, Player mover, const Cells& needed, const Cells& zone, F&& kept) {
    const Player said = B == Broken::kPatternMover ? opponent(winner) : mover;
    Base::add(winner, said, less(needed, B == Broken::kPatternStones), zone, kept);
    if (B != Broken::kPatternMirror) return;
    const auto& maps = Base::maps();
    for (typename Base::Map map = 0; map < maps.size(); ++map) {
      if (!maps.exchanges(map)) continue;
      Base::add(winner, mover, maps.turned(map, needed), maps.turned(map, zone), kept);
    }
  }
  template <class F>
  void for_each_match(Player winner, Player mover, const Cells& winners, const Cells& losers,
                      int short_of, F&& f) const {
    Base::for_each_match(winner, mover, winners, less(losers, B == Broken::kPatternZone), short_of,
                         f);
  }
};

}  // namespace playproof
