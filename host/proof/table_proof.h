// The proof that stands in a table. What was replaced is searched for once more, beside the table,
// which stays as it is: so a proof depends on the question and the table alone. No entry is
// believed for its word: a walk over the whole proof (host/proof/proof_writer.h) ends in finished
// positions, whose values are held against the claim.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "games/core/error.h"
#include "host/drive/driver.h"
#include "host/playouts/evaluator.h"
#include "host/proof/proof_writer.h"
#include "host/proof/race_play.h"
#include "host/proof/strategy.h"
#include "host/table/any_table_search.h"

namespace playproof {

template <AcyclicGame G>
class TableProof {
 public:
  using State = typename G::State;
  using Rules = typename G::Rules;
  // A position is known by itself; `move`: what the prover plays there, if that was said before.
  struct Handle {
    Move move = kNoMove;
  };

  // `evaluator` may be null: then what needs playouts cannot be searched for.
  TableProof(const Rules& rules, const ProofClaim& claim, const AnyTableSearch<G>& search,
             PlayoutEvaluator<G>* evaluator)
      : rules_(rules),
        claim_(claim),
        search_(search),
        evaluator_(evaluator),
        recheck_(HasEnding<G> && search.probe().on()),
        race_(rules, search.options()) {}

  // Positions near the end are left to the checker of the proof.
  bool recheck() const { return recheck_; }

  // A source of host/proof/proof_writer.h. Throws Error(kInternal) if the claim does not hold.
  void replies(Handle handle, const State& state, bool one,
               std::vector<std::pair<Move, Handle>>& out) {
    Move moves[G::kMaxMoves];
    int count = 1;
    if (one) {
      moves[0] = handle.move == kNoMove ? searched_move(state) : handle.move;
    } else {
      count = G::moves(rules_, state, moves);
    }
    for (int i = 0; i < count; ++i) {
      State child = state;
      G::play(rules_, child, moves[i]);
      if (G::finished(rules_, child) && !claim_.holds(search_.known(child))) refuse();
      if (left_to_checker<G>(rules_, child, recheck_) && !claim_.holds(probed(child))) refuse();
      out.emplace_back(moves[i], Handle{});
    }
  }

  // A win by threats, whether or not the search has asked for it. If all that the table says of a
  // position is that it is won, the probe has said so of that or of another image of the board.
  auto race(Handle /*handle*/, const State& state) requires HasRaces<G> {
    auto proof = race_.proof(state);
    if (proof || !race_.on() || !claim_.holds(search_.known(state))) return proof;
    bool follows = false;
    for_each_known(state, [&](Move /*move*/, int /*cells*/) { follows = true; });
    return follows ? proof : race_.proof_of_image(state);
  }
  // Somebody plays it in `state`.
  void follow(const State& state, Move move) {
    if constexpr (HasRaces<G>) race_.follow(state, move);
  }

  // A source of host/proof/card_walk.h.
  std::pair<Move, Handle> holding_move(Handle handle, const State& state) {
    const Move move = handle.move == kNoMove ? holding_move(state) : handle.move;
    if (move == kNoMove) refuse();
    return {move, {}};
  }
  void replies(Handle /*handle*/, const State& state, std::vector<std::pair<Move, Handle>>& out) {
    std::vector<std::pair<int, Move>> known;  // by the sizes of their zones
    for_each_known(state, [&](Move move, int cells) { known.emplace_back(cells, move); });
    std::sort(known.begin(), known.end());
    for (const auto& [cells, move] : known) out.emplace_back(move, Handle{});
  }
  Handle after(Handle /*handle*/, const State& /*state*/, Move /*move*/) { return {}; }

  // A reply of the opponent where the claim holds: the first, or with zones the first that the
  // table has, since others may be known by a zone alone.
  Move reply(const State& state) const {
    if constexpr (HasRaces<G>) {
      if (const Move reply = race_.reply(state); reply != kNoMove) return reply;
    }
    Move moves[G::kMaxMoves];
    G::moves(rules_, state, moves);
    Move first = kNoMove;
    if (search_.zones_on()) {
      for_each_known(state, [&](Move move, int /*cells*/) {
        if (first == kNoMove) first = move;
      });
    }
    return first == kNoMove ? moves[0] : first;
  }

  // A move of the prover that holds the claim, where one does: of those that table and rules tell
  // the lowest, or with zones one that needs the fewest cells; else what a search finds; kNoMove if
  // it would need playouts that nobody can play.
  Move holding_move(const State& state) {
    if constexpr (HasRaces<G>) {
      if (const Move move = race_.move(state); move != kNoMove) return move;
    }
    return searched_move(state);
  }

 private:
  Move searched_move(const State& state) {
    Move best = kNoMove;
    int least = 0;
    for_each_known(state, [&](Move move, int cells) {
      if (best != kNoMove && cells >= least) return;
      best = move;
      least = cells;
    });
    if (best != kNoMove) return best;
    if (evaluator_ == nullptr && search_.plays()) return kNoMove;
    search_beside(state);
    if (!claim_.holds(beside_->bounds())) refuse();
    return beside_->best_move();
  }
  // Calls f(move, cells) with the moves after which, as is known, the claim holds; cells of its
  // zone there, 0 without zones.
  template <class F>
  void for_each_known(const State& state, F&& f) const {
    Move moves[G::kMaxMoves];
    const int count = G::moves(rules_, state, moves);
    for (int i = 0; i < count; ++i) {
      State child = state;
      G::play(rules_, child, moves[i]);
      for (const AnyTableSearch<G>* search :
           {&search_, static_cast<const AnyTableSearch<G>*>(beside_.get())}) {
        if (search == nullptr || !claim_.holds(search->known(child))) continue;
        f(moves[i], zone_size(*search, child));
        break;
      }
    }
  }
  static int zone_size(const AnyTableSearch<G>& search, const State& state) {
    if constexpr (ZonedGame<G>) {
      if (search.zones_on()) return search.known_zone(state).size();
    }
    return 0;
  }
  Bounds probed(const State& state) const {
    auto probe = search_.probe();
    return ask(probe, state, claim_.claim).bounds;
  }
  [[noreturn]] static void refuse() {
    throw Error(ErrorCode::kInternal, "the table says what is not so");
  }
  void search_beside(const State& state) {
    if (beside_) {
      beside_->begin(state, claim_.claim);
    } else {
      beside_ = search_.another(state, claim_.claim, kLeastTable);
    }
    EngineSearch<G, AnyTableSearch<G>> search(*beside_, kCalls);
    run_to_end<G>(search, evaluator_);
  }

  static constexpr std::uint32_t kCalls = 256;
  // A proof rests on many positions; a search that made do with less searches for each again.
  static constexpr std::uint64_t kLeastTable = std::uint64_t{1} << 26;

  Rules rules_;
  ProofClaim claim_;
  const AnyTableSearch<G>& search_;
  PlayoutEvaluator<G>* evaluator_;
  bool recheck_;
  RacePlay<G> race_;
  std::unique_ptr<AnyTableSearch<G>> beside_;
};

// What the prover plays, as far as it can be told or searched for.
template <AcyclicGame G>
class TableGuide final : public Guide<G> {
 public:
  TableGuide(const typename G::Rules& rules, const ProofClaim& claim,
             const AnyTableSearch<G>& search, PlayoutEvaluator<G>* evaluator)
      : proof_(rules, claim, search, evaluator) {}
  Move move(const typename G::State& state) override { return proof_.holding_move(state); }
  void follow(const typename G::State& state, Move move) override { proof_.follow(state, move); }

 private:
  TableProof<G> proof_;
};

}  // namespace playproof
