// One tree search (BestFirst, Pn2 or Mcts) behind host/solve/solver.h; its proof stands in its
// tree.
#pragma once

#include <algorithm>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "host/archive/archive.h"
#include "host/proof/card_walk.h"
#include "host/proof/tree_proof.h"
#include "host/solve/stroke_solver.h"
#include "host/tree/check.h"
#include "host/tree/tree_engine.h"

namespace playproof {

template <Game G, class Engine>
requires TreeEngine<Engine, G>
class TreeSolver final : public StrokeSolver<G> {
  using Base = StrokeSolver<G>;
  using Base::claim_;
  using Base::position_;
  using Base::reason_;
  using Base::rules_;
  static constexpr std::uint32_t kPart = 16;  // leaves taken at a time

 public:
  // `parts` are the engine's scheme and options.
  template <class... Parts>
  TreeSolver(const typename G::Rules& rules, const typename G::State& position, const Claim& claim,
             const SolveRequest& request, SolverNames names,
             std::unique_ptr<PlayoutEvaluator<G>> evaluator, const Parts&... parts)
      : Base(rules, position, claim, request, std::move(names), std::move(evaluator)),
        batch_(request.batch) {
    if (this->settled()) {
      reason_ = StopReason::kDecided;
    } else {
      engine_.emplace(rules, position, claim, parts...);
    }
  }

  std::uint64_t propose(std::uint64_t /*most*/, std::vector<LeafRequest<G>>& requests) override {
    if (!engine_) return 0;
    return engine_->propose(batch_, requests, kPart);
  }
  bool more() const override { return engine_ && engine_->more(batch_); }
  StopReason absorb(std::span<const Tally> tallies) override {
    if (!engine_) return reason_;
    engine_->absorb(tallies);
    if (loaded_ && engine_->stopped() == StopReason::kDecided) check_loaded();
    if (this->listener_ && engine_->root_changed()) this->tell(engine_->counters().iterations);
    return reason_ = engine_->stopped();
  }

  void prefetch(int step) const override {
    if constexpr (requires { engine_->prefetch(step); }) {
      if (step == 0) {
        prefetch_lines(this, sizeof(*this));
      } else if (engine_) {
        engine_->prefetch(step);
      }
    }
  }

  SolveResult result() const override {
    if (!engine_) return this->settled_result();
    SolveResult result = this->result_of(engine_->bounds(), engine_->counters());
    for (const Move move : line()) result.principal_variation.push_back(this->move_text(move));
    if (result.verdict == Verdict::kProved) {
      if (result.principal_variation.empty()) {
        throw Error(ErrorCode::kInternal, "the search has no move that proves its verdict");
      }
      result.best_move = result.principal_variation.front();
    } else if (result.verdict == Verdict::kUnknown) {
      result.best_move = this->move_text(this->interim_move());
    }
    return result;
  }

  std::vector<Move> interim_moves() const override {
    if (!engine_) return this->settled_moves();
    const auto& tree = engine_->tree();
    const auto& root = tree.node(0);
    if (root.decided && root.bounds.proves(claim_.threshold)) return {lowest_proof(root)};
    std::vector<int> ties;
    engine_->root_ties(ties);
    if (ties.empty()) return this->legal_moves();
    std::vector<Move> moves;
    const auto children = tree.children(root);
    moves.reserve(ties.size());
    for (const int i : ties) moves.push_back(children.edge(i).move);
    std::sort(moves.begin(), moves.end());
    return moves;
  }

  bool resumable() const override { return !engine_ || engine_->whole(); }
  void save(ByteSink& out) override {
    Saver saver(out);
    this->serialize(saver, engine_);
  }
  void load(ByteSource& in) override {
    Loader loader(in);
    this->serialize(loader, engine_);
    loaded_ = true;
    try {
      if (engine_) TreeCheck<G, Engine>(rules_, claim_, *engine_).run(position_, true);
      if (engine_ && reason_ == StopReason::kDecided) check_loaded();
    } catch (const Error& error) {
      if (error.code() != ErrorCode::kInternal && error.code() != ErrorCode::kData) throw;
      in.fail(error.what());
    }
  }
  void self_check() const override {
    if (engine_) TreeCheck<G, Engine>(rules_, claim_, *engine_).run(position_);
  }

  Move first_move(int bound) override {
    if (!engine_) return kNoMove;
    return guide(claim_of(bound, true))->move(position_);
  }
  std::optional<Strategy> strategy(int threshold, bool proved) override {
    if (!engine_) return std::nullopt;
    Proof proof = proof_of(claim_of(threshold, proved));
    return strategy_of<G>(rules_, position_, proof, {});
  }

  const Engine& engine() const { return *engine_; }

 private:
  using Proof = TreeProof<G, Engine>;

  ProofClaim claim_of(int threshold, bool proved) const {
    return {{claim_.attacker, static_cast<Value>(threshold)}, proved};
  }
  // A decided search rests on leaves of which a file says that a second level decided them: that is
  // searched for again, all of it, before anything is said. Throws Error(kData).
  void check_loaded() {
    loaded_ = false;
    if constexpr (requires { engine_->second_level(); }) {
      try {
        self_check();
      } catch (const Error& error) {
        if (error.code() != ErrorCode::kInternal) throw;
        throw Error(ErrorCode::kData, std::string("the search that was resumed: ") + error.what());
      }
    }
  }
  Proof proof_of(const ProofClaim& claim) const { return {rules_, *engine_, claim}; }
  EndingProbe<G> probe() const override {
    return engine_ ? engine_->probe() : EndingProbe<G>(rules_, 0);
  }
  std::uint64_t interim_stream() const override { return engine_->counters().iterations; }
  bool by_cards() const override { return engine_ && engine_->zones().on(); }
  void write_proof(ProofLines<G>& lines) override {
    Proof proof = proof_of(lines.claim());
    if constexpr (ConnectionGame<G>) {
      if (engine_->zones().on()) {
        CardWalk<G, Proof>(lines, proof).write(position_, {});
        return;
      }
    }
    using Walk = ProofWalk<G, Proof>;
    Walk(lines, proof, Walk::kShared, proof.recheck()).write(position_, {});
  }
  std::unique_ptr<Guide<G>> guide(const ProofClaim& claim) override {
    if (!engine_) throw Error(ErrorCode::kInternal, "there was no search, so there is no proof");
    return std::make_unique<TreeGuide<G, Engine>>(proof_of(claim));
  }

  Move lowest_proof(const auto& root) const {
    const auto children = engine_->tree().children(root);
    Move best = kNoMove;
    for (int i = 0; i < children.size(); ++i) {
      if (children.created(i) && children[i].bounds.proves(claim_.threshold)) {
        best = std::min(best, children.edge(i).move);
      }
    }
    return best;
  }

  // Decided: a line of the proof (or refutation) to a finished position.
  std::vector<Move> line() const {
    const auto& root = engine_->tree().node(0);
    if (!root.decided) return preferred_line();
    if (proved_line_.empty()) {
      const ProofClaim claim{claim_, root.bounds.proves(claim_.threshold)};
      proved_line_ = proof_of(claim).line(position_);
    }
    return proved_line_;
  }
  // Undecided: the interim move and the line that the algorithm prefers after it, as far as the
  // tree goes.
  std::vector<Move> preferred_line() const {
    const auto& tree = engine_->tree();
    std::vector<Move> moves;
    auto state = position_;
    NodeIndex at = 0;
    while (tree.node(at).edges != 0) {
      const bool or_node = G::to_move(rules_, state) == claim_.attacker;
      const int child = at == 0 ? child_of(tree.node(at), this->interim_move())
                                : engine_->preferred_child(at, or_node);
      if (child < 0) break;
      const auto children = tree.children(tree.node(at));
      moves.push_back(children.edge(child).move);
      G::play(rules_, state, moves.back());
      at = children.edge(child).node;
    }
    return moves;
  }

  // The created child that a move leads to, -1 if there is none.
  int child_of(const auto& node, Move move) const {
    const auto children = engine_->tree().children(node);
    for (int i = 0; i < children.size(); ++i) {
      if (children.created(i) && children.edge(i).move == move) return i;
    }
    return -1;
  }

  std::uint32_t batch_;
  bool loaded_ = false;
  std::optional<Engine> engine_;
  mutable std::vector<Move> proved_line_;  // once decided and asked for: a probe may take its time
};

}  // namespace playproof
