// What the solvers of one claim share: names, limits in time, clocks. Behind host/solve/solver.h.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "games/core/connection.h"
#include "games/core/error.h"
#include "games/core/evaluation.h"
#include "games/core/rules_owner.h"
#include "games/core/text.h"
#include "games/core/text_tools.h"
#include "host/drive/clocks.h"
#include "host/drive/search.h"
#include "host/path/line.h"
#include "host/proof/path_proof.h"
#include "host/proof/proof_writer.h"
#include "host/proof/strategy.h"
#include "host/question/search_options.h"
#include "host/solve/claims.h"
#include "host/table/path_search.h"
#include "kernels/schemes/root_ties.h"
#include "kernels/search/device_searches.h"

namespace playproof {

// Canonical names, with every parameter, as results print them.
struct SolverNames {
  std::string game;
  std::string algorithm;
  std::string goal;
  std::string backend = "none";
  std::string device = "cpu";
  std::string algorithm_in_effect = {};  // for people
};

template <Game G>
class SolverBase : public ClaimSolver {
 public:
  using State = typename G::State;
  using Rules = typename G::Rules;

  SolverBase(const Rules& rules, const State& position, const Claim& claim,
             const SolveRequest& request, SolverNames names)
      : owner_(rules),
        rules_(rules),
        position_(position),
        claim_(claim),
        position_text_(request.position),
        seed_(request.seed),
        threads_(std::max(request.threads, request.workers)),
        max_seconds_(request.limits.max_seconds),
        names_(std::move(names)) {}

  // The search as a driver sees it; null if it has no strokes.
  virtual Search<G>* strokes() { return nullptr; }
  // Searches like this one, whatever position and claim, on an accelerator (kernels/search). Null
  // if no kernel does what it does. Throws Error(kUnavailable) if there is no such device.
  virtual std::unique_ptr<DeviceSearches<G>> on_device(int /*ordinal*/,
                                                       const FleetLayout& /*layout*/) const {
    return nullptr;
  }

  void on_interim(InterimListener listener) override { listener_ = std::move(listener); }
  Move interim_move() const override {
    const std::vector<Move> tied = interim_moves();
    if (tied.empty()) return kNoMove;
    if (tied.size() == 1) return tied.front();
    return tied[drawn_tie(seed_, interim_stream(), static_cast<std::uint32_t>(tied.size()))];
  }
  void write_header(ByteSink& out) const override {
    const std::string text = joined_words(position_text_, ' ');
    int version = finished() ? 1 : certificate_version();
    if constexpr (requires { GameText<G>::sets_up(text); }) {
      if (GameText<G>::sets_up(text)) version = 5;
    }
    const auto write_line = [&](const std::string& line) { out.write(line + '\n'); };
    if constexpr (!AcyclicGame<G>) version = 7;
    out.write("playproof-certificate " + std::to_string(version) + "\ngame " +
              CertificateText<G>::game(rules_) + "\nrules 1\n");
    if constexpr (requires { CertificateText<G>::for_each_line(rules_, write_line); }) {
      CertificateText<G>::for_each_line(rules_, write_line);
    }
    out.write("position" + (text.empty() ? "" : " " + text) + "\ngoal " + names_.goal);
    out.write(claim_.attacker == Player::kFirst ? "\nattacker first\n" : "\nattacker second\n");
  }
  void write_claim(int threshold, bool proved, ByteSink& out) final {
    const ProofClaim claim{{claim_.attacker, static_cast<Value>(threshold)}, proved};
    ProofLines<G> lines(rules_, claim, position_text_, out);
    if (proved && threshold <= unknown().lower()) {
      lines.root(lines.leaf("bound", position_, {}));
    } else if (finished()) {
      lines.root(lines.leaf("leaf", position_, {}));
    } else {
      write_proof(lines);
    }
  }
  void write_certificate(ByteSink& out) override {
    const Verdict verdict = this->result().verdict;
    if (verdict == Verdict::kUnknown) {
      throw Error(ErrorCode::kInternal, "a certificate needs a decided question");
    }
    CertificateSink lines(out);
    write_header(lines);
    write_claim(claim_.threshold, verdict == Verdict::kProved, lines);
    lines.finish();
  }
  std::vector<Move> exact_line(const ExactProofs& proofs) final {
    const Move first = proofs.first;
    const bool none = first == kNoMove;
    const bool over = finished();  // decided by the rules: there is no proof to follow
    const auto least = none || over ? nullptr : guide_of(*proofs.least, true, proofs.least_moves);
    const auto most =
        proofs.most && !over ? guide_of(*proofs.most + 1, false, proofs.most_moves) : nullptr;
    std::vector<Move> line;
    State state = position_;
    for (LineEnd<G> end(rules_); !end.at(state);) {
      Guide<G>* guide = G::to_move(rules_, state) == claim_.attacker ? least.get() : most.get();
      Move move = lowest_move(state);
      if (line.empty() && !none) {
        move = first;
      } else if (guide != nullptr) {
        move = guide->move(state);
      }
      if (move == kNoMove) return line;
      check_legal(state, move);
      if (least) least->follow(state, move);
      if (most) most->follow(state, move);
      G::play(rules_, state, move);
      line.push_back(move);
    }
    if (!G::finished(rules_, state)) return line;  // it repeats
    const Value value = value_for(claim_.attacker, G::value(rules_, state));
    if ((proofs.least && value < *proofs.least) || (proofs.most && value > *proofs.most)) {
      throw Error(ErrorCode::kInternal, "a line of play does not end as it was proven");
    }
    return line;
  }
  std::vector<Move> legal_moves() const final { return legal_moves(position_); }
  bool is_line(const std::vector<std::string>& moves) const final {
    State state = position_;
    for (const std::string& text : moves) {
      const std::vector<Move> legal = legal_moves(state);
      const auto move =
          std::find_if(legal.begin(), legal.end(), [&](Move m) { return move_text(m) == text; });
      if (move == legal.end()) return false;
      G::play(rules_, state, *move);
    }
    return true;
  }
  std::string move_text(Move move) const override { return GameText<G>::move_text(rules_, move); }
  std::string game() const override { return names_.game; }
  std::string algorithm() const override { return names_.algorithm; }
  std::string algorithm_in_effect() const override { return names_.algorithm_in_effect; }
  std::string goal() const override { return names_.goal; }
  std::string backend() const override { return names_.backend; }
  std::string device() const override { return names_.device; }

  // Who drives the strokes calls tell_start() before the first one, and add_time() with their
  // times.
  void tell_start() { tell(0); }
  void add_time(const Times& times) {
    seconds_ += times.seconds;
    cpu_seconds_ += times.cpu_seconds;
  }

 protected:
  virtual std::uint64_t interim_stream() const = 0;
  // The nodes of a claim that the search decided; the position is not finished.
  virtual void write_proof(ProofLines<G>& lines) = 0;
  // What write_proof() writes has this version: 2 with cards (host/proof/card_walk.h), 3 also with
  // links, 4 also with cells that are filled in.
  virtual int certificate_version() const { return 1; }
  // What has decided leaves of this search.
  virtual SearchOptions probes() const { return {}; }
  // What the prover of such a claim plays.
  virtual std::unique_ptr<Guide<G>> guide(const ProofClaim& claim) = 0;

  // Bounds of the attacker's value that hold for every position.
  Bounds unknown() const { return unknown_bounds<G>(rules_, claim_.attacker); }

  bool finished() const { return G::finished(rules_, position_); }
  // There is nothing to search for: the game is over, or no game can end against (or for) the
  // claim.
  bool settled() const { return finished() || unknown().decides(claim_.threshold); }
  bool out_of_time(const StopWatch& watch) const {
    return max_seconds_ > 0 && seconds_ + watch.elapsed() >= max_seconds_;
  }
  std::vector<Move> legal_moves(const State& state) const {
    if (G::finished(rules_, state)) return {};
    Move moves[G::kMaxMoves];
    const int count = G::moves(rules_, state, moves);
    return {moves, moves + count};
  }
  // The row of the position that is asked about, or of one below it.
  NodeRow row_of(const State& state, const Bounds& bounds) const {
    NodeRow row;
    row.attackers = G::to_move(rules_, state) == claim_.attacker;
    row.tell(bounds, claim_.threshold);
    return row;
  }
  NodeRow row_below(std::size_t parent, const NodeRow& of, Move move, const State& state,
                    const Bounds& bounds) const {
    NodeRow row = row_of(state, bounds);
    row.parent = parent;
    row.depth = of.depth + 1;
    row.move = move_text(move);
    return row;
  }
  // The one row there is where there was nothing to search for.
  std::vector<NodeRow> settled_nodes() const {
    Bounds bounds = unknown();
    if (finished()) bounds = Bounds::exact(value_for(claim_.attacker, G::value(rules_, position_)));
    return {row_of(position_, bounds)};
  }
  // Begins another claim about the same position.
  void ask_anew(int threshold, const SearchLimits& limits) {
    claim_.threshold = static_cast<Value>(threshold);
    max_seconds_ = limits.max_seconds;
    seconds_ = 0;
    cpu_seconds_ = 0;
    told_.reset();
    reason_ = StopReason::kRunning;
  }
  // Decided by the rules alone. Where every move is as good as any other, the lowest ones are
  // played.
  SolveResult settled_result() const {
    Bounds bounds = unknown();
    if (finished()) bounds = Bounds::exact(value_for(claim_.attacker, G::value(rules_, position_)));
    SolveResult result = result_of(bounds, {});
    result.reason = StopReason::kDecided;
    State state = position_;
    for (LineEnd<G> end(rules_); !end.at(state);) {
      const Move move = lowest_move(state);
      result.principal_variation.push_back(move_text(move));
      G::play(rules_, state, move);
    }
    if (result.verdict == Verdict::kProved && !finished()) {
      result.best_move = result.principal_variation.front();
    }
    return result;
  }
  // The interim moves then.
  std::vector<Move> settled_moves() const {
    if (finished()) return {};
    return {lowest_move(position_)};
  }
  Move lowest_move(const State& state) const {
    Move moves[G::kMaxMoves];
    return G::moves(rules_, state, moves) > 0 ? moves[0] : kNoMove;
  }
  // The cells of a zone, none without zones.
  void tell_zone(const Zone<G>& zone, SolveResult* result) const {
    if constexpr (ZonedGame<G>) {
      for_each_cell(zone,
                    [&](int cell) { result->zone.push_back(move_text(static_cast<Move>(cell))); });
    }
  }
  // What the game guesses of the position, if it does.
  void tell_estimate(SolveResult* result) const {
    if constexpr (HasEvaluation<G>) {
      if (finished()) return;
      result->estimate = estimate_for(claim_.attacker, Evaluation<G>::estimate(rules_, position_));
    }
  }
  // What a search with these bounds and counters says, but for its moves.
  SolveResult result_of(const Bounds& bounds, const Counters& counters) const {
    SolveResult result;
    tell_estimate(&result);
    result.verdict = bounds.proves(claim_.threshold)      ? Verdict::kProved
                     : bounds.disproves(claim_.threshold) ? Verdict::kDisproved
                                                          : Verdict::kUnknown;
    result.reason = reason_;
    result.lower = bounds.lower();
    result.upper = bounds.upper();
    result.counters = counters;
    result.seconds = seconds_;
    result.cpu_seconds = cpu_seconds_;
    return result;
  }
  void tell(std::uint64_t iteration) {
    if (!listener_) return;
    std::vector<Move> tied = interim_moves();
    if (told_ && tied == *told_) return;
    listener_(iteration, tied);
    told_ = std::move(tied);
  }

  // What all solvers of one claim save. A limit that ended the search is tried again.
  template <class Archive>
  void serialize_base(Archive& archive) {
    if constexpr (requires { GameText<G>::fingerprint(rules_); }) {
      const std::uint64_t ours = GameText<G>::fingerprint(rules_);
      std::uint64_t rules = ours;
      archive(rules);
      archive.check(rules == ours, "the file of the game is another one than when this was saved");
    }
    archive(reason_, seconds_, cpu_seconds_, told_);
    archive.check(seconds_ >= 0 && cpu_seconds_ >= 0, "a time below zero");
    archive.check(!told_ || are_all_of(*told_, legal_moves(position_)),
                  "news of a move that is not legal");
    if (Archive::kLoading && reason_ != StopReason::kDecided) reason_ = StopReason::kRunning;
  }

  [[no_unique_address]] RulesOwner<G> owner_;
  Rules rules_;
  State position_;
  Claim claim_;
  std::string position_text_;
  std::uint64_t seed_;
  int threads_;
  double max_seconds_;
  SolverNames names_;
  InterimListener listener_;
  std::optional<std::vector<Move>> told_;
  double seconds_ = 0;
  double cpu_seconds_ = 0;
  StopReason reason_ = StopReason::kRunning;

 private:
  std::unique_ptr<Guide<G>> guide_of(int threshold, bool proved, const Strategy* moves) {
    const ProofClaim claim{{claim_.attacker, static_cast<Value>(threshold)}, proved};
    if constexpr (!AcyclicGame<G>) {  // it is found once more, by the search that knows most
      return std::make_unique<PathGuide<G, PathSearch<G>>>(rules_, claim,
                                                           PathSearch<G>(rules_, claim.claim, {}));
    }
    if (moves == nullptr) return guide(claim);
    return std::make_unique<StrategyGuide<G>>(rules_, claim, probes(), *moves);
  }
  void check_legal(const State& state, Move move) const {
    Move moves[G::kMaxMoves];
    Move* end = moves + G::moves(rules_, state, moves);
    if (std::find(moves, end, move) == end) {
      throw Error(ErrorCode::kData, "the first move of a proof that was saved is not legal");
    }
  }
};

}  // namespace playproof
