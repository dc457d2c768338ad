// A question (host/table/any_table_question.h) with its table: what is known of positions, with
// numbers of the payload's kind.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>

#include "games/core/connection.h"
#include "games/core/game.h"
#include "games/core/own_lines.h"
#include "host/question/events.h"
#include "host/question/question.h"
#include "host/question/search_options.h"
#include "host/table/any_table_question.h"
#include "host/table/position_table.h"
#include "host/zone/zone.h"
#include "kernels/numbers/bounds.h"

namespace playproof {

template <AcyclicGame G, TablePayload Payload>
class TableQuestion final : public AnyTableQuestion<G> {
  using Base = AnyTableQuestion<G>;

 public:
  using typename Base::Rules;
  using typename Base::State;
  using Table = PositionTable<PositionId<G>, Payload, Zone<G>>;
  using Entry = typename Table::Entry;
  using Known = typename Table::Known;

  [[gnu::cold]] TableQuestion(const Rules& of_game, const Claim& first,
                              const SearchOptions& options, bool symmetric, Table&& kept)
      : Base(of_game, first, options, symmetric), table(std::move(kept)) {}

  // Asks another question; what the table holds stays.
  void begin(const State& asked, const Claim& about, std::uint64_t most_nodes) {
    this->claim = about;
    this->position = asked;
    this->max_nodes = most_nodes;
    this->entries = 0;
    this->bytes_elsewhere = 0;
    this->table_before = table.counters();
    this->bounds = this->unknown;
    this->best = kNoMove;
    this->stop_reason = StopReason::kRunning;
  }
  // Who is told of nodes that are entered for the first time, decided, and lost by the table; null:
  // nobody.
  void listen(SearchListener* who) {
    this->listener = who;
    table.listen(who);
  }
  // May one more node be entered, with so many bytes beside table and patterns? The table grows
  // here if it wants to; else the reason why not is noted.
  bool room_for_call(std::uint64_t bytes_beside) {
    if (this->stop_reason != StopReason::kRunning) return false;
    const bool grows = table.wants_to_grow();
    const std::uint64_t bytes = grows ? 2 * table.bytes() : table.bytes();
    if (this->entries >= this->max_nodes) {
      this->stop_reason = StopReason::kNodes;
    } else if (bytes + bytes_beside + this->bytes_elsewhere + this->pattern_bytes() >
               this->max_bytes) {
      this->stop_reason = StopReason::kMemory;
    } else if (grows) {
      table.grow(this->threads);
    } else if (this->shared && table.wants_to_collect()) {
      table.collect_garbage();
    }
    return this->stop_reason == StopReason::kRunning;
  }
  // Where games may be drawn two claims about a position have a zone each, and an entry has one: it
  // says what the claim that was decided last says.
  void store(std::uint64_t hash, const Entry& entry, const Zone<G>& zone, TableCounters& counters) {
    if constexpr (ZonedGame<G>) {
      if (Zoned<G>::kDraws && !zone.empty()) return table.replace(hash, entry, zone, counters);
    }
    table.store(hash, entry, zone, counters);
  }
  // So many threads share it from now on.
  void share(std::size_t sharers) {
    this->shared = true;
    this->threads = sharers;
    table.share(true);
    if constexpr (ConnectionGame<G>) {
      if (this->patterns) this->patterns->share();
    }
  }

  Bounds known(const State& state) const override {
    if (G::finished(this->rules, state)) {
      return Bounds::exact(value_for(this->claim.attacker, G::value(this->rules, state)));
    }
    const auto known = found(state);
    return known ? known->bounds() : this->unknown;
  }
  Zone<G> known_zone(const State& state) const override {
    if constexpr (ZonedGame<G>) {
      if (G::finished(this->rules, state)) {
        return Zoned<G>::of_finished(this->rules, state, this->winner(known(state)));
      }
      State image = state;
      this->symmetry.to_canonical(image);
      const auto known = found(image);
      if (known) return this->symmetry.turned(image, state, known->beside);
    }
    return {};
  }
  std::uint64_t places() const override { return table.size(); }
  std::optional<std::uint64_t> place_of(const State& state) const override {
    State image = state;
    this->symmetry.to_canonical(image);
    const PositionId<G> wanted = this->id(image);
    return table.place_of(wanted.hash(), wanted);
  }
  const TableCounters& table_counters() const override { return table.counters(); }
  bool table_may_have_lost() const override { return table.may_have_lost(); }

  alignas(kOwnLines) Table table;

 private:
  // As the table has it: turned to its canonical image.
  std::optional<Known> found(State state) const {
    this->symmetry.to_canonical(state);
    const PositionId<G> wanted = this->id(state);
    return table.find(wanted.hash(), wanted);
  }
};

}  // namespace playproof
