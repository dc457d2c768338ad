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
// Set before a search: one game for all of them is compiled once.
inline Broken broken_rule = Broken::kFinished;
struct BrokenHex : Hex<1> {};
// What probes say, too.
template <>
struct Connection<BrokenHex> : Connection<Hex<1>> {
  struct Bridges : HexBridges<1> {
    using HexBridges<1>::HexBridges;
    bool find(const Cells& own, const Cells& other, Chain* chain, bool templates = false) {
      const bool found = HexBridges<1>::find(own, other, chain, templates);
      if (found && broken_rule == Broken::kChain && !chain->pairs.empty()) chain->pairs.pop_back();
      return found;
    }
  };
  struct Links : LinkSearch<1> {
    using LinkSearch<1>::LinkSearch;
    bool prove(const Cells& own, const Cells& other, bool to_move, Proof* proof) {
      const bool found = LinkSearch<1>::prove(own, other, to_move, proof);
      if (found && broken_rule == Broken::kCarrier)
        proof->carrier.words[0] &= proof->carrier.words[0] - 1;
      return found;
    }
  };
};
inline CellSet<1> less(CellSet<1> cells, bool broken) {
  if (broken) cells.words[0] &= cells.words[0] - 1;
  return cells;
}
template <>
struct ZoneRules<BrokenHex> {
  using Cells = CellSet<1>;
  static Cells finished(const auto& rules, const auto& state, Player /*winner*/) {
    return less(Connection<Hex<1>>::winning_set(rules, state), broken_rule == Broken::kFinished);
  }
  static Cells won(const Cells& child) { return less(child, broken_rule == Broken::kWon); }
  static auto lost(std::span<const Cells> zones, const Cells& replies, const Cells& empty) {
    const bool broken = broken_rule == Broken::kLost && zones.size() > 1;
    return few_zones(zones.subspan(broken ? 1 : 0), replies, empty);
  }
  static Cells outside(const Cells& zone, const Cells& board) {
    return board - less(zone, broken_rule == Broken::kOutside);
  }
};
template <>
class Patterns<BrokenHex> : public Patterns<Hex<1>> {
  using Base = Patterns<Hex<1>>;

 public:
  using Base::Base;
  template <class F>
  void add(Player winner, Player mover, const Cells& needed, const Cells& zone, F&& kept) {
    const Player said = broken_rule == Broken::kPatternMover ? opponent(winner) : mover;
    Base::add(winner, said, less(needed, broken_rule == Broken::kPatternStones), zone, kept);
    if (broken_rule != Broken::kPatternMirror) return;
    const auto& maps = Base::maps();
    for (typename Base::Map map = 0; map < maps.size(); ++map) {
      if (!maps.exchanges(map)) continue;
      Base::add(winner, mover, maps.turned(map, needed), maps.turned(map, zone), kept);
    }
  }
  template <class F>
  void for_each_match(Player winner, Player mover, const Cells& winners, const Cells& losers,
                      int short_of, F&& f) const {
    Base::for_each_match(winner, mover, winners, less(losers, broken_rule == Broken::kPatternZone),
                         short_of, f);
  }
};

}  // namespace playproof
