// Hex for searches with a table and for the writer of their certificates, in which one rule at a
// time is broken: of zones, of what a table keeps, of patterns, of virtual connections, of bridges,
// of inferior cells. Which one is said while the program runs, so that all share their code.
//
// Mutual domination (kPutOffMutual) has no node in certificates: no proof rests on a dominated
// move, it is only tried last. A writer that leaves one out has a reply that is in the zones of all
// cards that it cites. Its card then needs a stone of the prover there, and the checker refuses it
// where there is none.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "games/hex/entry.h"
#include "host/proof/proof_writer.h"
#include "host/zone/patterns.h"
#include "host/zone/zone.h"

namespace playproof {

enum class BrokenRule : std::uint8_t {
  kNone,
  // Rules 1 to 3 of host/zone/zone.h.
  kWinningSet,  // without a cell
  kWon,         // the zone of the child without a cell
  kLost,        // a union without one of the zones
  kOutside,     // a sibling inside the zone counts as outside
  // What a table keeps.
  kUnturned,  // the zone of a position as the board lay for the table
  // Patterns (rule 4).
  kPatternZone,    // a stone of the loser lies in the zone
  kPatternStones,  // one of the needed stones is not there
  kPatternMover,   // good with the winner to move alone, and used as if that did not matter
  kPatternMirror,  // mirrored so that the edges are exchanged, but not the players
  // Virtual connections.
  kLinkCell,    // a zone without a cell of the carrier
  kLinkStones,  // a zone without the stones that the link needs
  kLinkSemi,    // a semi link as a full one
  kLinkAnd,     // AND of full links that have cells in common: in the writer alone
  kLinkOr,      // OR of semi links that have cells in common
  // Chains of bridges.
  kBridges,  // a chain with a gap of one cell
  // Inferior cells.
  kFillReason,    // filled, without what that rests on in the zone
  kFillFree,      // a cell that nobody has captured is filled
  kPutOff,        // a move that is put off counts as lost
  kPutOffMutual,  // of two moves that make each other worthless both count as lost
  // No fault: any moves may be put off.
  kPutOffAny
};

struct PlantedHex : Hex<1> {
  static BrokenRule& fault() {
    static BrokenRule fault = BrokenRule::kNone;
    return fault;
  }
  static bool has(BrokenRule which) { return fault() == which; }
  static bool in_links() {
    return BrokenRule::kLinkCell <= fault() && fault() <= BrokenRule::kLinkOr;
  }
  static CellSet<1> less(CellSet<1> cells, bool broken) {
    if (broken) cells.words[0] &= cells.words[0] - 1;
    return cells;
  }
};

class PlantedLinks : public LinkSearch<1> {
  using Base = LinkSearch<1>;
  using Planted = PlantedHex;

 public:
  using Base::Base;

  // Not looked for with a fault: he would win most positions of small boards before it matters.
  template <class F>
  bool win(const Cells& own, const Cells& other, F&& won) {
    return !Planted::in_links() && Base::win(own, other, won);
  }
  template <class F>
  bool threats(const Cells& own, const Cells& other, F&& lost) {
    std::vector<Cells> zones;
    bool wins =
        Base::threats(own, other, [&](const Cells& zone) { zones.push_back(broken(zone, own)); });
    if (!wins && Planted::has(BrokenRule::kLinkSemi) && !zones.empty()) {
      zones.resize(1);
      wins = true;
    }
    if (!wins && Planted::has(BrokenRule::kLinkOr) && zones.size() > 1) {
      zones = {zones[0] | zones[1]};
      wins = true;
    }
    for (const Cells& zone : zones) lost(zone);
    return wins;
  }
  bool prove(const Cells& own, const Cells& other, bool to_move, Proof* proof) {
    if (!Base::prove(own, other, to_move || Planted::has(BrokenRule::kLinkSemi), proof))
      return false;
    if (Planted::has(BrokenRule::kLinkSemi) && proof->key >= 0) {
      proof->needed.remove(proof->key);
      proof->carrier.add(proof->key);
      for (auto& line : proof->lines) line.carrier.add(proof->key);
      proof->key = -1;
    }
    proof->carrier = Planted::less(proof->carrier, Planted::has(BrokenRule::kLinkCell));
    proof->needed = Planted::less(proof->needed, Planted::has(BrokenRule::kLinkStones));
    for (auto& line : proof->lines) {
      if (Planted::has(BrokenRule::kLinkOr) && !line.is_and()) line.parts.pop_back();
      const bool halves = line.is_and() && line.parts[0] >= 0 && line.parts[1] >= 0;
      if (!halves || !Planted::has(BrokenRule::kLinkAnd)) continue;
      const auto half = [&](int i) -> auto& {
        return proof->lines[static_cast<std::size_t>(line.parts[static_cast<std::size_t>(i)])];
      };
      half(1).carrier |= half(0).carrier;
    }
    return true;
  }

 private:
  static Cells broken(const Cells& zone, const Cells& own) {
    const Cells carrier = Planted::less(zone - own, Planted::has(BrokenRule::kLinkCell));
    return Planted::has(BrokenRule::kLinkStones) ? carrier : carrier | (zone & own);
  }
};

class PlantedBridges : public HexBridges<1> {
 public:
  PlantedBridges(const Rules& rules, int player)
      : HexBridges<1>(rules, player), board_(Cells::all(rules.cells)) {}

  bool find(const Cells& own, const Cells& other, Chain* chain, bool templates = false) {
    bool found = HexBridges<1>::find(own, other, chain, templates);
    if (!PlantedHex::has(BrokenRule::kBridges)) return found;
    for_each_cell(board_ - own - other, [&](int cell) {
      if (found) return;
      found = HexBridges<1>::find(own | Cells::one(cell), other, chain, templates);
      chain->stones.remove(cell);
    });
    return found;
  }

 private:
  Cells board_;
};

class PlantedFill : public HexFill<1> {
  using Base = HexFill<1>;
  using Planted = PlantedHex;

 public:
  PlantedFill(const Rules& rules, int owner, FillLevel level)
      : Base(rules, owner, level), board_(Cells::all(rules.cells)), after_(rules, owner, level) {}

  const Filling& fill(const Cells& own, const Cells& other) {
    const Cells free = board_ - own - other;
    Cells more = own;
    if (Planted::has(BrokenRule::kFillFree) && free.size() > 1) more.add(free.lowest());
    filling_ = Base::fill(more, other);
    if (Planted::has(BrokenRule::kPutOff)) filling_.left_out |= filling_.put_off;
    if (Planted::has(BrokenRule::kPutOffMutual))
      filling_.left_out |= made_worthless(own, other, free);
    if (Planted::has(BrokenRule::kPutOffAny)) {
      filling_.put_off.words[0] |= free.words[0] & mix64(own.words[0]);
    }
    if (free.within(filling_.left_out)) filling_.left_out.remove(free.lowest());  // one is tried
    return filling_;
  }
  Cells rests_on(const Cells& used) const {
    const Cells all = Base::rests_on(used);
    return Planted::has(BrokenRule::kFillReason) ? used | (all & filling_.captured) : all;
  }

 private:
  // Free cells that are the opponent's once he has moved elsewhere, dead or captured.
  Cells made_worthless(const Cells& own, const Cells& other, const Cells& free) {
    Cells worthless;
    for_each_cell(free, [&](int move) {
      Cells with = other;
      with.add(move);
      worthless |= (after_.fill(own, with).other & free) - Cells::one(move);
    });
    return worthless;
  }
  Cells board_;
  Base after_;
  Filling filling_;
};

template <>
struct Connection<PlantedHex> : Connection<Hex<1>> {
  using Links = PlantedLinks;
  using Bridges = PlantedBridges;
  using Fill = PlantedFill;
  static Cells winning_set(const Rules& rules, const State& s) {
    return PlantedHex::less(Connection<Hex<1>>::winning_set(rules, s),
                            PlantedHex::has(BrokenRule::kWinningSet));
  }
};

template <>
struct ZoneRules<PlantedHex> {
  using Cells = CellSet<1>;
  static Cells finished(const auto& rules, const auto& state, Player /*winner*/) {
    return Connection<PlantedHex>::winning_set(rules, state);
  }
  static Cells won(const Cells& child) {
    return PlantedHex::less(child, PlantedHex::has(BrokenRule::kWon));
  }
  static auto lost(std::span<const Cells> zones, const Cells& replies, const Cells& empty) {
    const bool broken = PlantedHex::has(BrokenRule::kLost) && zones.size() > 1;
    return few_zones(zones.subspan(broken ? 1 : 0), replies, empty);
  }
  static Cells outside(const Cells& zone, const Cells& board) {
    return board - PlantedHex::less(zone, PlantedHex::has(BrokenRule::kOutside));
  }
};

template <>
struct SymmetryOf<PlantedHex> : SymmetryOf<Hex<1>> {};
template <>
class Symmetry<PlantedHex> : public Symmetry<Hex<1>> {
  using Base = Symmetry<Hex<1>>;

 public:
  using Base::Base;
  CellSet<1> turned(const State& from, const State& to, const CellSet<1>& cells) const {
    return PlantedHex::has(BrokenRule::kUnturned) ? cells : Base::turned(from, to, cells);
  }
};

template <>
class Patterns<PlantedHex> : public Patterns<Hex<1>> {
  using Base = Patterns<Hex<1>>;
  using Planted = PlantedHex;

 public:
  Patterns(const PlantedHex::Rules& rules, std::size_t capacity)
      : Base(rules, capacity), mirrors_(Connection<Hex<1>>::exchanges(rules)) {}

  using Base::add;
  void add(Player winner, Player mover, const Cells& needed, const Cells& zone) {
    const Player said = Planted::has(BrokenRule::kPatternMover) ? opponent(winner) : mover;
    Base::add(winner, said, Planted::less(needed, Planted::has(BrokenRule::kPatternStones)), zone);
    if (!Planted::has(BrokenRule::kPatternMirror)) return;
    for (const auto& mirror : mirrors_) {
      Cells needed_there = needed;
      Cells zone_there = zone;
      mirror.apply(needed_there.words);
      mirror.apply(zone_there.words);
      Base::add(winner, mover, needed_there, zone_there);
    }
  }
  template <class F>
  void for_each_refutation(Player mover, const Cells& own, const Cells& other, F&& lost) {
    Base::for_each_refutation(mover, seen(own), other, lost);
  }
  template <class F>
  void find_win(Player mover, const Cells& own, const Cells& other, F&& won) {
    Base::find_win(mover, own, seen(other), won);
  }

 private:
  static Cells seen(const Cells& losers) {
    return Planted::less(losers, Planted::has(BrokenRule::kPatternZone));
  }
  decltype(Connection<Hex<1>>::exchanges({})) mirrors_;
};

// The writer has rules of its own for cards that rest on others: its lines are those of a writer
// that breaks the same rule. What it takes from links, bridges and inferior cells is broken above.
template <>
class ProofLines<PlantedHex> : public ProofLines<Hex<1>> {
  using Base = ProofLines<Hex<1>>;
  using Cells = CellSet<1>;
  using Planted = PlantedHex;

 public:
  using Base::Base;

  std::uint64_t card(auto card, Move move, std::vector<std::uint64_t> cites,
                     const std::vector<Move>& cells) {
    if (cites.empty() || !cells.empty()) return Base::card(card, move, cites, cells);
    const bool one = move != kNoMove;
    const bool cell = Planted::has(one ? BrokenRule::kWon : BrokenRule::kLost) ||
                      Planted::has(BrokenRule::kPatternZone);
    const Cells kept = one ? card.needed | Cells::one(move) : card.needed;
    card.zone = kept | Planted::less(card.zone - kept, cell);
    if (Planted::has(BrokenRule::kPatternStones)) {
      const Cells fewer = Planted::less(card.needed, true);
      card.zone = card.zone - (card.needed - fewer);
      card.needed = fewer;
    }
    if (Planted::has(BrokenRule::kOutside) && cites.size() > 1) cites.pop_back();
    if (Planted::has(BrokenRule::kPatternMover)) move = kNoMove;
    const auto turn = [&](const auto& permutation) {
      permutation.apply(card.needed.words);
      permutation.apply(card.zone.words);
    };
    if (Planted::has(BrokenRule::kUnturned) && !one) turn(SymmetryOf<Hex<1>>::all(rules()).front());
    if (Planted::has(BrokenRule::kPatternMirror) && !one) {
      for (const auto& mirror : Connection<Hex<1>>::exchanges(rules())) turn(mirror);
    }
    return Base::card(card, move, cites, cells);
  }
};

}  // namespace playproof
