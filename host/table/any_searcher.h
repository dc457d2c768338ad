// A searcher of a question (host/table/any_table_question.h) as far as it does not depend on the
// numbers: what it asks about positions, what it has counted, where it begins. Its stack stands in
// host/table/stack_zones.h, what it does in host/table/table_searcher.h. So all of this is compiled
// once a game and not once an engine of each game.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "games/core/connection.h"
#include "games/core/own_lines.h"
#include "games/core/symmetry.h"
#include "host/knowledge/knowledge.h"
#include "host/probe/game_probe.h"
#include "host/question/counters.h"
#include "host/question/question.h"
#include "host/question/search_options.h"
#include "host/table/any_table_question.h"
#include "host/table/call_stack.h"
#include "host/table/shallow_choices.h"
#include "host/zone/zone.h"
#include "kernels/numbers/bounds.h"

namespace playproof {

// Where a searcher begins, and when it is done.
template <AcyclicGame G>
struct SearchJob {
  typename G::State state;                      // as the table has it, but for the question's own
  std::uint64_t hash = 0;                       // of its position id
  bool symmetric = false;                       // its moves have twins
  std::uint32_t depth = 0;                      // plies below the question's position
  std::uint64_t entries = SearchLimits::kNone;  // that it may make
  bool entered = false;                         // before, as the table or another job knows
};

template <AcyclicGame G>
class alignas(kOwnLines) AnySearcher {
  static_assert(Knowledge<G>::kReplies == ReplyKind::kAll,
                "it takes a node for lost with its children");

 public:
  using State = typename G::State;
  using Rules = typename G::Rules;

  AnySearcher(const AnySearcher&) = delete;
  AnySearcher& operator=(const AnySearcher&) = delete;

  // Waits for tallies.
  bool waiting() const { return waiting_; }
  // Has it looked at the position where it begins since propose() was called last?
  bool root_changed() const { return root_changed_; }
  // What decides leaves before they are searched.
  const GameProbe<G>& probe() const { return probe_; }
  [[gnu::cold]] bool is_legal(const State& state, Move move) const;

 protected:
  [[gnu::cold]] AnySearcher(AnyTableQuestion<G>& question, const SearchOptions& options);
  [[gnu::noinline]] ~AnySearcher();

  static PositionId<G> id(const State& state) { return AnyTableQuestion<G>::id(state); }
  bool zones_on() const { return ZonedGame<G> && zones_on_; }
  bool is_attackers(const State& state) const {
    return G::to_move(rules_, state) == claim_.attacker;
  }
  bool decided(const Bounds& bounds) const { return bounds.decides(claim_.threshold); }
  Player winner(const Bounds& bounds) const { return question_.winner(bounds); }
  // What is said of a position: with zones no more than its zone proves.
  Bounds proved(const Bounds& bounds) const {
    return zones_on() ? proved_by_zone<G>(rules_, bounds, claim_) : bounds;
  }
  bool mover_wins(const AnyCallFrame<G>& frame, const Bounds& bounds) const {
    return bounds.proves(claim_.threshold) == frame.attackers;
  }
  // A position is decided with this zone: what that leaves of it is a pattern.
  void note_pattern(const AnyCallFrame<G>& frame, const Bounds& bounds, const Zone<G>& zone);
  // Can a search have counted so that has so many positions on its stack, and so many playouts for
  // each child? Entries and the table are for others to see.
  [[gnu::cold]] bool counts_stand(std::size_t depth, std::uint64_t playouts) const;

  AnyTableQuestion<G>& question_;
  // These are of the question too, at hand.
  Rules rules_;
  Claim claim_;
  Bounds unknown_;
  const Symmetry<G>& symmetry_;
  SearchJob<G> job_{};  // the whole question, if it is not of a tree of jobs
  bool of_tree_ = false;
  GameProbe<G> probe_;
  // What is known of children that are created, and of positions that are entered.
  mutable Knowledge<G> created_;
  mutable Knowledge<G> entered_;
  ShallowChoices shallow_;
  bool zones_on_;
  bool waiting_ = false;  // for the tallies of the top's children
  bool root_changed_ = false;
  std::uint64_t peak_stack_ = 0;  // bytes
  Counters counters_;

 private:
  // The moves begin at the position asked about, each in the position as the search looks at it.
  bool are_legal(const std::vector<Move>& moves, Move last) const;
};

template <AcyclicGame G>
AnySearcher<G>::AnySearcher(AnyTableQuestion<G>& question, const SearchOptions& options)
    : question_(question),
      rules_(question.rules),
      claim_(question.claim),
      unknown_(question.unknown),
      symmetry_(question.symmetry),
      probe_(rules_, options),
      created_(rules_, options.of_table(), Moment::kCreated),
      entered_(rules_, options.of_table(), Moment::kEntered),
      zones_on_(question.zones_on()) {}

template <AcyclicGame G>
AnySearcher<G>::~AnySearcher() = default;

template <AcyclicGame G>
void AnySearcher<G>::note_pattern(const AnyCallFrame<G>& frame, const Bounds& bounds,
                                  const Zone<G>& zone) {
  if constexpr (ConnectionGame<G>) {
    if (!question_.patterns) return;
    const State& state = frame.state;
    const Player winner = this->winner(bounds);
    question_.add_pattern(winner, G::to_move(rules_, state), Zoned<G>::stones(state, winner) & zone,
                          zone);
  }
}

template <AcyclicGame G>
bool AnySearcher<G>::counts_stand(std::size_t depth, std::uint64_t playouts) const {
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
bool AnySearcher<G>::are_legal(const std::vector<Move>& moves, Move last) const {
  State state = question_.position;
  for (const Move move : moves) {
    if (!is_legal(state, move)) return false;
    G::play(rules_, state, move);
    symmetry_.to_canonical(state);
  }
  return is_legal(state, last);
}

template <AcyclicGame G>
bool AnySearcher<G>::is_legal(const State& state, Move move) const {
  if (G::finished(rules_, state)) return false;
  Move moves[G::kMaxMoves];
  Move* const end = moves + G::moves(rules_, state, moves);
  return std::find(moves, end, move) != end;
}

}  // namespace playproof
