// What the cells of a position say of its replies, beside patterns (host/tree/tree_patterns.h):
// in Hex its inferior cells (games/hex/fill.h) and, with ask=selected, its virtual connections
// (games/hex/links.h), with inferior cells filled in. A tree asks about a leaf that is selected,
// before it gets children:
//   - with ask=selected, a chain over cells that are filled in, or a connection of the player who
//     waits, decides the leaf: it gets no children. (Else probes have asked when it was created,
//     host/probe/leaf_probes.h.)
//   - replies outside the zone of one of his threats, and those that he has captured, get no child:
//     what is left is the must-play. If nothing is left the leaf is decided, too.
//   - dominated and reversible replies get a child that is put off until all others are lost.
// The zone of a lost node rests on his threats and captured cells as on lost replies. All of it is
// a function of the position, so that nothing is kept: checks and proofs ask again. The root is
// not asked about.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "games/core/connection.h"
#include "games/core/game.h"
#include "host/probe/filled_sides.h"
#include "host/question/search_options.h"
#include "host/zone/zone.h"

namespace playproof {

template <class G>
class MustPlay {  // of a game without zones
 public:
  MustPlay(const auto& /*rules*/, const SearchOptions& /*options*/) {}
  static constexpr bool on() { return false; }
  static bool decides(const auto& /*state*/) { return false; }
  static Player winner() { return Player::kFirst; }
  static Zone<G> zone() { return {}; }
  static bool by_connection() { return false; }
  static int keep(const auto& /*state*/, Move* /*moves*/, int count) { return count; }
  static Zone<G> put_off(const auto& /*state*/) { return {}; }
  static Zone<G> zone_of_loss(const auto& /*state*/, const auto& /*zones*/) { return {}; }
};

template <ConnectionGame G>
class MustPlay<G> {
 public:
  using Rules = typename G::Rules;
  using State = typename G::State;
  using Cells = Zone<G>;

  MustPlay(const Rules& rules, const SearchOptions& options)
      : rules_(rules), asks_(options.ask_selected), fill_(rules, options) {
    if constexpr (HasLinks<G>) {
      for (int player = 0; player < 2 && options.zones && options.links && asks_; ++player) {
        links_.emplace_back(rules, player);
      }
    }
  }

  bool on() const { return fill_.on() || !links_.empty(); }

  // Is the position, which is not finished, decided? Then who wins, with which zone, and whether a
  // virtual connection says so.
  bool decides(const State& state) {
    const Player mover = G::to_move(rules_, state);
    by_connection_ = false;
    if (asks_ && (by_chain(state, opponent(mover)) || by_chain(state, mover))) return true;
    winner_ = opponent(mover);
    by_connection_ = for_each_threat(state, [&](const Cells& zone) { zone_ = zone; });
    if (by_connection_) return true;
    if (!replies(state).empty()) return false;
    zone_ = zone_of_loss(state, {});
    return true;
  }
  Player winner() const { return winner_; }
  const Cells& zone() const { return zone_; }
  bool by_connection() const { return by_connection_; }

  // Of a position that is not decided: the must-play, also of those moves that are put off.
  Cells replies(const State& state) {
    Cells left = to_answer(state);
    for_each_threat(state, [&](const Cells& zone) { left &= zone; });
    return left;
  }
  // Keeps of its moves, `count` of them, those that are in the must-play. Returns how many.
  int keep(const State& state, Move* moves, int count) {
    const Cells left = replies(state);
    int kept = 0;
    for (int i = 0; i < count; ++i) {
      if (left.has(moves[i])) moves[kept++] = moves[i];
    }
    return kept;
  }
  Cells put_off(const State& state) {
    return fill_.put_off(state, opponent(G::to_move(rules_, state)));
  }

  // Rule 3 of host/zone/zone.h: the zone of a position that is lost for who moves, with those of
  // lost replies.
  Cells zone_of_loss(const State& state, std::vector<Cells> zones) {
    for_each_threat(state, [&](const Cells& zone) { zones.push_back(zone); });
    Cells zone;
    Cells left = empty(state);
    for (const std::size_t i : choose_few<Connection<G>::kWords>(zones, to_answer(state))) {
      zone |= zones[i];
      left &= zones[i];
    }
    return zone | captured(state, left);
  }
  // Does a zone follow so? `zones`: of lost replies.
  bool follows(const State& state, std::span<const Cells> zones, const Cells& zone) {
    Cells left = empty(state);
    const auto use = [&](const Cells& other) {
      if (other.within(zone)) left &= other;
    };
    for (const Cells& other : zones) use(other);
    for_each_threat(state, use);
    return (left & to_answer(state)).empty() && captured(state, left).within(zone);
  }

 private:
  bool by_chain(const State& state, Player winner) {
    zone_ = fill_.zone_of_chain(state, winner);
    winner_ = winner;
    return !zone_.empty();
  }
  // Calls f(zone) of every threat of the player who waits: whatever is played outside it loses.
  // True if all replies lose, with the only zone that f was called with.
  bool for_each_threat(const State& state, auto&& f) {
    if constexpr (HasLinks<G>) {
      if (links_.empty()) return false;
      const Player waits = opponent(G::to_move(rules_, state));
      const auto [own, other] = fill_.sides(state, waits);
      return links_[static_cast<std::size_t>(waits)].threats(
          own, other, [&](const Cells& found) { f(fill_.unfilled(state, waits, found)); });
    }
    return false;
  }
  Cells empty(const State& state) const {
    return Cells::all(Connection<G>::cells(rules_)) - Connection<G>::stones(state, Player::kFirst) -
           Connection<G>::stones(state, Player::kSecond);
  }
  // Replies that need a proof that they are lost.
  Cells to_answer(const State& state) {
    return empty(state) - fill_.left_out(state, opponent(G::to_move(rules_, state)));
  }
  // Cells that the player who waits has captured, with what they rest on.
  Cells captured(const State& state, const Cells& cells) {
    return fill_.unfilled(state, opponent(G::to_move(rules_, state)), cells);
  }

  Rules rules_;
  bool asks_;  // of whatever could decide
  FilledSides<G> fill_;
  std::vector<typename LinksOf<G>::Type> links_;  // of each player
  // Of the position that was decided last.
  Player winner_ = Player::kFirst;
  Cells zone_;
  bool by_connection_ = false;
};

}  // namespace playproof
