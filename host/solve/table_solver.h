// One depth-first search behind host/solve/solver.h; its proof comes out of its table. It is the
// same for all engines (host/table/any_table_search.h): a virtual call once a stroke.
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "host/archive/archive.h"
#include "host/drive/workers.h"
#include "host/proof/card_walk.h"
#include "host/proof/table_proof.h"
#include "host/solve/stroke_solver.h"
#include "host/table/any_table_search.h"
#include "host/table/check.h"
#include "host/table/kept_table.h"

namespace playproof {

template <AcyclicGame G>
class TableSolver final : public StrokeSolver<G> {  // NOLINT(*-virtual-class-destructor): it is
  using Base = StrokeSolver<G>;
  using Base::claim_;
  using Base::position_;
  using Base::reason_;
  using Base::rules_;

 public:
  using Engine = AnyTableSearch<G>;
  // Makes the engine, which goes on with a table that was kept, or of null has a new one.
  using Maker = std::function<std::unique_ptr<Engine>(std::unique_ptr<KeptTable>)>;

  // `max_bytes`: what the search may have.
  TableSolver(const typename G::Rules& rules, const typename G::State& position, const Claim& claim,
              const SolveRequest& request, SolverNames names, PlayoutEvaluators<G> evaluators,
              std::uint64_t max_bytes, const Maker& make)
      : Base(rules, position, claim, request, std::move(names),
             evaluators.empty() ? nullptr : evaluators.front()) {
    if (this->settled()) {
      reason_ = StopReason::kDecided;
      return;
    }
    keeper_ = request.keeper;
    engine_ = make(keeper_ == nullptr ? nullptr : take_kept(max_bytes));
    if (keeper_ != nullptr) room_ = engine_->make_room(question());
    if (Workers<G>* threads = engine_->threads()) {
      evaluators.resize(threads->workers());
      this->use_threads(*threads, std::move(evaluators));
    }
  }
  // Gives the engine's table back to its keeper.
  ~TableSolver() override {
    if (!room_) return;
    engine_->give_table(*room_);
    *keeper_ = std::move(room_);
  }
  TableSolver(const TableSolver&) = delete;
  TableSolver& operator=(const TableSolver&) = delete;

  bool ask(int threshold, const SearchLimits& limits) override {
    if (!engine_) return false;
    this->ask_anew(threshold, limits);
    line_.clear();
    engine_->begin(position_, claim_, limits.max_nodes);
    return true;
  }
  std::uint64_t propose(std::uint64_t most, std::vector<LeafRequest<G>>& requests) override {
    if (!engine_) return 0;
    return engine_->propose(static_cast<std::uint32_t>(std::min(most, kMostCalls)), requests);
  }
  StopReason absorb(std::span<const Tally> tallies) override {
    if (!engine_) return reason_;
    engine_->absorb(tallies);
    if (engine_->stopped() == StopReason::kDecided) finish();
    reason_ = engine_->stopped();
    if (this->listener_ && engine_->root_changed()) this->tell(engine_->counters().iterations);
    return reason_;
  }

  SolveResult result() const override {
    if (!engine_) return this->settled_result();
    // No line: undecided, or loaded with a proof that did not stand.
    const Bounds bounds =
        line_.empty() ? unknown_bounds<G>(rules_, claim_.attacker) : engine_->bounds();
    SolveResult result = this->result_of(bounds, engine_->counters());
    result.crew = this->crew_times();
    std::vector<Move> line = line_;
    if (result.verdict == Verdict::kUnknown) {
      line = {this->interim_move()};
      result.best_move = this->move_text(line.front());
      if (engine_->root_children() == 0) line.clear();  // nothing was looked at
    }
    for (const Move move : line) result.principal_variation.push_back(this->move_text(move));
    if (result.verdict == Verdict::kProved) result.best_move = result.principal_variation.front();
    // What a file says of zones is held against nothing but the moves of the proof.
    if (result.verdict != Verdict::kUnknown && !loaded_) this->tell_zone(engine_->zone(), &result);
    return result;
  }

  std::vector<Move> interim_moves() const override {
    if (!engine_) return this->settled_moves();
    if (!line_.empty() && engine_->bounds().proves(claim_.threshold)) return {line_.front()};
    const std::vector<Move> ties = engine_->root_ties();
    return ties.empty() ? this->legal_moves() : ties;
  }

  [[gnu::cold]] std::vector<NodeRow> nodes(const NodeLook& look) const override {
    if (!engine_) return this->settled_nodes();
    std::vector<NodeRow> rows = {this->row_of(position_, engine_->bounds())};
    std::vector<typename G::State> states = {position_};
    if (engine_->root_children() == 0) {  // it was resumed: what the table knows
      look_below(0, look, rows, states);
    } else {
      look_at_root(look, rows, states);
    }
    for (std::size_t i = 1; i < rows.size(); ++i) look_below(i, look, rows, states);
    return rows;
  }

  bool resumable() const override { return !engine_ || !engine_->waiting() || this->within_leaf(); }
  void save(ByteSink& out) override {
    Saver saver(out);
    this->serialize(saver, engine_);
  }
  void load(ByteSource& in) override {
    if (keeper_ != nullptr)
      throw Error(ErrorCode::kUsage, "a search that is resumed has a table of its own");
    Loader loader(in);
    this->serialize(loader, engine_);
    loaded_ = true;
    try {
      check(Check::Ask::kNothing);
      if (engine_ && reason_ == StopReason::kDecided) finish();
    } catch (const Error& error) {
      if (error.code() != ErrorCode::kInternal && error.code() != ErrorCode::kData) throw;
      in.fail(error.what());
    }
  }
  void self_check() const override {
    // What another version was told need not be found again: finish() walks the proof.
    check(loaded_ ? Check::Ask::kNothing : Check::Ask::kProbes);
  }
  // Speaks of the claim under way: the table may have lost this proof when there is another one.
  Move first_move(int bound) override { return engine_ ? known_move(bound) : kNoMove; }
  std::optional<Strategy> strategy(int /*threshold*/, bool /*proved*/) override {
    return std::nullopt;  // the table stays, and what it lost is searched for once more
  }

  const Engine& engine() const { return *engine_; }

 private:
  using Check = TableCheck<G>;
  static constexpr std::uint64_t kMostCalls = 256;

  void check(typename Check::Ask ask) const {
    if (engine_) Check(rules_, claim_, *engine_, ask).run(position_);
  }

  // The question of which a kept table knows.
  std::string question() const {
    return this->game() + '\n' + this->algorithm() + '\n' + std::to_string(this->seed_) +
           (claim_.attacker == Player::kFirst ? "\nfirst" : "\nsecond");
  }
  // The keeper's table if it is of this question and leaves room for a search; else null. The
  // keeper is empty then.
  std::unique_ptr<KeptTable> take_kept(std::uint64_t max_bytes) {
    std::unique_ptr<KeptTable> kept = std::move(*keeper_);
    if (kept && (kept->of != question() || !kept->fits(max_bytes))) kept.reset();
    return kept;
  }

  std::uint64_t interim_stream() const override { return engine_->counters().iterations; }
  // The root, whose children the search has at hand.
  void look_at_root(const NodeLook& look, std::vector<NodeRow>& rows,
                    std::vector<typename G::State>& states) const {
    rows[0].expanded = true;
    if (auto numbers = engine_->shown_root()) rows[0].numbers = std::move(*numbers);
    for (std::size_t i = 0; i < engine_->root_children(); ++i) {
      if (look.depth < 1 || rows.size() >= look.most) break;
      const AnyCallChild<G>& child = engine_->root_child(i);
      states.push_back(position_);  // the state of a child may be turned
      G::play(rules_, states.back(), child.move);
      rows.push_back(this->row_below(0, rows[0], child.move, states.back(), child.bounds));
      rows.back().numbers = engine_->shown_child(i);
    }
  }
  // What the table knows of the children of a node.
  void look_below(std::size_t i, const NodeLook& look, std::vector<NodeRow>& rows,
                  std::vector<typename G::State>& states) const {
    const typename G::State state = states[i];
    if (G::finished(rules_, state)) return;
    Move moves[G::kMaxMoves];
    const int count = G::moves(rules_, state, moves);
    for (int m = 0; m < count; ++m) {
      auto child = state;
      G::play(rules_, child, moves[m]);
      const std::optional<std::uint64_t> place = engine_->place_of(child);
      if (!place && !G::finished(rules_, child)) continue;
      rows[i].expanded = true;
      if (rows[i].depth >= look.depth || rows.size() >= look.most) return;
      rows.push_back(this->row_below(i, rows[i], moves[m], child, engine_->known(child)));
      states.push_back(child);
      if (place) rows.back().numbers = engine_->shown_place(*place, rows.back().attackers);
    }
  }

  // The search has decided: on what is its verdict based, and which line shows it?
  void finish() {
    const ProofClaim claim{claim_, engine_->bounds().proves(claim_.threshold)};
    if (loaded_) walk_proof(claim);
    TableProof<G> proof(rules_, claim, *engine_, this->evaluator());
    line_ = {engine_->best_move()};
    lengthen(claim, proof);
  }
  // Walks the whole proof of a decided claim: what a file said of positions that are gone is
  // nowhere else held against the rules. Throws Error(kData).
  void walk_proof(const ProofClaim& claim) {
    struct Nowhere final : ByteSink {
      void write(std::string_view) override {}
    } nowhere;
    ProofLines<G> lines(rules_, claim, "", nowhere);
    try {
      write_proof(lines);
    } catch (const Error& error) {
      if (error.code() != ErrorCode::kInternal) throw;
      throw Error(ErrorCode::kData, std::string("the search that was resumed: ") + error.what());
    }
  }
  int certificate_version() const override {
    const bool may_say_more = ConnectionGame<G> || HasRaces<G>;
    return may_say_more && engine_ ? engine_->options().certificate_version() : 1;
  }
  void write_proof(ProofLines<G>& lines) override {
    TableProof<G> proof(rules_, lines.claim(), *engine_, this->evaluator());
    const ProofClaim& claim = lines.claim();
    const Move first = claim.proved ? known_move(claim.claim.threshold) : kNoMove;
    if constexpr (ConnectionGame<G>) {
      if (engine_->zones_on()) {
        const CardLimits limits{.knowledge = engine_->options().of_cards()};
        CardWalk<G, TableProof<G>>(lines, proof, limits).write(position_, {first});
        return;
      }
    }
    using Walk = ProofWalk<G, TableProof<G>>;
    Walk(lines, proof, Walk::kShared, proof.recheck()).write(position_, {first});
  }
  // The move by which the search proved value >= `bound`; the root is the attacker's, and its best
  // move holds the lower bound. kNoMove if it has not.
  Move known_move(int bound) const {
    return engine_->bounds().proves(static_cast<Value>(bound)) ? engine_->best_move() : kNoMove;
  }
  std::unique_ptr<Guide<G>> guide(const ProofClaim& claim) override {
    return std::make_unique<TableGuide<G>>(rules_, claim, *engine_, this->evaluator());
  }
  // Goes on with the line of the proof to its end or, where nobody plays the playouts, as far as
  // the table knows it.
  void lengthen(const ProofClaim& claim, TableProof<G>& proof) {
    auto state = position_;
    for (std::size_t i = 0; i < line_.size(); ++i) {
      proof.follow(state, line_[i]);
      G::play(rules_, state, line_[i]);
      if (G::finished(rules_, state)) return;
      const bool provers = G::to_move(rules_, state) == claim.prover();
      const Move next = provers ? proof.holding_move(state) : proof.reply(state);
      if (next != kNoMove) line_.push_back(next);
    }
  }

  std::unique_ptr<Engine> engine_;   // null: there was nothing to search for
  TableKeeper* keeper_ = nullptr;    // of the engine's table, if there is an engine
  std::unique_ptr<KeptTable> room_;  // for the table there, with a keeper
  bool loaded_ = false;
  std::vector<Move> line_;  // once decided
};

}  // namespace playproof
