// A depth-first search with a table: a question and who searches for it, as all sees it that is
// done once a search: proofs, checks, answers. The type of its numbers is gone, and how many
// searchers there are (host/table/table_search.h, host/jobs/shared_search.h).
#pragma once

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
#include "games/core/symmetry.h"
#include "host/archive/archive.h"
#include "host/probe/game_probe.h"
#include "host/question/counters.h"
#include "host/question/events.h"
#include "host/question/node_row.h"
#include "host/question/question.h"
#include "host/question/search_options.h"
#include "host/table/any_table_question.h"
#include "host/table/call_stack.h"
#include "host/table/kept_table.h"
#include "host/zone/zone.h"
#include "kernels/numbers/bounds.h"

namespace playproof {

template <Game G>
class Workers;  // host/drive/workers.h

template <AcyclicGame G>
class AnyTableSearch {
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
  // appended, all children of one node of a searcher) or when the root was looked at (so that
  // whoever listens misses nothing). Returns the entries made; 0 when stopped() tells why.
  virtual std::uint32_t propose(std::uint32_t calls, std::vector<LeafRequest<G>>& requests) = 0;
  // Numbers the children whose requests the last propose() appended, in their order.
  virtual void absorb(std::span<const Tally> tallies) = 0;

  // Its threads, which search instead of propose() and absorb(); null: it has none.
  virtual Workers<G>* threads() { return nullptr; }

  // What is known, apart from who searches.
  const AnyTableQuestion<G>& question() const { return *question_; }
  StopReason stopped() const { return question_->stop_reason; }
  // These are the bounds of the position that the question is about, as far as they are proven.
  Bounds bounds() const { return question_->bounds; }
  // Once it is decided, this is a move of the root that holds what is proven, else its first one.
  Move best_move() const { return question_->best; }
  const Claim& claim() const { return question_->claim; }
  const Symmetry<G>& symmetry() const { return question_->symmetry; }
  bool zones_on() const { return question_->zones_on(); }
  Bounds known(const State& state) const { return question_->known(state); }
  Zone<G> known_zone(const State& state) const { return question_->known_zone(state); }
  std::uint64_t places() const { return question_->places(); }
  std::optional<std::uint64_t> place_of(const State& state) const {
    return question_->place_of(state);
  }
  const TableCounters& table_counters() const { return question_->table_counters(); }

  // Waits for tallies.
  virtual bool waiting() const = 0;
  virtual bool root_changed() const = 0;
  // What decides leaves before they are searched.
  virtual const GameProbe<G>& probe() const = 0;
  virtual const SearchOptions& options() const = 0;
  virtual Counters counters() const = 0;
  // Do its first numbers need playouts?
  virtual bool plays() const = 0;
  // The moves of the root that the search prefers now, all that tie; none before the first call.
  virtual std::vector<Move> root_ties() const = 0;
  // The zone of the position that the question is about, once it is decided.
  virtual Zone<G> zone() const = 0;

  // The children of the root; none before it was looked at.
  virtual std::size_t root_children() const = 0;
  virtual const AnyCallChild<G>& root_child(std::size_t i) const = 0;
  // Calls f(child) with all children of positions that are held apart from the table, on stacks.
  virtual void for_each_held(const std::function<void(const AnyCallChild<G>&)>& f) const = 0;

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
  // A new search beside this one, of one searcher, with the same options but no limits, and a table
  // of its own with at least so many bytes.
  virtual std::unique_ptr<AnyTableSearch> another(const State& position, const Claim& claim,
                                                  std::uint64_t table_bytes) const = 0;

 protected:
  explicit AnyTableSearch(std::unique_ptr<AnyTableQuestion<G>> question)
      : question_(std::move(question)) {}
  AnyTableQuestion<G>& own_question() { return *question_; }

 private:
  std::unique_ptr<AnyTableQuestion<G>> question_;
};

template <AcyclicGame G>
AnyTableSearch<G>::~AnyTableSearch() = default;

}  // namespace playproof
