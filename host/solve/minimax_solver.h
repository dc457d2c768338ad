// `minimax` as a solver of one claim.
#pragma once

#include <algorithm>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "host/solve/minimax.h"
#include "host/solve/solver_base.h"

namespace playproof {

// The proof behind an answer of the oracle (host/proof/proof_writer.h), rebuilt by asking again:
// what it asks stands in the table or, for trees, is searched once more for each level above.
template <Game G>
struct OracleProof {
  struct Handle {};
  Minimax<G>& search;
  ProofClaim claim;

  void replies(Handle, const typename G::State& state, bool one,
               std::vector<std::pair<Move, Handle>>& out) const {
    Move moves[G::kMaxMoves];
    const int count = G::moves(search.rules(), state, moves);
    for (int i = 0; i < count; ++i) {
      auto child = state;
      G::play(search.rules(), child, moves[i]);
      if (one && search.ask(child) != claim.proved) continue;
      out.emplace_back(moves[i], Handle{});
      if (one) return;
    }
  }
};

// What the prover plays: the lowest move that holds. It asks again: the search that knows the claim
// or, about another one, a search of its own.
template <Game G>
class OracleGuide final : public Guide<G> {
 public:
  OracleGuide(Minimax<G>& search, const ProofClaim& claim) : search_(search), claim_(claim) {}
  OracleGuide(const typename G::Rules& rules, const ProofClaim& claim, std::uint64_t max_bytes)
      : own_(std::in_place, rules, claim.claim, max_bytes), search_(*own_), claim_(claim) {}
  Move move(const typename G::State& state) override {
    OracleProof<G> proof{search_, claim_};
    std::vector<std::pair<Move, typename OracleProof<G>::Handle>> replies;
    proof.replies({}, state, true, replies);
    return replies.empty() ? kNoMove : replies.front().first;
  }

 private:
  std::optional<Minimax<G>> own_;
  Minimax<G>& search_;
  ProofClaim claim_;
};

template <Game G>
class MinimaxSolver final : public SolverBase<G> {
  using Base = SolverBase<G>;
  using Base::claim_;
  using Base::position_;
  using Base::reason_;
  using Base::rules_;

 public:
  MinimaxSolver(const typename G::Rules& rules, const typename G::State& position,
                const Claim& claim, const SolveRequest& request, SolverNames names,
                std::uint64_t max_bytes)
      : Base(rules, position, claim, request, std::move(names)),
        max_calls_(request.limits.max_nodes),
        max_bytes_(max_bytes),
        search_(rules, claim, max_bytes) {
    if (this->settled()) {
      reason_ = StopReason::kDecided;
    } else {
      search_.begin(position);
    }
  }

  StopReason step(std::uint64_t iterations) override {
    if (reason_ != StopReason::kRunning) return reason_;
    const StopWatch watch(this->threads_, &this->seconds_, &this->cpu_seconds_);
    this->tell(0);
    constexpr std::uint64_t kSlice = 256;
    for (std::uint64_t done = 0; reason_ == StopReason::kRunning && done < iterations;
         done += kSlice) {
      const std::uint64_t calls_left = max_calls_ - std::min(max_calls_, search_.calls());
      const std::uint64_t slice = std::min({kSlice, iterations - done, calls_left});
      if (search_.run(slice)) {
        reason_ = StopReason::kDecided;
        final_ = search_counters();
        finish();
        this->tell(final_.iterations);
      } else if (search_.calls() >= max_calls_) {
        reason_ = StopReason::kNodes;
      } else if (search_.full()) {
        reason_ = StopReason::kMemory;
      } else if (this->out_of_time(watch)) {
        reason_ = StopReason::kSeconds;
      }
    }
    return reason_;
  }

  SolveResult result() const override {
    if (this->settled()) return this->settled_result();
    SolveResult result;
    this->tell_estimate(&result);
    result.reason = reason_;
    result.lower =
        value_for(claim_.attacker,
                  claim_.attacker == Player::kFirst ? G::min_value(rules_) : G::max_value(rules_));
    result.upper =
        value_for(claim_.attacker,
                  claim_.attacker == Player::kFirst ? G::max_value(rules_) : G::min_value(rules_));
    if (reason_ == StopReason::kDecided) {
      result.verdict = reached_ ? Verdict::kProved : Verdict::kDisproved;
      if (reached_) {
        result.lower = claim_.threshold;
      } else {
        result.upper = claim_.threshold - 1;
      }
    }
    for (const Move move : line_) result.principal_variation.push_back(this->move_text(move));
    if (result.verdict == Verdict::kProved) result.best_move = result.principal_variation.front();
    if (result.verdict == Verdict::kUnknown)
      result.best_move = this->move_text(this->interim_move());
    result.counters = counters();
    result.seconds = this->seconds_;
    result.cpu_seconds = this->cpu_seconds_;
    return result;
  }

  // Nothing is known of the root moves before the answer is.
  std::vector<Move> interim_moves() const override {
    if (this->settled()) return this->settled_moves();
    if (reason_ == StopReason::kDecided && reached_ && !line_.empty()) return {line_.front()};
    return this->legal_moves();
  }

  std::vector<NodeRow> nodes(const NodeLook& /*look*/) const override {
    throw Error(ErrorCode::kUsage,
                "minimax: exhaustive search has no nodes to look at; any other algorithm has");
  }

  // What was searched is not kept where positions cannot come again, so that a saved state could
  // not be held against the rules.
  bool resumable() const override { return false; }
  void save(ByteSink& /*out*/) override { refuse(); }
  void load(ByteSource& /*in*/) override { refuse(); }
  void self_check() const override { search_.self_check(); }
  Move first_move(int /*bound*/) override { return reached_ ? line_.front() : kNoMove; }
  std::optional<Strategy> strategy(int /*threshold*/, bool /*proved*/) override {
    return std::nullopt;  // asks again
  }

 private:
  [[noreturn]] static void refuse() {
    throw Error(ErrorCode::kUsage,
                "minimax: there are no checkpoints of exhaustive search; any other algorithm has");
  }
  std::uint64_t interim_stream() const override { return counters().iterations; }
  void write_proof(ProofLines<G>& lines) override {
    OracleProof<G> proof{search_, lines.claim()};
    ProofWalk<G, OracleProof<G>>(lines, proof).write(position_, {});
  }
  std::unique_ptr<Guide<G>> guide(const ProofClaim& claim) override {
    if (claim.claim.threshold == claim_.threshold) {
      return std::make_unique<OracleGuide<G>>(search_, claim);
    }
    return std::make_unique<OracleGuide<G>>(rules_, claim, max_bytes_);
  }
  Counters counters() const { return reason_ == StopReason::kDecided ? final_ : search_counters(); }
  Counters search_counters() const {
    Counters counters;
    counters.iterations = counters.nodes_created = search_.calls();
    counters.nodes_expanded = search_.expanded();
    counters.max_depth = search_.max_depth();
    counters.peak_bytes = search_.bytes();
    return counters;
  }

  // A line of the proof or refutation: asks again for the children along it.
  void finish() {
    reached_ = search_.answer();
    auto state = position_;
    while (!G::finished(rules_, state)) {
      Move moves[G::kMaxMoves];
      const int count = G::moves(rules_, state, moves);
      const bool one_is_enough = (G::to_move(rules_, state) == claim_.attacker) == reached_;
      for (int i = 0; i < count; ++i) {
        auto child = state;
        G::play(rules_, child, moves[i]);
        if (one_is_enough && i + 1 < count && search_.ask(child) != reached_) continue;
        line_.push_back(moves[i]);
        state = child;
        break;
      }
    }
  }

  std::uint64_t max_calls_;
  std::uint64_t max_bytes_;
  Minimax<G> search_;
  bool reached_ = false;
  Counters final_;  // of the search itself, without what the line costs
  std::vector<Move> line_;
};

}  // namespace playproof
