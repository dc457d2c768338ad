// Holds the zones of a table against the rules of host/zone/zone.h. Part of host/table/check.h.
#pragma once

#include <utility>
#include <vector>

#include "games/core/connection.h"
#include "games/core/game.h"
#include "host/probe/filled_sides.h"
#include "host/probe/leaf_probe.h"
#include "host/question/search_options.h"
#include "host/tree/must_play.h"
#include "host/zone/zone.h"

namespace playproof {

template <class G, class Engine>
class TableZoneCheck {  // of a game without zones
 public:
  TableZoneCheck(const auto& /*rules*/, const auto& /*search*/, bool /*asks*/) {}
  static const char* wrong(const auto& /*state*/, bool /*mover_wins*/) { return nullptr; }
};

template <ConnectionGame G, class Engine>
class TableZoneCheck<G, Engine> {
 public:
  using State = typename G::State;
  using Rules = typename G::Rules;
  using Cells = Zone<G>;

  // `asks`: bridges, inferior cells and virtual connections are asked once more, if the search did;
  // else what it knows beside its table is believed.
  TableZoneCheck(const Rules& rules, const Engine& search, bool asks)
      : rules_(rules),
        search_(search),
        any_(unknown_bounds<G>(rules, search.claim().attacker)),
        asks_(asks),
        must_play_(rules, asked(search.options(), asks)),
        fill_(rules, asked(search.options(), asks)) {
    const SearchOptions options = asked(search.options(), asks);
    for (int player = 0; player < 2; ++player) {
      if constexpr (HasPairs<G>) {
        if (options.bridges) pairs_.emplace_back(rules, player);
      }
      if constexpr (HasLinks<G>) {
        if (options.links) links_.emplace_back(rules, player);
      }
    }
  }

  // Of a position that is decided: what is wrong with its zone; null if it stands. What follows
  // from its replies is known only where the table lost nothing and no pattern knew more.
  const char* wrong(State state, bool mover_wins) {
    search_.symmetry().to_canonical(state);  // as the board lay for the search
    const Cells zone = search_.known_zone(state);
    const Player mover = G::to_move(rules_, state);
    if (zone.empty()) return "it is decided, but has no zone";
    const Player loser = mover_wins ? opponent(mover) : mover;
    if (!(zone & Connection<G>::stones(state, loser)).empty()) {
      return "a stone of the loser lies in its zone";
    }
    if (search_.table().counters().lost_any() || knows_more()) return nullptr;
    const bool stands = mover_wins ? won(state, zone) : lost(state, zone);
    return stands ? nullptr : "its zone does not follow from its replies";
  }

 private:
  // What is to be asked, of the position itself rather than of a leaf.
  static SearchOptions asked(SearchOptions options, bool asks) {
    options.ask_selected = true;
    if (!asks) options.bridges = options.links = false;
    if (!asks) options.fill = FillLevel::kOff;
    return options;
  }
  bool knows_more() const {
    const SearchOptions& options = search_.options();
    const bool probes = options.bridges || options.links || options.fill != FillLevel::kOff;
    return options.patterns > 0 || (probes && !asks_);
  }
  // Calls f(child, move) with every reply.
  template <class F>
  void for_each_reply(const State& state, F&& f) {
    const Cells stones = Connection<G>::stones(state, Player::kFirst) |
                         Connection<G>::stones(state, Player::kSecond);
    for_each_cell(Cells::all(Connection<G>::cells(rules_)) - stones, [&](int cell) {
      State child = state;
      G::play(rules_, child, static_cast<Move>(cell));
      f(child, cell);
    });
  }
  // Calls f(zone) with the zone of a child that is known to be won by this player, or lost: that of
  // the table, as each symmetry of the position turns it.
  template <class F>
  void for_each_zone(const State& state, const State& child, Player winner, F&& f) {
    const Bounds known = search_.known(child);
    if (known.lower() < known.upper()) return;
    const Player attacker = search_.claim().attacker;
    if ((known.upper() > any_.lower() ? attacker : opponent(attacker)) != winner) return;
    const Cells zone = search_.known_zone(child);
    f(zone);
    search_.symmetry().for_each_twin(state, zone, f);
  }
  // Rule 2: a reply wins with no more than the zone.
  bool won(const State& state, const Cells& zone) {
    const Player mover = G::to_move(rules_, state);
    bool stands = false;
    const auto use = [&](const Cells& of_reply) {
      stands = stands || (!of_reply.empty() && of_reply.within(zone));
    };
    use(fill_.zone_of_chain(state, mover));
    if constexpr (HasLinks<G>) {
      if (!links_.empty()) {
        const auto [own, other] = fill_.sides(state, mover);
        links_[static_cast<std::size_t>(mover)].win(own, other, [&](Move, const Cells& found) {
          use(fill_.unfilled(state, mover, found));
        });
      }
    }
    for_each_reply(state, [&](const State& child, int /*move*/) {
      if (stands) return;
      for_each_zone(state, child, mover, use);
      if (!stands) use(by_bridges(child, mover));
    });
    return stands;
  }
  // Who moved there has a chain of bridges: its zone, else an empty one.
  Cells by_bridges(const State& child, Player owner) {
    if constexpr (HasPairs<G>) {
      if (pairs_.empty() || G::finished(rules_, child)) return {};
      State image = child;
      search_.symmetry().to_canonical(image);  // there the search has looked for it
      typename Connection<G>::Pairs::Chain chain;
      const bool found = pairs_[static_cast<std::size_t>(owner)].find(
          Connection<G>::stones(image, owner), Connection<G>::stones(image, opponent(owner)),
          &chain);
      if (found) return search_.symmetry().turned(image, child, chain.zone());
    }
    return {};
  }
  // Rule 3: every reply lies outside the zone of a lost one, or is answered.
  bool lost(const State& state, const Cells& zone) {
    const Player waits = opponent(G::to_move(rules_, state));
    std::vector<Cells> zones;
    for_each_reply(state, [&](const State& child, int /*move*/) {
      for_each_zone(state, child, waits, [&](const Cells& found) { zones.push_back(found); });
    });
    if (must_play_.on() && must_play_.decides(state) && must_play_.winner() == waits) {
      for_each_reply(state, [&](const State& /*child*/, int move) {  // is answered inside it
        zones.push_back(must_play_.zone() - Cells::one(move));
      });
    }
    return must_play_.follows(state, zones, zone);
  }

  Rules rules_;
  const Engine& search_;
  Bounds any_;
  bool asks_;
  MustPlay<G> must_play_;
  FilledSides<G> fill_;
  std::vector<typename PairsOf<G>::Type> pairs_;  // of each player
  std::vector<typename LinksOf<G>::Type> links_;  // the same
};

}  // namespace playproof
