// The probes of a tree: the exact ending of a game or, in connection games with zones, chains of
// bridges, chains over inferior cells that are filled in and virtual connections of either player
// (with ask=selected the last two are asked later, host/tree/must_play.h). What these decide has a
// zone (host/zone/zone.h). Of games without any of them it takes nothing, and costs nothing.
#pragma once

#include <cstdint>
#include <vector>

#include "games/core/connection.h"
#include "games/core/game.h"
#include "host/probe/endings.h"
#include "host/probe/filled_sides.h"
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
        fill_(rules, options.ask_selected ? SearchOptions{} : options),
        answer_{unknown_bounds<G>(rules, Player::kFirst)} {
    for (int player = 0; player < 2 && options.zones; ++player) {
      if constexpr (HasPairs<G>) {
        if (options.bridges) pairs_.emplace_back(rules, player);
      }
      if constexpr (HasLinks<G>) {
        if (options.links && !options.ask_selected) links_.emplace_back(rules, player);
      }
    }
  }

  bool has_endings() const { return endings_.on(); }
  // Does it know bridges, inferior cells or virtual connections?
  bool has_connections() const { return !pairs_.empty() || fill_.on() || !links_.empty(); }
  bool takes(const State& state) const { return has_connections() || endings_.takes(state); }
  void begin(const State& state, const Claim& claim) {
    by_pairs_ = by_chain_ = by_links_ = false;
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
    by_pairs_ = find_pairs(state, winner);
    if (!by_pairs_) by_chain_ = find_chain(state, winner) || find_chain(state, winner = mover);
    if (!has_zone()) by_links_ = find_links(state, winner = opponent(mover));
    if (!has_zone()) by_links_ = find_links(state, winner = mover);
    // In games without draws.
    if (has_zone()) answer_.bounds = Bounds::exact(winner == claim.attacker ? Value{1} : Value{-1});
  }
  bool run(std::uint64_t /*work*/) const { return true; }
  ProbeAnswer answer() const { return answer_; }
  // Was the last position decided with this zone? Then, where the winner is to move: by this move;
  // kNoMove: by any.
  bool has_zone() const { return by_pairs_ || by_chain_ || by_links_; }
  const Zone<G>& zone() const { return zone_; }
  Move move() const { return move_; }
  void count(Counters& counters) const {
    if (asked_ending_) endings_.count(counters);
    counters.bridges += by_pairs_;
    counters.connections += by_links_;
  }

 private:
  bool find_pairs(const State& state, Player player) {
    if constexpr (HasPairs<G>) {
      if (pairs_.empty()) return false;
      typename Connection<G>::Pairs::Chain chain;
      const bool found = pairs_[static_cast<std::size_t>(player)].find(
          Connection<G>::stones(state, player), Connection<G>::stones(state, opponent(player)),
          &chain);
      if (found) zone_ = chain.zone();
      return found;
    }
    return false;
  }
  bool find_chain(const State& state, Player player) {
    if constexpr (ConnectionGame<G>) {
      if (!fill_.on()) return false;
      const Zone<G> zone = fill_.zone_of_chain(state, player);
      if (!zone.empty()) zone_ = zone;
      return !zone.empty();
    }
    return false;
  }
  bool find_links(const State& state, Player player) {
    if constexpr (HasLinks<G>) {
      if (links_.empty()) return false;
      typename LinksOf<G>::Type::Proof proof;
      const auto [own, other] = fill_.sides(state, player);
      const bool found = links_[static_cast<std::size_t>(player)].prove(
          own, other, G::to_move(rules_, state) == player, &proof);
      if (!found) return false;
      zone_ = fill_.unfilled(state, player, proof.zone());
      if (proof.key >= 0) move_ = static_cast<Move>(proof.key);
      return true;
    }
    return false;
  }

  Rules rules_;
  EndingProbe<G> endings_;
  FilledSides<G> fill_;
  std::vector<typename PairsOf<G>::Type> pairs_;  // of each player
  std::vector<typename LinksOf<G>::Type> links_;  // the same
  // Of the position asked about last.
  ProbeAnswer answer_;
  Zone<G> zone_ = {};
  Move move_ = kNoMove;
  bool asked_ending_ = false;
  bool by_pairs_ = false;
  bool by_chain_ = false;
  bool by_links_ = false;
};

}  // namespace playproof
