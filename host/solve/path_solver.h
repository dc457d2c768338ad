// A search of a game whose positions can come again (host/table/path_search.h,
// host/path/exhaustive.h) behind host/solve/solver.h.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "games/core/error.h"
#include "host/archive/archive.h"
#include "host/path/line.h"
#include "host/path/repetition.h"
#include "host/proof/path_proof.h"
#include "host/proof/path_walk.h"
#include "host/solve/algorithm.h"
#include "host/solve/solver_base.h"
#include "host/tree/node_numbers.h"

namespace playproof {

template <Game G, class Engine>
class PathSolver final : public SolverBase<G> {
  using Base = SolverBase<G>;
  using Base::claim_;
  using Base::position_;
  using Base::reason_;
  using Base::rules_;

 public:
  PathSolver(const typename G::Rules& rules, const typename G::State& position, const Claim& claim,
             const SolveRequest& request, SolverNames names, const Engine& engine)
      : Base(rules, position, claim, request, std::move(names)), engine_(engine) {
    if (!engine.is_safe() && request.certificate) {
      throw Error(ErrorCode::kUsage,
                  "--certificate: history=none is not safe, what it finds may have no proof");
    }
    if (this->settled()) {
      reason_ = StopReason::kDecided;
    } else {
      engine_.begin(position);
    }
  }

  StopReason step(std::uint64_t iterations) override {
    if (reason_ != StopReason::kRunning) return reason_;
    const StopWatch watch(this->threads_, &this->seconds_, &this->cpu_seconds_);
    this->tell(0);
    constexpr std::uint64_t kSlice = 1024;
    for (std::uint64_t done = 0; reason_ == StopReason::kRunning && done < iterations;
         done += kSlice) {
      const StopReason reason = engine_.run(std::min(kSlice, iterations - done));
      if (reason == StopReason::kDecided) finish();
      reason_ = reason;
      if (reason_ == StopReason::kDecided) {
        this->tell(final_.iterations);
      } else if (reason_ == StopReason::kRunning && this->out_of_time(watch)) {
        reason_ = StopReason::kSeconds;
      }
    }
    return reason_;
  }

  SolveResult result() const override {
    if (this->settled()) return this->settled_result();
    SolveResult result = this->result_of(bounds(), counters());
    for (const Move move : line_) result.principal_variation.push_back(this->move_text(move));
    if (result.verdict == Verdict::kProved) result.best_move = this->move_text(move_);
    if (result.verdict == Verdict::kUnknown) {
      result.best_move = this->move_text(this->interim_move());
    }
    return result;
  }
  std::vector<Move> interim_moves() const override {
    if (this->settled()) return this->settled_moves();
    if (decided() && engine_.proved()) return {move_};
    return this->legal_moves();
  }
  std::vector<NodeRow> nodes(const NodeLook& look) const override {
    if (this->settled()) return this->settled_nodes();
    std::vector<NodeRow> rows = {this->row_of(position_, bounds())};
    if constexpr (requires { engine_.for_each_root_child([](auto&&...) {}); }) {
      engine_.for_each_root_child(
          [&](Move move, const auto& state, Answer answer, const auto& numbers) {
            if (look.depth < 1 || rows.size() >= look.most) return;
            const Bounds known =
                answer == Answer::kOpen ? this->unknown() : bounds_of(answer == Answer::kProved);
            rows[0].expanded = true;
            rows.push_back(this->row_below(0, rows[0], move, state, known));
            if constexpr (requires { node_numbers(numbers, true); }) {
              rows.back().numbers = node_numbers(numbers, true);
            } else {
              rows.back().numbers = node_numbers(numbers);
            }
          });
    }
    return rows;
  }

  bool resumable() const override { return kResumable; }
  void save(ByteSink& out) override {
    if constexpr (kResumable) {
      Saver saver(out);
      serialize(saver);
    } else {
      refuse();
    }
  }
  void load(ByteSource& in) override {
    if constexpr (kResumable) {
      Loader loader(in);
      serialize(loader);
      loaded_ = true;
      if (this->settled()) return;
      const bool ended = engine_.stopped() == StopReason::kDecided;
      loader.check(ended == decided(), "the search ended for another reason than it says");
      try {
        if (ended) finish();
      } catch (const Error& error) {
        if (error.code() != ErrorCode::kData) throw;
        in.fail(error.what());
      }
    } else {
      refuse();
    }
  }
  // Walks the whole proof, where there is nothing that could be wrong with the table.
  void self_check() const override {
    if (!this->settled() && decided() && engine_.is_safe()) walk_proof();
  }
  Move first_move(int /*bound*/) override {
    return decided() && engine_.proved() ? move_ : kNoMove;
  }
  std::optional<Strategy> strategy(int /*threshold*/, bool /*proved*/) override {
    return std::nullopt;  // asks again
  }

 private:
  static constexpr bool kResumable = requires(Engine & engine, Saver& saver) {
    engine.serialize(saver);
  };
  [[noreturn]] static void refuse() {
    throw Error(ErrorCode::kUsage, "minimax has no checkpoints: it keeps nothing of its way");
  }
  template <class Archive>
  void serialize(Archive& archive) {
    this->serialize_base(archive);
    if (!this->settled()) archive(engine_);
  }
  bool decided() const { return reason_ == StopReason::kDecided; }
  ProofClaim proof_claim() const { return {claim_, engine_.proved()}; }
  Bounds bounds_of(bool proved) const {
    const Bounds any = this->unknown();
    return proved ? Bounds::unknown(claim_.threshold, any.upper())
                  : Bounds::unknown(any.lower(), static_cast<Value>(claim_.threshold - 1));
  }
  Bounds bounds() const { return decided() ? bounds_of(engine_.proved()) : this->unknown(); }
  Counters counters() const { return decided() ? final_ : engine_.counters(); }
  std::uint64_t interim_stream() const override { return counters().iterations; }
  void write_proof(ProofLines<G>& lines) override {
    PathProof<G, Engine> proof(rules_, lines.claim(), engine_);
    PathWalk<G, PathProof<G, Engine>>(lines, proof).write(position_, {});
  }
  std::unique_ptr<Guide<G>> guide(const ProofClaim& claim) override {
    return std::make_unique<PathGuide<G, Engine>>(rules_, claim, engine_);
  }

  void walk_proof() const {
    struct Nowhere final : ByteSink {
      void write(std::string_view) override {}
    } nowhere;
    ProofLines<G> lines(rules_, proof_claim(), "", nowhere);
    PathProof<G, Engine> proof(rules_, proof_claim(), engine_);
    PathWalk<G, PathProof<G, Engine>>(lines, proof).write(position_, {});
  }
  // What a file said of positions is nowhere else held against the rules than where the whole proof
  // is walked. Throws Error(kData).
  void finish() {
    final_ = engine_.counters();
    line_.clear();
    try {
      if (loaded_ && engine_.is_safe()) walk_proof();
      find_line();
    } catch (const Error& error) {
      if (!loaded_ || error.code() != ErrorCode::kInternal) throw;
      throw Error(ErrorCode::kData, std::string("the search that was resumed: ") + error.what());
    }
  }
  // A line of the proof: the other side plays its first move. To the end, or to a repetition.
  void find_line() {
    if (!engine_.is_safe()) {
      move_ = engine_.best_move();
      if (move_ != kNoMove) line_ = {move_};
      return;
    }
    PathGuide<G, Engine> guide(rules_, proof_claim(), engine_);
    auto state = position_;
    for (LineEnd<G> end(rules_); !end.at(state);) {
      const bool provers = G::to_move(rules_, state) == proof_claim().prover();
      const Move move = provers ? guide.move(state) : this->lowest_move(state);
      if (line_.empty()) move_ = move;
      line_.push_back(move);
      guide.follow(state, move);
      G::play(rules_, state, move);
    }
  }

  Engine engine_;
  bool loaded_ = false;
  Move move_ = kNoMove;
  Counters final_;
  std::vector<Move> line_;
};

template <Game G>
HistoryRule history_rule(const SolverParts<G>& parts) {
  if (parts.is("history", "twins")) return HistoryRule::kTwins;
  return parts.is("history", "basetwin") ? HistoryRule::kBaseTwin : HistoryRule::kNone;
}

template <Game G, class Engine>
std::unique_ptr<SolverBase<G>> make_path_solver(SolverParts<G>& parts, const Engine& engine) {
  return std::make_unique<PathSolver<G, Engine>>(parts.rules, parts.position, parts.claim,
                                                 parts.request, parts.names, engine);
}

}  // namespace playproof
