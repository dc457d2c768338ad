// The proof that stands in a table. What was replaced is searched for once more, beside the table,
// which stays as it is: so a proof depends on the question and the table alone. No entry is
// believed for its word: a walk over the whole proof (host/proof/proof_writer.h) ends in finished
// positions, whose values are held against the claim.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "games/core/error.h"
#include "host/drive/driver.h"
#include "host/playouts/evaluator.h"
#include "host/proof/proof_writer.h"
#include "host/proof/strategy.h"

namespace playproof {

// `Engine`: a search with a table (host/table/table_search.h).
template <Game G, class Engine>
class TableProof {
 public:
  using State = typename G::State;
  using Rules = typename G::Rules;
  // A position is known by itself; `move`: what the prover plays there, if that was said before.
  struct Handle {
    Move move = kNoMove;
  };

  // `evaluator` may be null: then what needs playouts cannot be searched for.
  TableProof(const Rules& rules, const ProofClaim& claim, const Engine& search,
             PlayoutEvaluator<G>* evaluator)
      : rules_(rules),
        claim_(claim),
        search_(search),
        evaluator_(evaluator),
        recheck_(search.probe().on()) {}

  // Positions near the end are left to the checker of the proof.
  bool recheck() const { return recheck_; }

  // A source of host/proof/proof_writer.h. Throws Error(kInternal) if the claim does not hold.
  void replies(Handle handle, const State& state, bool one,
               std::vector<std::pair<Move, Handle>>& out) {
    Move moves[G::kMaxMoves];
    int count = 1;
    if (one) {
      moves[0] = handle.move == kNoMove ? holding_move(state) : handle.move;
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

  // A move of the prover that holds the claim, where one does: the lowest that table and rules
  // tell, else what a search finds; kNoMove if it would need playouts that nobody can play.
  Move holding_move(const State& state) {
    Move moves[G::kMaxMoves];
    const int count = G::moves(rules_, state, moves);
    for (int i = 0; i < count; ++i) {
      State child = state;
      G::play(rules_, child, moves[i]);
      if (claim_.holds(search_.known(child)) || (beside_ && claim_.holds(beside_->known(child)))) {
        return moves[i];
      }
    }
    if (evaluator_ == nullptr && search_.plays()) return kNoMove;
    search_beside(state);
    if (!claim_.holds(beside_->bounds())) refuse();
    return beside_->best_move();
  }

 private:
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
      auto options = search_.options();
      options.max_nodes = SearchLimits::kNone;
      options.max_bytes = SearchLimits::kNone;
      options.table.bytes = std::max(options.table.bytes, kLeastTable);
      beside_.emplace(rules_, state, claim_.claim, options);
    }
    EngineSearch<G, Engine> search(*beside_, kCalls);
    run_to_end<G>(search, evaluator_);
  }

  static constexpr std::uint32_t kCalls = 256;
  // A proof rests on many positions; a search that made do with less searches for each again.
  static constexpr std::uint64_t kLeastTable = std::uint64_t{1} << 26;

  Rules rules_;
  ProofClaim claim_;
  const Engine& search_;
  PlayoutEvaluator<G>* evaluator_;
  bool recheck_;
  std::optional<Engine> beside_;
};

// What the prover plays, as far as it can be told or searched for.
template <Game G, class Engine>
class TableGuide final : public Guide<G> {
 public:
  TableGuide(const typename G::Rules& rules, const ProofClaim& claim, const Engine& search,
             PlayoutEvaluator<G>* evaluator)
      : proof_(rules, claim, search, evaluator) {}
  Move move(const typename G::State& state) override { return proof_.holding_move(state); }

 private:
  TableProof<G, Engine> proof_;
};

}  // namespace playproof
