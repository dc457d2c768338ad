// What finds out, of a position of a connection game, that a player wins, and with which zone
// (host/zone/zone.h): chains of bridges (games/hex/bridges.h), links, which are virtual connections
// (games/hex/links.h), and chains over inferior cells that are filled in (games/hex/fill.h).
// The only place where they are made: host/knowledge/knowledge.h asks for zones, cards of proofs
// (host/proof/known_cards.h) also for what these rest on. All of it is a function of the position:
// whoever asks again has the same answer. Of games without any of it there is nothing, and it costs
// nothing.
#pragma once

#include <cstddef>
#include <optional>
#include <utility>
#include <vector>

#include "games/core/connection.h"
#include "games/core/game.h"
#include "host/knowledge/filled_sides.h"
#include "host/question/knowledge_options.h"

namespace playproof {

template <class G>
class Finders {  // of a game without zones
 public:
  Finders(const auto& /*rules*/, const KnowledgeOptions& /*options*/) {}
  static constexpr bool any() { return false; }
};

template <ZonedGame G>
class Finders<G> {
 public:
  using Rules = typename G::Rules;
  using State = typename G::State;
  using Cells = Zone<G>;

  // Who is to move wins with this zone by this move; kNoMove: by any.
  struct LinkedWin {
    Cells zone;
    Move move = kNoMove;
  };

  Finders(const Rules& rules, const KnowledgeOptions& options)
      : rules_(rules), templates_(options.templates), fill_(rules, options) {
    for (int player = 0; player < 2 && options.zones; ++player) {
      if constexpr (HasBridges<G>) {
        if (options.bridges) bridges_.emplace_back(rules, player);
      }
      if constexpr (HasLinks<G>) {
        if (options.links) links_.emplace_back(rules, player);
      }
    }
  }

  bool any() const { return has_bridges() || has_fill() || has_links(); }
  bool has_bridges() const { return !bridges_.empty(); }
  bool has_links() const { return !links_.empty(); }
  bool has_fill() const { return fill_.on(); }

  // A chain of bridges of the owner's, with which he wins whoever moves.
  bool find_bridges(const State& state, Player owner, auto* chain) requires HasBridges<G> {
    return has_bridges() &&
           of(bridges_, owner)
               .find(stones(state, owner), stones(state, opponent(owner)), chain, templates_);
  }
  // Its zone.
  std::optional<Cells> chain_of_bridges(const State& state, Player owner) {
    if constexpr (HasBridges<G>) {
      if (!has_bridges()) return std::nullopt;
      typename BridgesOf<G>::Type::Chain chain;
      if (find_bridges(state, owner, &chain)) return chain.zone();
    }
    return std::nullopt;
  }
  // A chain over cells that are filled in for the owner: the same. Empty if there is none.
  Cells find_filled_chain(const State& state, Player owner) { return fill_.chain(state, owner); }
  std::optional<Cells> filled_chain(const State& state, Player owner) {
    const Cells chain = find_filled_chain(state, owner);
    if (chain.empty()) return std::nullopt;
    return fill_.with_reasons(state, owner, chain);
  }
  // What of cells of the owner's is filled in for him, and what that rests on.
  auto fill_reasons(const State& state, Player owner, const Cells& used) {
    return fill_.reasons(state, owner, used);
  }
  // Links with which the owner wins, who moves or waits, over what is filled in for him.
  bool find_links(const State& state, Player owner, auto* proof) requires HasLinks<G> {
    if (!has_links()) return false;
    const auto [own, other] = fill_.sides(state, owner);
    return of(links_, owner).prove(own, other, G::to_move(rules_, state) == owner, proof);
  }
  std::optional<LinkedWin> win_by_links(const State& state, Player owner) {
    if constexpr (HasLinks<G>) {
      if (!has_links()) return std::nullopt;
      typename LinksOf<G>::Type::Proof proof;
      if (find_links(state, owner, &proof)) {
        const Move key = proof.key >= 0 ? static_cast<Move>(proof.key) : kNoMove;
        return LinkedWin{fill_.with_reasons(state, owner, proof.zone()), key};
      }
    }
    return std::nullopt;
  }
  // Calls f(move, zone) if who is to move wins by a semi link: on this key.
  void winning_key(const State& state, auto&& f) {
    if constexpr (HasLinks<G>) {
      if (!has_links()) return;
      const Player mover = G::to_move(rules_, state);
      const auto [own, other] = fill_.sides(state, mover);
      of(links_, mover).win(own, other, [&](Move move, const Cells& zone) {
        f(move, fill_.with_reasons(state, mover, zone));
      });
    }
  }
  // Calls f(zone) of every threat of the player who waits: whatever is played outside it loses.
  // True if all replies lose, with the only zone that f was called with.
  bool threats(const State& state, auto&& f) {
    if constexpr (HasLinks<G>) {
      if (!has_links()) return false;
      const Player waits = opponent(G::to_move(rules_, state));
      const auto [own, other] = fill_.sides(state, waits);
      return of(links_, waits).threats(own, other, [&](const Cells& found) {
        f(fill_.with_reasons(state, waits, found));
      });
    }
    return false;
  }
  // From now on threats() looks also for what the cells are worth to who waits (games/hex/
  // resistance.h): of the position that it was asked about, and left open, last.
  void want_currents() requires HasLinks<G> {
    for (auto& links : links_) links.want_currents();
  }
  const std::vector<double>& currents(const State& state) requires HasLinks<G> {
    return of(links_, opponent(G::to_move(rules_, state))).currents();
  }

  // Inferior replies: those that need no search, as the player who waits has captured them or they
  // are no better than others, and those not to be tried first.
  Cells left_out(const State& state) { return fill_.left_out(state, waits_in(state)); }
  Cells put_off(const State& state) { return fill_.put_off(state, waits_in(state)); }
  // What the player who waits plays after a reply in a cell that he has captured; kNoMove if he has
  // not.
  Move answer(const State& state, Move cell) { return fill_.answer(state, waits_in(state), cell); }
  // These cells, which the player who waits has captured, with what that rests on.
  Cells captured(const State& state, const Cells& cells) {
    return fill_.with_reasons(state, waits_in(state), cells);
  }

 private:
  static Cells stones(const State& state, Player player) { return Zoned<G>::stones(state, player); }
  static auto& of(auto& both, Player player) { return both[static_cast<std::size_t>(player)]; }
  Player waits_in(const State& state) const { return opponent(G::to_move(rules_, state)); }

  Rules rules_;
  bool templates_;  // chains of bridges may end in them
  FilledSides<G> fill_;
  std::vector<typename BridgesOf<G>::Type> bridges_;  // of each player
  std::vector<typename LinksOf<G>::Type> links_;      // the same
};

}  // namespace playproof
