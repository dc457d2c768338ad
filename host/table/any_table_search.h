// A depth-first search with a table (host/table/table_search.h) as all sees it that is done once a
// search: proofs, checks, answers. The type of its numbers is gone. What does not depend on them
// stands here too, so that all of this is compiled once a game and not once an engine of each game.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "games/core/connection.h"
#include "games/core/symmetry.h"
#include "host/archive/archive.h"
#include "host/knowledge/kept_patterns.h"
#include "host/knowledge/knowledge.h"
#include "host/probe/game_probe.h"
#include "host/question/counters.h"
#include "host/question/events.h"
#include "host/question/node_row.h"
#include "host/question/question.h"
#include "host/question/search_options.h"
#include "host/table/call_stack.h"
#include "host/table/kept_table.h"
#include "host/table/position_table.h"
#include "host/table/shallow_choices.h"
#include "host/zone/patterns.h"
#include "host/zone/zone.h"
#include "kernels/numbers/bounds.h"

namespace playproof {

template <AcyclicGame G>
class AnyTableSearch {
  static_assert(Knowledge<G>::kReplies == ReplyKind::kAll,
                "it takes a node for lost with its children");

 public:
  using State = typename G::State;
  using Rules = typename G::Rules;

  [[gnu::noinline]] virtual ~AnyTableSearch();  // once a game, not in each engine
  AnyTableSearch(const AnyTableSearch&) = delete;
  AnyTableSearch& operator=(const AnyTableSearch&) = delete;

  // Asks another question; what the table holds stays. The position must not be finished; the
  // attacker must be that of the first question.
  virtual void begin(const State& position, const Claim& claim,
                     std::uint64_t max_nodes = SearchLimits::kNone) = 0;
  // Makes up to `calls` node entries; fewer when children need playouts (then their requests are
  // appended, all children of one node) or when the root was looked at (so that whoever listens
  // misses nothing). Returns the entries made; 0 when stopped() tells why.
  virtual std::uint32_t propose(std::uint32_t calls, std::vector<LeafRequest<G>>& requests) = 0;
  // Numbers the children whose requests the last propose() appended, in their order.
  virtual void absorb(std::span<const Tally> tallies) = 0;

  StopReason stopped() const { return stop_reason_; }
  // The search waits for tallies.
  bool waiting() const { return waiting_; }
  bool root_changed() const { return root_changed_; }
  // These are the bounds of the position that the question is about, as far as they are proven.
  Bounds bounds() const { return bounds_; }
  // Once it is decided, this is a move of the root that holds what is proven, else its first one.
  Move best_move() const { return best_; }
  const Claim& claim() const { return claim_; }
  const Symmetry<G>& symmetry() const { return symmetry_; }
  // What decides leaves before they are searched.
  const GameProbe<G>& probe() const { return probe_; }
  // Does it keep zones (host/zone/zone.h)? In connection games, if they are asked for.
  bool zones_on() const { return ZonedGame<G> && zones_on_; }

  virtual const SearchOptions& options() const = 0;
  virtual Counters counters() const = 0;
  // Do its first numbers need playouts?
  virtual bool plays() const = 0;
  // The moves of the root that the search prefers now, all that tie; none before the first call.
  virtual std::vector<Move> root_ties() const = 0;

  // What rules and table know of a position.
  virtual Bounds known(const State& state) const = 0;
  // The zone of a position that is known to be decided, as its board lies; empty if it is not kept.
  virtual Zone<G> known_zone(const State& state) const = 0;
  // The zone of the position that the question is about, once it is decided.
  virtual Zone<G> zone() const = 0;

  // The table: how many places it has, and in which a position stands, if it does.
  virtual std::uint64_t places() const = 0;
  virtual std::optional<std::uint64_t> place_of(const State& state) const = 0;
  virtual const TableCounters& table_counters() const = 0;
  // The stack: how many positions stand on it, and how many children each has; the first is the
  // root.
  virtual std::size_t depth() const = 0;
  virtual std::size_t children(std::size_t depth) const = 0;
  virtual const AnyCallChild<G>& child(std::size_t depth, std::size_t i) const = 0;

  // Numbers as people look at them: of the root, as its children say now, if they are numbered; of
  // child `i` of the root; of what stands in a place of the table, where the attacker moves or not.
  virtual std::optional<NodeNumbers> shown_root() const = 0;
  virtual NodeNumbers shown_child(std::size_t i) const = 0;
  virtual NodeNumbers shown_place(std::uint64_t place, bool attackers) const = 0;

  // Saves, or replaces everything by what was saved; not while it waits. What is loaded is held
  // against the rules as far as rules reach; the table may claim what is not so, and a verdict that
  // rests on it needs its proof walked (host/proof/table_proof.h).
  virtual void serialize(Saver& saver) = 0;
  virtual void serialize(Loader& loader) = 0;

  // Room for its table, for another search with the same `question` (host/table/kept_table.h), and
  // the table moved there, which needs no memory; then this search is over.
  virtual std::unique_ptr<KeptTable> make_room(std::string question) const = 0;
  virtual void give_table(KeptTable& room) noexcept = 0;
  // A new search beside this one, with the same options but no limits, and a table of its own with
  // at least so many bytes.
  virtual std::unique_ptr<AnyTableSearch> another(const State& position, const Claim& claim,
                                                  std::uint64_t table_bytes) const = 0;

 protected:
  [[gnu::cold]] AnyTableSearch(const Rules& rules, const Claim& claim, const SearchOptions& options,
                               bool symmetry);

  static PositionId<G> id(const State& state) { return position_id(G{}, state); }
  bool is_attackers(const State& state) const {
    return G::to_move(rules_, state) == claim_.attacker;
  }
  bool decided(const Bounds& bounds) const { return bounds.decides(claim_.threshold); }
  // Who has it his way with the claim, where bounds decide it.
  Player winner(const Bounds& bounds) const {
    return bounds.proves(claim_.threshold) ? claim_.attacker : opponent(claim_.attacker);
  }
  // What is said of a position: with zones no more than its zone proves.
  Bounds proved(const Bounds& bounds) const {
    return zones_on() ? proved_by_zone<G>(rules_, bounds, claim_) : bounds;
  }
  bool mover_wins(const AnyCallFrame<G>& frame, const Bounds& bounds) const {
    return bounds.proves(claim_.threshold) == frame.attackers;
  }
  std::uint64_t pattern_bytes() const {
    if constexpr (ConnectionGame<G>) return patterns_ ? patterns_->bytes() : 0;
    return 0;
  }
  // A position is decided with this zone: what that leaves of it is a pattern.
  void note_pattern(const AnyCallFrame<G>& frame, const Bounds& bounds, const Zone<G>& zone);
  // Can a search have counted so that has so many positions on its stack, and so many playouts for
  // each child? Entries and the table are for others to see.
  [[gnu::cold]] bool counts_stand(std::size_t depth, std::uint64_t playouts) const;

  Rules rules_;
  Claim claim_;
  Bounds unknown_;
  State position_{};
  Symmetry<G> symmetry_;
  GameProbe<G> probe_;
  // What is known of children that are created, and of positions that are entered.
  mutable Knowledge<G> created_;
  mutable Knowledge<G> entered_;
  TableCounters table_before_;  // this question
  ShallowChoices shallow_;
  std::optional<typename PatternsOf<G>::Type> patterns_;  // if there may be any
  Bounds bounds_ = unknown_;
  Move best_ = kNoMove;
  bool waiting_ = false;  // for the tallies of the top's children
  bool root_changed_ = false;
  StopReason stop_reason_ = StopReason::kRunning;
  std::uint64_t peak_stack_ = 0;  // bytes
  Counters counters_;

 private:
  // The moves begin at the position asked about, each in the position as the search looks at it.
  bool are_legal(const std::vector<Move>& moves, Move last) const;
  bool is_legal(const State& state, Move move) const;

  bool zones_on_;
};

template <AcyclicGame G>
AnyTableSearch<G>::AnyTableSearch(const Rules& rules, const Claim& claim,
                                  const SearchOptions& options, bool symmetry)
    : rules_(rules),
      claim_(claim),
      unknown_(unknown_bounds<G>(rules, claim.attacker)),
      probe_(rules, options),
      created_(rules, options.of_table(), Moment::kCreated),
      entered_(rules, options.of_table(), Moment::kEntered),
      patterns_(kept_patterns<G>(rules, options)),
      zones_on_(options.zones) {
  if (symmetry) symmetry_ = Symmetry<G>(rules);
}

template <AcyclicGame G>
AnyTableSearch<G>::~AnyTableSearch() = default;

template <AcyclicGame G>
void AnyTableSearch<G>::note_pattern(const AnyCallFrame<G>& frame, const Bounds& bounds,
                                     const Zone<G>& zone) {
  if constexpr (ConnectionGame<G>) {
    if (!patterns_) return;
    const State& state = frame.state;
    const Player winner = this->winner(bounds);
    patterns_->add(winner, G::to_move(rules_, state), Zoned<G>::stones(state, winner) & zone, zone);
  }
}

template <AcyclicGame G>
bool AnyTableSearch<G>::counts_stand(std::size_t depth, std::uint64_t playouts) const {
  const Counters& c = counters_;
  const bool kept_elsewhere = c.nodes_created == 0 && c.peak_bytes == 0 && c.of_tree();
  return kept_elsewhere && c.second_searches == 0 && c.second_decided == 0 &&
         c.nodes_expanded <= c.iterations && c.re_entries <= c.iterations - c.nodes_expanded &&
         depth <= c.max_depth && c.max_depth <= G::kMaxPlies + std::uint64_t{1} &&
         c.branch_switches <= c.iterations && c.root_switches <= c.iterations &&
         c.shallow_switches <= c.iterations && c.playouts == c.evaluations * playouts &&
         shallow_.all_of(
             [&](const std::vector<Move>& moves, Move last) { return are_legal(moves, last); });
}

template <AcyclicGame G>
bool AnyTableSearch<G>::are_legal(const std::vector<Move>& moves, Move last) const {
  State state = position_;
  for (const Move move : moves) {
    if (!is_legal(state, move)) return false;
    G::play(rules_, state, move);
    symmetry_.to_canonical(state);
  }
  return is_legal(state, last);
}

template <AcyclicGame G>
bool AnyTableSearch<G>::is_legal(const State& state, Move move) const {
  if (G::finished(rules_, state)) return false;
  Move moves[G::kMaxMoves];
  Move* const end = moves + G::moves(rules_, state, moves);
  return std::find(moves, end, move) != end;
}

}  // namespace playproof
