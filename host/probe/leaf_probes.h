// The probes of a tree: the exact ending of a game or, in connection games with zones, chains of
// bridges, chains over inferior cells that are filled in and virtual connections of either player
// (with ask=selected the last two are asked later, host/knowledge/must_play.h). What these decide
// has a zone (host/zone/zone.h). Of games without any of them it takes nothing, and costs nothing.
#pragma once

#include "games/core/connection.h"
#include "games/core/game.h"
#include "host/knowledge/finders.h"
#include "host/probe/endings.h"
#include "host/probe/leaf_probe.h"
#include "host/question/search_options.h"

namespace playproof {

template <Game G>
class LeafProbes {
 public:
  using State = typename G::State;
  using Rules = typename G::Rules;

  LeafProbes(const Rules& rules, const SearchOptions& options)
      : rules_(rules),
        endings_(rules, options.endings),
        finders_(rules, options.of_created()),
        answer_{unknown_bounds<G>(rules, Player::kFirst)} {}

  bool has_endings() const { return endings_.on(); }
  // Does it know bridges, inferior cells or virtual connections?
  bool has_connections() const { return finders_.any(); }
  bool takes(const State& state) const { return has_connections() || endings_.takes(state); }
  void begin(const State& state, const Claim& claim) {
    by_bridges_ = by_chain_ = by_connection_ = false;
    move_ = kNoMove;
    answer_ = {unknown_bounds<G>(rules_, claim.attacker)};
    asked_ending_ = endings_.takes(state);
    if (asked_ending_) {
      endings_.begin(state, claim);
      answer_ = endings_.answer();
      return;
    }
    const Player mover = G::to_move(rules_, state);
    Player winner = opponent(mover);
    by_bridges_ = find_bridges(state, winner);
    if (!by_bridges_) by_chain_ = find_chain(state, winner) || find_chain(state, winner = mover);
    if (!has_zone()) by_connection_ = find_connection(state, winner = opponent(mover));
    if (!has_zone()) by_connection_ = find_connection(state, winner = mover);
    // In games without draws.
    if (has_zone()) answer_.bounds = Bounds::exact(winner == claim.attacker ? Value{1} : Value{-1});
  }
  bool run(std::uint64_t /*work*/) const { return true; }
  ProbeAnswer answer() const { return answer_; }
  // Was the last position decided with this zone? Then, where the winner is to move: by this move;
  // kNoMove: by any.
  bool has_zone() const { return by_bridges_ || by_chain_ || by_connection_; }
  const Zone<G>& zone() const { return zone_; }
  Move move() const { return move_; }
  void count(Counters& counters) const {
    if (asked_ending_) endings_.count(counters);
    counters.bridges += by_bridges_;
    counters.connections += by_connection_;
  }

 private:
  bool find_bridges(const State& state, Player player) {
    if constexpr (ConnectionGame<G>) {
      const auto zone = finders_.chain_of_bridges(state, player);
      if (zone) zone_ = *zone;
      return zone.has_value();
    }
    return false;
  }
  bool find_chain(const State& state, Player player) {
    if constexpr (ConnectionGame<G>) {
      const auto zone = finders_.filled_chain(state, player);
      if (zone) zone_ = *zone;
      return zone.has_value();
    }
    return false;
  }
  bool find_connection(const State& state, Player player) {
    if constexpr (ConnectionGame<G>) {
      const auto found = finders_.connection(state, player);
      if (!found) return false;
      zone_ = found->zone;
      move_ = found->move;
      return true;
    }
    return false;
  }

  Rules rules_;
  EndingProbe<G> endings_;
  Finders<G> finders_;
  // Of the position asked about last.
  ProbeAnswer answer_;
  Zone<G> zone_ = {};
  Move move_ = kNoMove;
  bool asked_ending_ = false;
  bool by_bridges_ = false;
  bool by_chain_ = false;
  bool by_connection_ = false;
};

}  // namespace playproof
