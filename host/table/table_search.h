// A depth-first search with a table by one searcher: the question, and who searches for it. `S` is
// a searcher, which has the numbers: host/table/depth_first.h, host/table/depth_first_scheme.h.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "games/core/connection.h"
#include "host/archive/archive.h"
#include "host/question/counters.h"
#include "host/question/events.h"
#include "host/question/question.h"
#include "host/table/any_table_search.h"
#include "host/table/kept_table.h"
#include "host/table/position_table.h"

namespace playproof {

// All counters of a search: those of its searchers, summed, and what the question's table counted.
template <class Question>
Counters with_table(Counters c, const Question& question, std::uint64_t bytes_beside) {
  c.nodes_created = c.iterations;
  c.peak_bytes = question.table.bytes() + bytes_beside + question.pattern_bytes();
  const TableCounters table = question.table.counters() - question.table_before;
  c.table_lookups = table.lookups;
  c.table_hits = table.hits;
  c.table_useful_hits = table.useful;
  c.table_stored = table.stored;
  c.table_replaced = table.replaced;
  c.table_discarded = table.discarded;
  return c;
}

template <class S>
class TableSearch final : public AnyTableSearch<typename S::GameType> {
  using G = typename S::GameType;
  using Base = AnyTableSearch<G>;

 public:
  using typename Base::Rules;
  using typename Base::State;
  using Searcher = S;
  using Options = typename S::Options;
  using Stack = typename S::Stack;
  using Question = typename S::Question;
  using Table = typename Question::Table;

  [[gnu::cold]] TableSearch(const Rules& rules, const State& position, const Claim& claim,
                            const Options& options)
      : TableSearch(rules, position, claim, options, Table(options.table)) {}
  // Goes on with the table of another search, of the same rules, attacker and options.
  [[gnu::cold]] TableSearch(const Rules& rules, const State& position, const Claim& claim,
                            const Options& options, Table&& table)
      : Base(std::make_unique<Question>(rules, claim, options, options.symmetry, std::move(table))),
        question_(static_cast<Question&>(this->own_question())),
        searcher_(question_, options) {
    begin(position, claim, options.max_nodes);
  }

  void begin(const State& position, const Claim& claim,
             std::uint64_t max_nodes = SearchLimits::kNone) override {
    question_.begin(position, claim, max_nodes);
    searcher_.begin();
  }
  std::uint32_t propose(std::uint32_t calls, std::vector<LeafRequest<G>>& requests) override {
    return searcher_.propose(calls, requests);
  }
  void absorb(std::span<const Tally> tallies) override { searcher_.absorb(tallies); }
  // See TableQuestion.
  void listen(SearchListener* listener) { question_.listen(listener); }

  bool waiting() const override { return searcher_.waiting(); }
  bool root_changed() const override { return searcher_.root_changed(); }
  const GameProbe<G>& probe() const override { return searcher_.probe(); }
  const Options& options() const override { return searcher_.options(); }
  Counters counters() const override {
    return with_table(searcher_.counters(), question_, searcher_.peak_stack());
  }
  // Without those of the table.
  const Counters& own_counters() const { return searcher_.counters(); }
  bool plays() const override { return searcher_.plays(); }
  std::vector<Move> root_ties() const override { return searcher_.root_ties(); }
  auto root_numbers() const { return searcher_.root_numbers(); }
  Zone<G> zone() const override { return searcher_.zone(); }
  const Table& table() const { return question_.table; }
  const Stack& stack() const { return searcher_.stack(); }

  std::size_t root_children() const override { return stack().empty() ? 0 : stack().root().count; }
  const AnyCallChild<G>& root_child(std::size_t i) const override {
    return stack().children_of(stack().root())[i];
  }
  void for_each_held(const std::function<void(const AnyCallChild<G>&)>& f) const override {
    stack().for_each_child(f);
  }
  std::optional<NodeNumbers> shown_root() const override { return searcher_.shown_root(); }
  NodeNumbers shown_child(std::size_t i) const override { return searcher_.shown_child(i); }
  NodeNumbers shown_place(std::uint64_t place, bool attackers) const override {
    return S::shown(table().entry(place), attackers);
  }

  [[gnu::cold]] void serialize(Saver& saver) override { searcher_.serialize_all(saver); }
  [[gnu::cold]] void serialize(Loader& loader) override { searcher_.serialize_all(loader); }
  [[gnu::cold]] std::unique_ptr<KeptTable> make_room(std::string question) const override {
    return std::make_unique<KeptPositions<Table>>(std::move(question));
  }
  [[gnu::cold]] void give_table(KeptTable& room) noexcept override {
    static_cast<KeptPositions<Table>&>(room).table.emplace(std::move(question_.table));
  }
  [[gnu::cold]] std::unique_ptr<Base> another(const State& position, const Claim& claim,
                                              std::uint64_t table_bytes) const override {
    return make_unbounded(question_, options(), position, claim, table_bytes);
  }
  // The same for a question of several searchers.
  [[gnu::cold]] static std::unique_ptr<Base> make_unbounded(const Question& question,
                                                            Options options, const State& position,
                                                            const Claim& claim,
                                                            std::uint64_t table_bytes) {
    options.max_nodes = SearchLimits::kNone;
    options.max_bytes = SearchLimits::kNone;
    options.table.bytes = std::max(options.table.bytes, table_bytes);
    return std::make_unique<TableSearch>(question.rules, position, claim, options);
  }

 private:
  Question& question_;
  S searcher_;
};

}  // namespace playproof
