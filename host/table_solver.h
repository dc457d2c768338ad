// Drives one depth-first search over one evaluator, and rebuilds its proof from the table.
#pragma once

#include <algorithm>
#include <memory>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "host/depth_first.h"
#include "host/evaluator.h"
#include "host/solver_base.h"
#include "host/two_stroke.h"

namespace playproof {

template <Game G>
class TableSolver final : public SolverBase<G>, public TwoStroke<G> {
  using Base = SolverBase<G>;
  using Base::claim_;
  using Base::position_;
  using Base::reason_;
  using Base::rules_;
  using Engine = DepthFirst<G>;
  using State = typename G::State;

 public:
  // `evaluator` is null for leaf numbers without playouts, and where another drives the strokes.
  TableSolver(const typename G::Rules& rules, const State& position, const Claim& claim,
              const SolveRequest& request, SolverNames names,
              std::unique_ptr<PlayoutEvaluator<G>> evaluator,
              const typename Engine::Options& options)
      : Base(rules, position, claim, request, std::move(names)),
        evaluator_(std::move(evaluator)),
        can_ask_(evaluator_ != nullptr || options.leaf.playouts() == 0) {
    if (this->finished()) {
      reason_ = StopReason::kDecided;
    } else {
      engine_.emplace(rules, position, claim, options);
    }
  }

  StopReason step(std::uint64_t iterations) override {
    if (reason_ != StopReason::kRunning) return reason_;
    const StopWatch watch(this->threads_, &this->seconds_, &this->cpu_seconds_);
    this->tell(0);
    std::uint64_t done = 0;
    while (reason_ == StopReason::kRunning && done < iterations) {
      done += stroke(std::min(iterations - done, kSlice));
      if (reason_ == StopReason::kRunning && this->out_of_time(watch)) {
        reason_ = StopReason::kSeconds;
      }
    }
    return reason_;
  }

  void propose(std::vector<LeafRequest<G>>& requests) override {
    this->tell(0);
    const std::size_t before = requests.size();
    while (reason_ == StopReason::kRunning && requests.size() == before) {
      engine_->propose(kSlice, requests);
      if (requests.size() == before) absorb({});
    }
  }
  StopReason absorb(std::span<const Tally> tallies) override {
    engine_->absorb(tallies);
    reason_ = engine_->stopped();
    if (reason_ == StopReason::kDecided) {
      final_ = Final{engine_->counters(), engine_->bounds(), {engine_->best_move()}};
      lengthen(final_->line);
    }
    if (this->listener_ && engine_->root_changed()) this->tell(engine_->counters().iterations);
    return reason_;
  }

  SolveResult result() const override {
    if (!engine_) return this->finished_result();
    SolveResult result;
    const Bounds bounds = final_ ? final_->bounds : engine_->bounds();
    result.verdict = bounds.proves(claim_.threshold)      ? Verdict::kProved
                     : bounds.disproves(claim_.threshold) ? Verdict::kDisproved
                                                          : Verdict::kUnknown;
    result.reason = reason_;
    result.lower = bounds.lower();
    result.upper = bounds.upper();
    result.counters = final_ ? final_->counters : engine_->counters();
    result.seconds = this->seconds_;
    result.cpu_seconds = this->cpu_seconds_;
    const std::vector<Move> line = final_ ? final_->line : std::vector{this->interim_move()};
    for (const Move move : line) result.principal_variation.push_back(this->move_text(move));
    if (result.verdict != Verdict::kDisproved) result.best_move = this->move_text(line.front());
    return result;
  }

  std::vector<Move> interim_moves() const override {
    if (!engine_) return {};
    if (final_ && final_->bounds.proves(claim_.threshold)) return {final_->line.front()};
    const std::vector<Move> ties = engine_->root_ties();
    return ties.empty() ? this->legal_moves() : ties;
  }

 private:
  static constexpr std::uint64_t kSlice = 256;
  struct Final {  // what the search itself found, without what the line and the proof cost
    Counters counters;
    Bounds bounds;
    std::vector<Move> line;
  };

  std::uint64_t interim_stream() const override {
    return final_ ? final_->counters.iterations : engine_->counters().iterations;
  }
  // Where the proof comes from (host/proof_writer.h): moves of the table; what is not there any
  // more is searched for once more.
  struct Proof {
    struct Handle {};
    TableSolver& solver;
    Claim claim;
    bool proved;

    void replies(Handle, const State& state, bool one,
                 std::vector<std::pair<Move, Handle>>& out) const {
      if (one) {
        out.emplace_back(solver.holding_move(state, claim, proved), Handle{});
        return;
      }
      Move moves[G::kMaxMoves];
      const int count = G::moves(solver.rules_, state, moves);
      for (int i = 0; i < count; ++i) out.emplace_back(moves[i], Handle{});
    }
  };
  void write_proof(ProofLines<G>& lines) override {
    Proof proof{*this, lines.claim().claim, lines.claim().proved};
    ProofWalk<G, Proof>(lines, proof).write(position_, {});
  }

  // Of a position where the side to move holds the claim (or its contrary).
  Move holding_move(const State& state, const Claim& claim, bool proved) {
    const Move known = known_move(state, claim, proved);
    if (known != kNoMove) return known;
    engine_->begin(state, claim);
    while (engine_->stopped() == StopReason::kRunning) {
      evaluate(kSlice);
      engine_->absorb(tallies_);
    }
    return engine_->best_move();
  }
  // The lowest such move that table and rules tell; kNoMove if they do not.
  Move known_move(const State& state, const Claim& claim, bool proved) {
    Move moves[G::kMaxMoves];
    const int count = G::moves(rules_, state, moves);
    for (int i = 0; i < count; ++i) {
      State child = state;
      G::play(rules_, child, moves[i]);
      const Bounds bounds = engine_->known(child);
      if (proved ? bounds.proves(claim.threshold) : bounds.disproves(claim.threshold)) {
        return moves[i];
      }
    }
    return kNoMove;
  }
  // Goes on with the line of a proof to its end; without an evaluator of its own, as far as the
  // table knows it.
  void lengthen(std::vector<Move>& line) {
    const bool proved = final_->bounds.proves(claim_.threshold);
    State state = position_;
    for (std::size_t i = 0; i < line.size(); ++i) {
      G::play(rules_, state, line[i]);
      if (G::finished(rules_, state)) return;
      Move moves[G::kMaxMoves];
      G::moves(rules_, state, moves);
      const bool one = (G::to_move(rules_, state) == claim_.attacker) == proved;
      Move next = moves[0];
      if (one) {
        next = can_ask_ ? holding_move(state, claim_, proved) : known_move(state, claim_, proved);
      }
      if (next != kNoMove) line.push_back(next);
    }
  }

  // One turn of the circle. At least 1, so that a stopped engine ends the loop.
  std::uint64_t stroke(std::uint64_t calls) {
    const std::uint64_t made = evaluate(calls);
    absorb(tallies_);
    return std::max<std::uint64_t>(made, 1);
  }
  std::uint64_t evaluate(std::uint64_t calls) {
    requests_.clear();
    const std::uint64_t made = engine_->propose(static_cast<std::uint32_t>(calls), requests_);
    tallies_.resize(requests_.size());
    if (!requests_.empty()) evaluator_->collect(evaluator_->submit(requests_), tallies_);
    return made;
  }

  std::unique_ptr<PlayoutEvaluator<G>> evaluator_;
  std::optional<Engine> engine_;
  std::optional<Final> final_;  // once decided
  bool can_ask_;                // the search needs no playouts, or the evaluator is here
  std::vector<LeafRequest<G>> requests_;
  std::vector<Tally> tallies_;
};

}  // namespace playproof
