// Holds the zones of a table against the rules of host/zone/zone.h. Part of host/table/check.h.
#pragma once

#include <cstddef>
#include <vector>

#include "games/core/connection.h"
#include "games/core/game.h"
#include "host/knowledge/knowledge.h"
#include "host/probe/leaf_probe.h"
#include "host/question/search_options.h"
#include "host/table/any_table_search.h"
#include "host/zone/zone.h"

namespace playproof {

template <class G>
class TableZoneCheck {  // of a game without zones
 public:
  TableZoneCheck(const auto& /*rules*/, const auto& /*search*/, bool /*asks*/) {}
  static const char* wrong(const auto& /*state*/, bool /*mover_wins*/) { return nullptr; }
  static const char* wrong_at_root(const auto& /*state*/, bool /*mover_wins*/) { return nullptr; }
};

template <ZonedGame G>
class TableZoneCheck<G> {
 public:
  using State = typename G::State;
  using Rules = typename G::Rules;
  using Cells = Zone<G>;

  // `asks`: bridges, inferior cells and virtual connections are asked once more, if the search did;
  // else what it knows beside its table is believed.
  TableZoneCheck(const Rules& rules, const AnyTableSearch<G>& search, bool asks)
      : rules_(rules),
        search_(search),
        created_(rules, asked(search, asks), Moment::kCreated),
        entered_(rules, asked(search, asks), Moment::kEntered) {
    const SearchOptions& options = search.options();
    const bool probes = options.bridges || options.links || options.fill != FillLevel::kOff;
    knows_more_ = options.patterns > 0 || (probes && !asks);
  }

  // What is wrong with the zone of a decided position of the table; null if it stands.
  // What follows from its replies is known only where the table lost nothing and no pattern knew
  // more. Threads lose without counting: of two that store a position at once one prevails, with
  // its zone, when the other has told the parent of its own.
  const char* wrong(State state, bool mover_wins) {
    search_.symmetry().to_canonical(state);  // as the board lay for the search
    return wrong(state, search_.known_zone(state), mover_wins);
  }
  // The same of the position that the question is about, which the search takes as it lies.
  const char* wrong_at_root(const State& position, bool mover_wins) {
    return wrong(position, search_.zone(), mover_wins);
  }

 private:
  const char* wrong(const State& state, const Cells& zone, bool mover_wins) {
    const Player mover = G::to_move(rules_, state);
    if (zone.empty()) return "it is decided, but has no zone";
    const Player loser = mover_wins ? opponent(mover) : mover;
    if (!(zone & Zoned<G>::stones(state, loser)).empty()) {
      return "a stone of the loser lies in its zone";
    }
    if (search_.question().table_may_have_lost() || knows_more_) return nullptr;
    const bool stands = mover_wins ? won(state, zone) : lost(state, zone);
    return stands ? nullptr : "its zone does not follow from its replies";
  }
  static KnowledgeOptions asked(const AnyTableSearch<G>& search, bool asks) {
    return asks ? search.options().of_table() : KnowledgeOptions{};
  }
  Cells replies(const State& state) const {
    return Cells::all(Zoned<G>::cells(rules_)) - Zoned<G>::stones(state, Player::kFirst) -
           Zoned<G>::stones(state, Player::kSecond);
  }
  // Calls f(child) with every reply.
  template <class F>
  void for_each_reply(const State& state, F&& f) {
    for_each_cell(replies(state), [&](int cell) {
      State child = state;
      G::play(rules_, child, static_cast<Move>(cell));
      f(child);
    });
  }
  // Calls f(zone), and with what the symmetries of the position turn it to.
  template <class F>
  void for_each_twin(const State& state, const Cells& zone, F&& f) {
    f(zone);
    search_.symmetry().for_each_twin(state, zone, f);
  }
  // The zone that the table has of a reply, if it is known that this player wins after it.
  Cells zone_of_reply(const State& child, Player winner) {
    const Bounds known = search_.known(child);
    const Claim& claim = search_.claim();
    if (!known.decides(claim.threshold)) return {};
    if (known.proves(claim.threshold) != (winner == claim.attacker)) return {};
    return search_.known_zone(child);
  }

  // Rule 2: a reply wins with no more than the zone.
  bool won(const State& state, const Cells& zone) {
    const Player mover = G::to_move(rules_, state);
    bool stands = false;
    const auto use = [&](const Cells& of_reply) {
      stands = stands || (!of_reply.empty() && of_reply.within(zone));
    };
    for_each_reply(state, [&](const State& child) {
      if (stands) return;
      for_each_twin(state, zone_of_reply(child, mover), use);
      if (!stands) use(by_bridges(child, mover));
    });
    if (!stands) use(by_chain(state, mover));
    if (!stands) {
      if (const auto known = entered_.judge_by_key(state, search_.claim())) use(known->zone);
    }
    return stands;
  }
  // Who moved there has a chain of bridges: its zone, else an empty one.
  Cells by_bridges(const State& child, Player owner) {
    if (!created_.any() || G::finished(rules_, child)) return {};
    State image = child;
    search_.symmetry().to_canonical(image);  // there the search has looked for it
    const auto known = created_.judge(image, search_.claim());
    if (!known || known->winner != owner) return {};
    return search_.symmetry().turned(image, child, known->zone);
  }
  // This player has a chain over cells that are filled in: the same.
  Cells by_chain(const State& state, Player owner) {
    const auto known = entered_.judge_by_chains(state, search_.claim());
    return known && known->winner == owner ? known->zone : Cells{};
  }

  // Rule 3: every reply lies outside the zone of a lost one or of a threat, or is captured.
  bool lost(const State& state, const Cells& zone) {
    const Player waits = opponent(G::to_move(rules_, state));
    std::vector<Cells> zones;
    const auto use = [&](const Cells& found) {
      if (!found.empty()) zones.push_back(found);
    };
    for_each_reply(
        state, [&](const State& child) { for_each_twin(state, zone_of_reply(child, waits), use); });
    // Whatever is played loses: each reply is answered inside the zone.
    const auto use_for_all = [&](const Cells& found) {
      for_each_cell(replies(state) & found,
                    [&](int cell) { for_each_twin(state, found - Cells::one(cell), use); });
    };
    use_for_all(by_chain(state, waits));
    std::vector<Cells> threats;
    const bool all =
        entered_.refutations(state, [&](const Cells& found) { threats.push_back(found); });
    for (const Cells& threat : threats) {
      for_each_twin(state, threat, use);
      if (all) use_for_all(threat);
    }
    return entered_.follows_from_replies(state, zones, zone);
  }

  Rules rules_;
  const AnyTableSearch<G>& search_;
  bool knows_more_;  // than can be asked once more
  Knowledge<G> created_;
  Knowledge<G> entered_;
};

}  // namespace playproof
