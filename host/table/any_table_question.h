// What a question to a depth-first search with a table knows, as all sees it that does not depend
// on the numbers: what was asked, what is proven of it, what it may take, and the knowledge that
// all who search for it share, patterns and the table. Apart from it stands who searches
// (host/table/any_searcher.h): one searcher (host/table/table_search.h), or several that take turns
// or have a thread each (host/jobs/shared_search.h). Whoever looks something up has a copy, which
// no store changes.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <optional>

#include "games/core/connection.h"
#include "games/core/own_lines.h"
#include "games/core/symmetry.h"
#include "host/knowledge/kept_patterns.h"
#include "host/question/counters.h"
#include "host/question/events.h"
#include "host/question/node_row.h"
#include "host/question/question.h"
#include "host/question/search_options.h"
#include "host/table/position_table.h"
#include "host/zone/patterns.h"
#include "host/zone/zone.h"
#include "kernels/numbers/bounds.h"

namespace playproof {

template <AcyclicGame G>
class AnyTableQuestion {
 public:
  using State = typename G::State;
  using Rules = typename G::Rules;

  [[gnu::noinline]] virtual ~AnyTableQuestion();  // once a game, not for each kind of numbers
  AnyTableQuestion(const AnyTableQuestion&) = delete;
  AnyTableQuestion& operator=(const AnyTableQuestion&) = delete;

  static PositionId<G> id(const State& state) { return position_id(G{}, state); }
  // Does it keep zones (host/zone/zone.h)? In connection games, if they are asked for.
  bool zones_on() const { return ZonedGame<G> && zones_on_; }
  bool decided(const Bounds& any) const { return any.decides(claim.threshold); }
  bool is_attackers(const State& state) const { return G::to_move(rules, state) == claim.attacker; }
  // Who has it his way with the claim, where bounds decide it.
  Player winner(const Bounds& known) const {
    return known.proves(claim.threshold) ? claim.attacker : opponent(claim.attacker);
  }
  std::uint64_t pattern_bytes() const {
    if constexpr (ConnectionGame<G>) return patterns ? patterns->bytes() : 0;
    return 0;
  }
  // Keeps a pattern (host/zone/patterns.h), if any are kept. Of threads one adds at a time: who
  // finds another adding does not wait for him, since one pattern more or less decides little.
  void add_pattern(Player winner, Player mover, const Zone<G>& needed, const Zone<G>& zone) {
    if constexpr (ConnectionGame<G>) {
      if (!patterns || (shared && adding_.test_and_set(std::memory_order_acquire))) return;
      patterns->add(winner, mover, needed, zone);
      if (shared) adding_.clear(std::memory_order_release);
    }
  }

  // What rules and table know of a position.
  virtual Bounds known(const State& state) const = 0;
  // The zone of a position that is known to be decided, as its board lies; empty if it is not kept.
  virtual Zone<G> known_zone(const State& state) const = 0;
  // The table: how many places it has, and in which a position stands, if it does.
  virtual std::uint64_t places() const = 0;
  virtual std::optional<std::uint64_t> place_of(const State& state) const = 0;
  virtual const TableCounters& table_counters() const = 0;
  virtual bool table_may_have_lost() const = 0;

  // What was asked. Only the claim and the position change from one question to the next.
  Rules rules;
  Claim claim;
  Bounds unknown;
  State position{};
  Symmetry<G> symmetry;

  // What is proven of the position so far; once decided, a move of it that holds that, else its
  // first one; why nobody searches any more.
  Bounds bounds = unknown;
  Move best = kNoMove;
  StopReason stop_reason = StopReason::kRunning;

  // What all searchers together may take, and how many nodes they have entered.
  std::uint64_t max_nodes = SearchLimits::kNone;
  std::uint64_t max_bytes = SearchLimits::kNone;
  std::uint64_t entries = 0;
  std::uint64_t bytes_elsewhere = 0;  // of other searchers than the one that asks for room

  std::optional<typename PatternsOf<G>::Type> patterns;  // if there may be any
  TableCounters table_before;                            // this question
  bool shared = false;      // by threads: table and patterns have check words
  std::size_t threads = 1;  // so many
  SearchListener* listener = nullptr;

 protected:
  [[gnu::cold]] AnyTableQuestion(const Rules& of_game, const Claim& first,
                                 const SearchOptions& options, bool symmetric);

 private:
  bool zones_on_;
  alignas(kOwnLines) std::atomic_flag adding_;  // a pattern
};

template <AcyclicGame G>
AnyTableQuestion<G>::AnyTableQuestion(const Rules& of_game, const Claim& first,
                                      const SearchOptions& options, bool symmetric)
    : rules(of_game),
      claim(first),
      unknown(unknown_bounds<G>(of_game, first.attacker)),
      max_bytes(options.max_bytes),
      patterns(kept_patterns<G>(of_game, options)),
      zones_on_(options.zones) {
  if (symmetric) symmetry = Symmetry<G>(of_game);
}

template <AcyclicGame G>
AnyTableQuestion<G>::~AnyTableQuestion() = default;

}  // namespace playproof
