// One tree search (BestFirst, Pn2 or Mcts) behind host/solve/solver.h; its proof stands in its
// tree. What it answers is in TreeAnswers, apart from the search: it is the same for all engines.
#pragma once

#include <algorithm>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "host/archive/archive.h"
#include "host/playouts/device_error.h"
#include "host/playouts/evaluator_keeper.h"
#include "host/proof/card_walk.h"
#include "host/proof/path_walk.h"
#include "host/proof/tree_proof.h"
#include "host/solve/stroke_solver.h"
#include "host/tree/any_engine.h"
#include "host/tree/check.h"
#include "host/tree/tree_engine.h"

namespace playproof {

template <Game G>
class TreeAnswers : public StrokeSolver<G> {  // NOLINT(*-virtual-class-destructor): it is virtual
 public:
  // These two are compiled once a game, not in each solver.
  [[gnu::noinline]] TreeAnswers(const typename G::Rules& rules, const typename G::State& position,
                                const Claim& claim, const SolveRequest& request, SolverNames names,
                                std::shared_ptr<PlayoutEvaluator<G>> evaluator)
      : StrokeSolver<G>(rules, position, claim, request, std::move(names), std::move(evaluator)) {}
  [[gnu::noinline]] ~TreeAnswers() override;
  TreeAnswers(const TreeAnswers&) = delete;
  TreeAnswers& operator=(const TreeAnswers&) = delete;

  SolveResult result() const override {
    if (any_engine() == nullptr) return this->settled_result();
    SolveResult result = this->result_of(any_engine()->bounds(), any_engine()->counters());
    for (const Move move : line()) result.principal_variation.push_back(this->move_text(move));
    if (result.verdict == Verdict::kProved) {
      if (result.principal_variation.empty()) {
        throw Error(ErrorCode::kInternal, "the search has no move that proves its verdict");
      }
      result.best_move = result.principal_variation.front();
    } else if (result.verdict == Verdict::kUnknown) {
      result.best_move = this->move_text(this->interim_move());
    }
    if (result.verdict != Verdict::kUnknown) {
      this->tell_zone(any_engine()->zones().zone(0), &result);
    }
    return result;
  }

  std::vector<Move> interim_moves() const override {
    if (any_engine() == nullptr) return this->settled_moves();
    const auto& tree = any_engine()->tree();
    const auto& root = tree.node(0);
    if (root.decided && root.bounds.proves(claim_.threshold)) return {lowest_proof(root)};
    std::vector<int> ties;
    any_engine()->root_ties(ties);
    if (ties.empty()) return this->legal_moves();
    std::vector<Move> moves;
    const auto children = tree.children(root);
    moves.reserve(ties.size());
    for (const int i : ties) moves.push_back(children.edge(i).move);
    std::sort(moves.begin(), moves.end());
    return moves;
  }

  std::vector<NodeRow> nodes(const NodeLook& look) const override {
    if (any_engine() == nullptr) return this->settled_nodes();
    const auto& tree = any_engine()->tree();
    struct Place {
      NodeIndex node;
      typename G::State state;
    };
    std::vector<Place> places = {{0, position_}};
    std::vector<NodeRow> rows = {this->row_of(position_, tree.node(0).bounds)};
    for (std::size_t i = 0; i < rows.size(); ++i) {
      const auto& node = tree.node(places[i].node);
      rows[i].numbers = any_engine()->numbers(places[i].node);
      rows[i].expanded = node.edges > 0;
      if (rows[i].depth == look.depth) continue;
      const auto children = tree.children(node);
      for (int c = 0; c < children.size() && rows.size() < look.most; ++c) {
        if (!children.created(c)) continue;
        Place place{children.edge(c).node, places[i].state};
        const Move move = children.edge(c).move;
        G::play(rules_, place.state, move);
        rows.push_back(this->row_below(i, rows[i], move, place.state, children[c].bounds));
        places.push_back(place);
      }
    }
    return rows;
  }

  void self_check() const override {
    if (any_engine() != nullptr) check(false);
  }

  Move first_move(int bound) override {
    if (any_engine() == nullptr) return kNoMove;
    return guide(claim_of(bound, true))->move(position_);
  }
  std::optional<Strategy> strategy(int threshold, bool proved) override {
    if (any_engine() == nullptr || !AcyclicGame<G>) return std::nullopt;
    Proof proof = proof_of(claim_of(threshold, proved));
    return strategy_of<G>(rules_, position_, proof, {});
  }

 protected:
  using StrokeSolver<G>::claim_;
  using StrokeSolver<G>::position_;
  using StrokeSolver<G>::reason_;
  using StrokeSolver<G>::rules_;

  // The engine; null: there was nothing to search for.
  virtual const AnyEngine<G>* any_engine() const = 0;

  // The tree has just been read from a file.
  void check_tree(ByteSource& in) {
    loaded_ = true;
    if (any_engine() == nullptr) return;
    try {
      check(true);
      if (reason_ == StopReason::kDecided) check_loaded();
    } catch (const Error& error) {
      if (error.code() != ErrorCode::kInternal && error.code() != ErrorCode::kData) throw;
      in.fail(error.what());
    }
  }
  bool is_to_check() const { return loaded_; }
  // A decided search rests on leaves of which a file says that a second level decided them: that is
  // searched for again, all of it, before anything is said. Throws Error(kData).
  void check_loaded() {
    loaded_ = false;
    if (!any_engine()->has_second_level()) return;
    try {
      self_check();
    } catch (const Error& error) {
      if (error.code() != ErrorCode::kInternal) throw;
      throw Error(ErrorCode::kData, std::string("the search that was resumed: ") + error.what());
    }
  }

 private:
  using Proof = TreeProof<G>;

  ProofClaim claim_of(int threshold, bool proved) const {
    return {{claim_.attacker, static_cast<Value>(threshold)}, proved};
  }
  // The search must be decided, so that its tree stays as it is.
  Proof proof_of(const ProofClaim& claim) const {
    if (!cited_) cited_ = Proof::cite(rules_, *any_engine(), position_);
    return {rules_, *any_engine(), claim, cited_};
  }
  SearchOptions probes() const override {
    if (any_engine() == nullptr) return {};
    return any_engine()->options();
  }
  std::uint64_t interim_stream() const override { return any_engine()->counters().iterations; }
  int certificate_version() const override {
    return ConnectionGame<G> || HasRaces<G> ? probes().certificate_version() : 1;
  }
  void write_proof(ProofLines<G>& lines) override {
    Proof proof = proof_of(lines.claim());
    if constexpr (ConnectionGame<G>) {
      if (any_engine()->zones().on()) {
        const CardLimits limits{.knowledge = any_engine()->options().of_cards()};
        CardWalk<G, Proof>(lines, proof, limits).write(position_, {});
        return;
      }
    }
    if constexpr (AcyclicGame<G>) {
      using Walk = ProofWalk<G, Proof>;
      Walk(lines, proof, Walk::kShared, proof.recheck()).write(position_, {});
    } else {
      PathWalk<G, Proof>(lines, proof).write(position_, {});
    }
  }
  std::unique_ptr<Guide<G>> guide(const ProofClaim& claim) override {
    if (any_engine() == nullptr) {
      throw Error(ErrorCode::kInternal, "there was no search, so there is no proof");
    }
    return std::make_unique<TreeGuide<G>>(proof_of(claim));
  }

  Move lowest_proof(const auto& root) const {
    const auto children = any_engine()->tree().children(root);
    Move best = kNoMove;
    for (int i = 0; i < children.size(); ++i) {
      if (children.created(i) && children[i].bounds.proves(claim_.threshold)) {
        best = std::min(best, children.edge(i).move);
      }
    }
    return best;
  }

  // A decided search has a line of the proof (or refutation) to a finished position.
  std::vector<Move> line() const {
    const auto& root = any_engine()->tree().node(0);
    if (!root.decided) return preferred_line();
    if (proved_line_.empty()) {
      const ProofClaim claim{claim_, root.bounds.proves(claim_.threshold)};
      proved_line_ = proof_of(claim).line(position_);
    }
    return proved_line_;
  }
  // An open search has the interim move and the line that the algorithm prefers after it, as far as
  // the tree goes.
  std::vector<Move> preferred_line() const {
    const auto& tree = any_engine()->tree();
    std::vector<Move> moves;
    auto state = position_;
    NodeIndex at = 0;
    while (tree.node(at).edges != 0 && (at == 0 || !tree.node(at).pending)) {
      const bool or_node = G::to_move(rules_, state) == claim_.attacker;
      const int child = at == 0 ? child_of(tree.node(at), this->interim_move())
                                : any_engine()->preferred_child(at, or_node);
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
    const auto children = any_engine()->tree().children(node);
    for (int i = 0; i < children.size(); ++i) {
      if (children.created(i) && children.edge(i).move == move) return i;
    }
    return -1;
  }

  void check(bool believe) const {
    TreeCheck<G>(rules_, claim_, *any_engine()).run(position_, believe);
  }

  bool loaded_ = false;
  // Filled once a proof was asked for, if any leaf cites any node.
  mutable std::shared_ptr<const CitedNodes<G>> cited_;
  mutable std::vector<Move> proved_line_;  // once decided and asked for: a probe may take its time
};

template <Game G>
TreeAnswers<G>::~TreeAnswers() = default;

template <Game G, class Engine>
requires TreeEngine<Engine, G>
class TreeSolver final : public TreeAnswers<G> {  // NOLINT: the same
  using Base = TreeAnswers<G>;
  using Base::reason_;
  static constexpr std::uint32_t kPart = 16;  // leaves taken at a time

 public:
  // `parts` are the engine's scheme and options.
  template <class... Parts>
  TreeSolver(const typename G::Rules& rules, const typename G::State& position, const Claim& claim,
             const SolveRequest& request, SolverNames names,
             std::shared_ptr<PlayoutEvaluator<G>> evaluator, const Parts&... parts)
      : Base(rules, position, claim, request, std::move(names), std::move(evaluator)),
        batch_(request.batch),
        pipeline_(request.pipeline) {
    if (this->settled()) {
      reason_ = StopReason::kDecided;
    } else {
      engine_.emplace(rules, position, claim, parts...);
      sight_.emplace(*engine_);
    }
  }

  TreeSolver(const TreeSolver&) = delete;
  TreeSolver& operator=(const TreeSolver&) = delete;

  // This and what else is not inlined has an entry from the second base class too, and would be
  // there once more.
  [[gnu::noinline]] ~TreeSolver() override;
  std::uint64_t propose(std::uint64_t /*most*/, std::vector<LeafRequest<G>>& requests) override {
    if (!engine_) return 0;
    if (pipeline_ > 1) return propose_batch(requests);
    return engine_->propose(batch_, requests, kPart);
  }
  bool may_go_on() const override {
    return pipeline_ == 1 && engine_ && engine_->may_go_on(batch_);
  }
  std::uint32_t batches() const override { return pipeline_; }
  StopReason reason() const override { return reason_; }
  StopReason absorb(std::span<const Tally> tallies) override {
    if (!engine_) return reason_;
    engine_->absorb(tallies);
    return learn();
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

  std::unique_ptr<DeviceSearches<G>> on_device(int ordinal,
                                               const FleetLayout& layout) const override {
    std::unique_ptr<DeviceSearches<G>> searches;
    if constexpr (requires { requires kSearchedOnDevice<G, typename Engine::Formulas>; }) {
      const bool one_leaf = batch_ == 1 && pipeline_ == 1;
      if (!engine_ || (Engine::Formulas::kPlayouts && !one_leaf)) return nullptr;
      const auto& options = engine_->options();
      if (options.zones || options.endings > 0 || options.races.on() || options.look > 0) {
        return nullptr;
      }
      TreeOptions set_up;
      set_up.random_order = options.random_order;
      if constexpr (requires { options.stop; }) {
        set_up.stop = options.stop;
        set_up.stay_on_path = options.stay_on_path;
        set_up.early_break = options.early_break;
      }
      throw_device_error(SearchesBy<G, typename Engine::Formulas>::open(
          ordinal, playout_rules<G>(this->rules_), engine_->scheme(), set_up, layout, &searches));
    }
    return searches;
  }

  bool resumable() const override { return !engine_ || engine_->resumable(); }
  [[gnu::noinline]] void save(ByteSink& out) override {
    Saver saver(out);
    this->serialize(saver, engine_);
  }
  [[gnu::noinline]] void load(ByteSource& in) override {
    Loader loader(in);
    this->serialize(loader, engine_);
    this->check_tree(in);
    if (engine_ && pipeline_ > 1) again_ = 0;
  }

  const Engine& engine() const { return *engine_; }

 private:
  // One batch, to its end. Of a search that was loaded: first those that were out, as they were,
  // and the one that a limit has cut goes on.
  [[gnu::noinline]] std::uint64_t propose_batch(std::vector<LeafRequest<G>>& requests) {
    if (again_) {
      if (*again_ < engine_->out()) {
        engine_->ask_again((*again_)++, requests);
        return 0;
      }
      engine_->ask_again(engine_->out(), requests);
      again_.reset();
    }
    const std::uint32_t taken = engine_->propose(batch_, requests);
    if (learn() == StopReason::kRunning) engine_->send();
    return taken;
  }
  // What the last stroke has brought: why the search has stopped, and what it would play.
  StopReason learn() {
    if (this->is_to_check() && engine_->stopped() == StopReason::kDecided) this->check_loaded();
    if (this->listener_ && engine_->root_changed()) this->tell(engine_->counters().iterations);
    return reason_ = engine_->stopped();
  }
  const AnyEngine<G>* any_engine() const override { return sight_ ? &*sight_ : nullptr; }

  std::uint32_t batch_;
  std::uint32_t pipeline_;
  std::optional<std::size_t>
      again_;  // loaded: of the batches out, the next to be asked about again
  std::optional<Engine> engine_;
  std::optional<SeenEngine<G, Engine>> sight_;  // of the engine, if there is one
};

template <Game G, class Engine>
requires TreeEngine<Engine, G> TreeSolver<G, Engine>::~TreeSolver() = default;

}  // namespace playproof
