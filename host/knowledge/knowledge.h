// What is known of a position without searching it: one question, one answer. Trees, tables, their
// checks and the writers of proofs ask here and nowhere else; of games without knowledge there is
// nothing, and it costs nothing. All of it is a function of the position, so that nothing is kept:
// whoever asks again has the same answer.
//
//   judge(state, claim)    who wins, if that is known: with which zone, by which move, and why
//   replies(state, moves)  which moves are to be searched, and which of them are put off. If all of
//                          them are lost so is the position (kAll of host/knowledge/replies.h):
//                          what was left out is refuted, or captured by the player who waits.
//   zone_of_loss(state, zones)  the zone then, with those of the lost replies
//
// A search asks at two moments (host/question/knowledge_options.h):
//   kCreated  of a leaf that it creates: chains of bridges, chains over inferior cells that are
//             filled in, virtual connections (games/hex/bridges.h, fill.h, links.h) of either
//             player
//   kEntered  of a leaf that it goes on from, before that gets children. The threats of the player
//             who waits leave the must-play; replies that he has captured need no search, and
//             dominated and reversible ones are put off until all others are lost. What was left
//             for this moment (ask=selected; in tables all but bridges) is asked now, where it may
//             decide the position. Trees do not ask about the root.
#pragma once

#include <optional>
#include <utility>
#include <vector>

#include "games/core/connection.h"
#include "games/core/game.h"
#include "host/knowledge/finders.h"
#include "host/knowledge/judgement.h"
#include "host/knowledge/replies.h"
#include "host/knowledge/zone_loss.h"
#include "host/question/knowledge_options.h"

namespace playproof {

enum class Moment : bool { kCreated, kEntered };

template <class G>
class Knowledge {  // of a game without zones
 public:
  using Options = KnowledgeOptions;
  Knowledge(const auto& /*rules*/, const Options& /*options*/, Moment /*moment*/) {}
  static constexpr ReplyKind kReplies = ReplyKind::kAll;
  static constexpr bool any() { return false; }
  static constexpr bool leaves_out() { return false; }
  static std::optional<Judgement<G>> judge(const auto& /*state*/, const Claim& /*claim*/) {
    return std::nullopt;
  }
  static Replies<G> replies(const auto& /*state*/, Move* /*moves*/, int count) { return {count}; }
  static Zone<G> put_off(const auto& /*state*/) { return {}; }
  static Zone<G> zone_of_loss(const auto& /*state*/, const auto& /*zones*/) { return {}; }
  static Move answer(const auto& /*state*/, Move /*cell*/) { return kNoMove; }
};

template <ZonedGame G>
class Knowledge<G> {
 public:
  using Rules = typename G::Rules;
  using State = typename G::State;
  using Cells = Zone<G>;
  using Options = KnowledgeOptions;
  // What it means that all replies() are lost.
  static constexpr ReplyKind kReplies = ReplyKind::kAll;

  Knowledge(const Rules& rules, const Options& options, Moment moment)
      : rules_(rules),
        entered_(moment == Moment::kEntered),
        asks_chains_(!entered_ || options.ask_selected),
        finders_(rules, entered_ ? options.of_selected() : options.of_created()) {}

  bool any() const { return finders_.any(); }
  // Are inferior cells filled in, so that replies may be captured or put off?
  bool leaves_out() const { return finders_.has_fill(); }

  // What is known of a position, which must not be finished.
  std::optional<Judgement<G>> judge(const State& state, const Claim& claim) {
    if (auto known = judge_by_chains(state, claim)) return known;
    if (!entered_) return judge_by_links(state, claim);
    const Player waits = waits_in(state);
    Cells only;
    if (finders_.threats(state, [&](const Cells& zone) { only = zone; })) {
      return judged(waits, claim, only, Evidence::kLinks);
    }
    if (must_play(state).empty()) {
      return judged(waits, claim, zone_of_loss(state, {}), Evidence::kMustPlay);
    }
    return std::nullopt;
  }
  // The part of it that rests on a chain of one player's alone.
  std::optional<Judgement<G>> judge_by_chains(const State& state, const Claim& claim) {
    const Player waits = waits_in(state);
    if (const auto zone = finders_.chain_of_bridges(state, waits)) {
      return judged(waits, claim, *zone, Evidence::kBridges);
    }
    if (!asks_chains_ || !finders_.has_fill()) return std::nullopt;
    for (const Player winner : {waits, opponent(waits)}) {
      if (const auto zone = finders_.filled_chain(state, winner)) {
        return judged(winner, claim, *zone, Evidence::kFill);
      }
    }
    return std::nullopt;
  }
  // The part that says by which move who is to move wins.
  std::optional<Judgement<G>> judge_by_key(const State& state, const Claim& claim) {
    std::optional<Judgement<G>> known;
    finders_.winning_key(state, [&](Move move, const Cells& zone) {
      known = judged(opponent(waits_in(state)), claim, zone, Evidence::kLinks, move);
    });
    return known;
  }

  // Keeps of these moves, `count` of them, those that are to be searched, also those that are put
  // off. The position must not be decided.
  Replies<G> replies(const State& state, Move* moves, int count) {
    const Cells left = must_play(state);
    int kept = 0;
    for (int i = 0; i < count; ++i) {
      if (left.has(moves[i])) moves[kept++] = moves[i];
    }
    return {kept, put_off(state)};
  }
  // The cells of replies().
  Cells must_play(const State& state) {
    Cells left = empty(state) - left_out(state);
    refutations(state, [&](const Cells& zone) { left &= zone; });
    return left;
  }
  // Calls f(zone) of every threat of the player who waits: what is played outside it is refuted,
  // with that zone. True if all replies lose, with the only zone that f was called with.
  bool refutations(const State& state, auto&& f) { return finders_.threats(state, f); }
  // Replies that need no search since they are captured, or no better than others.
  Cells left_out(const State& state) { return finders_.left_out(state); }
  Cells put_off(const State& state) { return finders_.put_off(state); }
  // What the player who waits plays after a reply in a cell that he has captured; kNoMove if he has
  // not.
  Move answer(const State& state, Move cell) { return finders_.answer(state, cell); }

  // The zone of a position that is lost for who moves. `zones`: of lost replies, with which its
  // replies() are all lost.
  Cells zone_of_loss(const State& state, std::vector<Cells> zones) {
    refutations(state, [&](const Cells& zone) { zones.push_back(zone); });
    return zone_of_replies(state, zones);
  }
  // The same where what is refuted is among the zones.
  Cells zone_of_replies(const State& state, const std::vector<Cells>& zones) {
    return playproof::zone_of_loss<G>(zones, empty(state), left_out(state), captured(state));
  }
  // Does a zone follow so?
  bool follows(const State& state, std::vector<Cells> zones, const Cells& zone) {
    refutations(state, [&](const Cells& found) { zones.push_back(found); });
    return follows_from_replies(state, zones, zone);
  }
  bool follows_from_replies(const State& state, const std::vector<Cells>& zones,
                            const Cells& zone) {
    return follows_from<G>(zones, empty(state), left_out(state), zone, captured(state));
  }

  // From now on refutations() looks also for what the cells are worth to who waits (games/hex/
  // resistance.h): of the position that it was asked about, and left open, last.
  void want_currents() requires HasLinks<G> { finders_.want_currents(); }
  const std::vector<double>& currents(const State& state) requires HasLinks<G> {
    return finders_.currents(state);
  }

 private:
  Judgement<G> judged(Player winner, const Claim& claim, const Cells& zone, Evidence evidence,
                      Move move = kNoMove) const {
    return {winner, bounds_of<G>(rules_, winner, claim), zone, move, evidence};
  }
  std::optional<Judgement<G>> judge_by_links(const State& state, const Claim& claim) {
    if (!finders_.has_links()) return std::nullopt;
    const Player waits = waits_in(state);
    for (const Player winner : {waits, opponent(waits)}) {
      if (const auto found = finders_.win_by_links(state, winner)) {
        return judged(winner, claim, found->zone, Evidence::kLinks, found->move);
      }
    }
    return std::nullopt;
  }
  Player waits_in(const State& state) const { return opponent(G::to_move(rules_, state)); }
  Cells empty(const State& state) const {
    return Cells::all(Zoned<G>::cells(rules_)) - Zoned<G>::stones(state, Player::kFirst) -
           Zoned<G>::stones(state, Player::kSecond);
  }
  // Tells what cells that the player who waits has captured rest on.
  auto captured(const State& state) {
    return [this, &state](const Cells& cells) { return finders_.captured(state, cells); };
  }

  Rules rules_;
  bool entered_;
  bool asks_chains_;  // over inferior cells, at this moment
  Finders<G> finders_;
};

}  // namespace playproof
