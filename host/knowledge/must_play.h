// What the cells of a position say of its replies, beside patterns (host/tree/tree_patterns.h): in
// Hex its inferior cells (games/hex/fill.h) and, with ask=selected, its virtual connections
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

#include <vector>

#include "games/core/connection.h"
#include "games/core/game.h"
#include "host/knowledge/finders.h"
#include "host/knowledge/zone_loss.h"
#include "host/question/knowledge_options.h"

namespace playproof {

template <class G>
class MustPlay {  // of a game without zones
 public:
  MustPlay(const auto& /*rules*/, const KnowledgeOptions& /*options*/) {}
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

  MustPlay(const Rules& rules, const KnowledgeOptions& options)
      : rules_(rules), asks_(options.ask_selected), finders_(rules, options.of_selected()) {}

  bool on() const { return finders_.any(); }

  // Is the position, which is not finished, decided? Then who wins, with which zone, and whether a
  // virtual connection says so.
  bool decides(const State& state) {
    const Player mover = G::to_move(rules_, state);
    by_connection_ = false;
    if (asks_ && (by_chain(state, opponent(mover)) || by_chain(state, mover))) return true;
    winner_ = opponent(mover);
    by_connection_ = finders_.threats(state, [&](const Cells& zone) { zone_ = zone; });
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
    finders_.threats(state, [&](const Cells& zone) { left &= zone; });
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
  Cells put_off(const State& state) { return finders_.put_off(state); }

  // The zone of a position that is lost for who moves, with those of lost replies.
  Cells zone_of_loss(const State& state, std::vector<Cells> zones) {
    add_threats(state, zones);
    return playproof::zone_of_loss<G>(zones, empty(state), finders_.left_out(state),
                                      captured(state));
  }
  // Does a zone follow so? `zones`: of lost replies.
  bool follows(const State& state, std::vector<Cells> zones, const Cells& zone) {
    add_threats(state, zones);
    return follows_from<G>(zones, empty(state), finders_.left_out(state), zone, captured(state));
  }

 private:
  bool by_chain(const State& state, Player winner) {
    const auto zone = finders_.filled_chain(state, winner);
    if (!zone) return false;
    zone_ = *zone;
    winner_ = winner;
    return true;
  }
  void add_threats(const State& state, std::vector<Cells>& zones) {
    finders_.threats(state, [&](const Cells& zone) { zones.push_back(zone); });
  }
  Cells empty(const State& state) const {
    return Cells::all(Connection<G>::cells(rules_)) - Connection<G>::stones(state, Player::kFirst) -
           Connection<G>::stones(state, Player::kSecond);
  }
  // Replies that need a proof that they are lost.
  Cells to_answer(const State& state) { return empty(state) - finders_.left_out(state); }
  // Of cells that the player who waits has captured: what they rest on.
  auto captured(const State& state) {
    return [this, &state](const Cells& cells) { return finders_.captured(state, cells); };
  }

  Rules rules_;
  bool asks_;  // of whatever could decide
  Finders<G> finders_;
  // Of the position that was decided last.
  Player winner_ = Player::kFirst;
  Cells zone_;
  bool by_connection_ = false;
};

}  // namespace playproof
