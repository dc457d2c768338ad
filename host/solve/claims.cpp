#include "host/solve/claims.h"

#include <algorithm>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "games/core/error.h"
#include "host/archive/archive.h"
#include "host/archive/spool.h"
#include "host/proof/certificate.h"

namespace playproof {
namespace {

int sign(int value) { return (value > 0) - (value < 0); }

// A strategy in a saved state. What is loaded is held against the rules when it is played.
template <class Archive>
void serialize_strategy(Archive& archive, std::optional<Strategy>& strategy) {
  bool given = strategy.has_value();
  archive(given);
  if constexpr (Archive::kLoading) strategy.reset();
  if (!given) return;
  if (!strategy) strategy.emplace();
  std::uint64_t count = strategy->size();
  archive(count);
  if constexpr (Archive::kLoading) {
    archive.check(count <= archive.source().most_left() / sizeof(Move),
                  "more moves than what is left");
    strategy->resize(count);
  }
  archive.bytes(strategy->data(), count * sizeof(Move));
}

class TwoClaimSolver final : public Solver {
 public:
  TwoClaimSolver(Goal goal, int min, int max, Bracket bracket, const SolveRequest& request,
                 ClaimSolverMaker make)
      : goal_(std::move(goal)),
        bracket_(bracket),
        least_(value_only() ? -1 : min),
        most_(value_only() ? 1 : max),
        lower_(least_),
        upper_(most_),
        limits_(request.limits),
        keep_proofs_(request.certificate),
        make_(std::move(make)),
        threshold_(first_threshold()) {
    make_claim();
  }

  StopReason step(std::uint64_t iterations) override {
    if (reason_ != StopReason::kRunning) return reason_;
    const StopReason reason = claim_->step(iterations);
    if (reason == StopReason::kDecided) {
      learn(claim_->result());
      if (lower_ >= upper_) {
        reason_ = StopReason::kDecided;
        decide();
      } else if (limits_left().max_nodes == 0) {
        reason_ = StopReason::kNodes;
      } else {
        // A decided claim is no news while others are open: who asks sees the next one.
        if (news_ && news_->first == done_.iterations) news_.reset();
        tell();
        next_claim();
        return reason_;
      }
    } else {
      reason_ = reason;
    }
    tell();
    return reason_;
  }

  bool finish_leaf(double seconds) override { return claim_->finish_leaf(seconds); }

  SolveResult result() const override {
    SolveResult result;
    result.verdict = lower_ == upper_ ? Verdict::kProved : Verdict::kUnknown;
    result.reason = reason_;
    result.lower = lower_;
    result.upper = upper_;
    const SolveResult current = claim_->result();
    result.estimate = current.estimate;
    result.counters = learned_ ? done_ : done_ + current.counters;
    result.seconds = seconds_ + (learned_ ? 0 : current.seconds);
    result.cpu_seconds = cpu_seconds_ + (learned_ ? 0 : current.cpu_seconds);
    result.crew = crew_times_;
    if (!learned_) result.crew.add(current.crew);
    if (result.verdict == Verdict::kProved) {
      for (const Move move : line_) result.principal_variation.push_back(move_text(move));
      if (has_best_move()) result.best_move = move_text(line_.front());
    } else if (first_move_ != kNoMove) {
      result.principal_variation = proved_line_;
      result.best_move = proved_line_.front();
    } else if (const Move move = interim_move(); move != kNoMove) {  // none if it is over
      result.best_move = move_text(move);
      result.principal_variation = {*result.best_move};
      if (!learned_) result.principal_variation = current.principal_variation;
    }
    return result;
  }

  // Listens to the claim that is being searched for.
  void on_interim(InterimListener listener) override {
    listener_ = std::move(listener);
    listen();
  }
  std::vector<Move> interim_moves() const override {
    if (has_best_move()) return {line_.front()};
    return claim_->interim_moves();
  }
  Move interim_move() const override {
    return has_best_move() ? line_.front() : claim_->interim_move();
  }
  std::string move_text(Move move) const override { return claim_->move_text(move); }
  std::vector<NodeRow> nodes(const NodeLook& look) const override { return claim_->nodes(look); }
  void write_certificate(ByteSink& out) override {
    if (!keep_proofs_ || lower_ < upper_) {
      throw Error(ErrorCode::kInternal,
                  "a certificate needs a decided question and a request for it");
    }
    CertificateSink lines(out);
    claim_->write_header(lines);
    if (lower_proof_) lower_proof_->copy_to(lines);
    if (upper_proof_) upper_proof_->copy_to(lines);
    lines.finish();
  }
  bool resumable() const override { return claim_->resumable(); }
  void save(ByteSink& out) override {
    Saver saver(out);
    serialize(saver);
    claim_->save(out);
  }
  void load(ByteSource& in) override {
    Loader loader(in);
    serialize(loader);
    loaded_ = true;
    make_claim();
    claim_->load(in);
    check_moves(in);
    if (learned_ && claim_->result().reason != StopReason::kDecided) {
      in.fail("a claim that is not decided as it says");
    }
    if (reason_ == StopReason::kDecided) {
      load_line(in);
      return;
    }
    reason_ = StopReason::kRunning;  // the limits may be others now
    if (!learned_) return;
    if (limits_left().max_nodes == 0) {
      reason_ = StopReason::kNodes;
    } else {
      next_claim();
    }
  }
  void self_check() const override { claim_->self_check(); }
  std::string game() const override { return claim_->game(); }
  std::string algorithm() const override { return claim_->algorithm(); }
  std::string algorithm_in_effect() const override { return claim_->algorithm_in_effect(); }
  std::string goal() const override { return goal_.text; }
  std::string backend() const override { return claim_->backend(); }
  std::string device() const override { return claim_->device(); }

 private:
  bool value_only() const { return goal_.kind == Goal::Kind::kValue; }

  SearchLimits limits_left() const {
    SearchLimits left = limits_;
    if (left.max_nodes != SearchLimits::kNone) {
      left.max_nodes -= std::min(left.max_nodes, done_.nodes_created);
    }
    if (left.max_seconds > 0) left.max_seconds = std::max(left.max_seconds - seconds_, 1e-9);
    return left;
  }

  int first_threshold() const {
    if (value_only() || bracket_ == Bracket::kLinear) return std::clamp(1, lower_ + 1, upper_);
    return middle();
  }
  // The claim to search for once the last one is decided.
  int next_threshold() const {
    if (value_only()) return upper_;
    if (bracket_ == Bracket::kBinary) return middle();
    return lower_ >= threshold_ ? lower_ + 1 : upper_;
  }
  int middle() const { return lower_ + (upper_ - lower_ + 1) / 2; }
  void next_claim() {
    threshold_ = next_threshold();
    learned_ = false;
    if (!claim_->ask(threshold_, limits_left())) make_claim();
  }
  // Begins the claim threshold_ under what is left of the limits.
  void make_claim() {
    claim_.reset();  // free the old tree before the new one takes memory
    claim_ = make_(threshold_, limits_left());
    listen();
  }

  // Saves or loads everything but the claim that is searched for. What is said of the claims before
  // it is believed: their trees are gone.
  template <class Archive>
  void serialize(Archive& archive) {
    const int least = lower_;
    const int most = upper_;
    archive(lower_, upper_, threshold_, learned_, reason_, done_, told_, seconds_, cpu_seconds_,
            first_move_, proved_line_);
    archive.check(least <= lower_ && lower_ <= upper_ && upper_ <= most,
                  "bounds beyond the goal's");
    archive.check((lower_ == upper_) == (reason_ == StopReason::kDecided), "bounds left open");
    archive.check(seconds_ >= 0 && cpu_seconds_ >= 0, "a time below zero");
    const bool asks = lower_ < threshold_ && threshold_ <= upper_;
    archive.check(least <= threshold_ && threshold_ <= most && asks != learned_,
                  "a claim beyond the goal's");
    archive.check((first_move_ == kNoMove) == proved_line_.empty(), "a line without its move");
    archive.check(first_move_ == kNoMove || lower_ > least_, "a move of no proof");
    serialize_strategy(archive, lower_moves_);
    serialize_strategy(archive, upper_moves_);
    serialize_proofs(archive);
  }
  // A search that keeps no proofs passes over those of the file.
  template <class Archive>
  void serialize_proofs(Archive& archive) {
    bool kept = keep_proofs_;
    archive(kept);
    if (keep_proofs_ && !kept) {
      throw Error(ErrorCode::kUsage,
                  "a certificate needs the proofs of all claims, and the search that is to be "
                  "resumed did not keep them: it began without --certificate and --selfcheck");
    }
    if (!kept) return;
    archive(lower_proof_, upper_proof_);
    if (keep_proofs_) return;
    lower_proof_.reset();
    upper_proof_.reset();
  }

  // The newest news of a claim waits for the next or for the end of the step: whether it still
  // counts depends on whether the claim was decided by it.
  void listen() {
    if (!listener_) return;
    claim_->on_interim([this](std::uint64_t iteration, const std::vector<Move>& tied) {
      tell();
      news_.emplace(done_.iterations + iteration, tied);
    });
  }
  void tell() {
    if (news_ && news_->second != told_) {
      listener_(news_->first, news_->second);
      told_ = std::move(news_->second);
    }
    news_.reset();
  }

  void learn(const SolveResult& result) {
    const int old_lower = lower_;
    const int old_upper = upper_;
    const ClaimBounds found = claim_bounds(result, threshold_, value_only());
    raise_lower(found.lower);
    reduce_upper(found.upper);
    if (lower_ > upper_) contradict();
    learned_ = true;
    done_ = done_ + result.counters;
    seconds_ += result.seconds;
    cpu_seconds_ += result.cpu_seconds;
    crew_times_.add(result.crew);
    if (lower_ > old_lower) learn_move(result);
    if (lower_ >= upper_) return;
    // The tree will be gone when the line is to be shown.
    if (lower_ > old_lower) lower_moves_ = claim_->strategy(lower_, true);
    if (upper_ < old_upper) upper_moves_ = claim_->strategy(upper_ + 1, false);
  }
  // The move that holds the lower bound, which the claim has raised: maybe not by what was asked.
  void learn_move(const SolveResult& result) {
    first_move_ = claim_->first_move(lower_);
    proved_line_.clear();
    if (first_move_ == kNoMove) return;
    proved_line_.push_back(move_text(first_move_));
    const std::vector<std::string>& line = result.principal_variation;
    if (result.verdict == Verdict::kProved && !line.empty() && line[0] == proved_line_[0]) {
      proved_line_ = line;
    }
  }
  // The bounds meet: a line of play that keeps the value.
  void decide() {
    ExactProofs proofs;
    if (lower_ > least_) proofs.least = lower_;
    if (upper_ < most_) proofs.most = upper_;
    if (lower_moves_) proofs.least_moves = &*lower_moves_;
    if (upper_moves_) proofs.most_moves = &*upper_moves_;
    proofs.first = first_move_;
    try {
      line_ = claim_->exact_line(proofs);
    } catch (const Error& error) {
      if (!loaded_ || error.code() != ErrorCode::kInternal) throw;
      throw Error(ErrorCode::kData, std::string("the search that was resumed: ") + error.what());
    }
    if (!listener_ || !has_best_move()) return;
    if (news_ && news_->first < done_.iterations) tell();
    news_.emplace(done_.iterations, std::vector<Move>{line_.front()});
  }
  // What is said of earlier claims is believed, but as legal moves.
  void check_moves(ByteSource& in) const {
    const std::vector<Move> legal = claim_->legal_moves();
    if (told_ && !are_all_of(*told_, legal)) in.fail("news of a move that is not legal");
    if (first_move_ == kNoMove) return;
    const bool stands = are_all_of({first_move_}, legal) && claim_->is_line(proved_line_) &&
                        proved_line_.front() == move_text(first_move_);
    if (!stands) in.fail("a line that is not legal");
  }
  void load_line(ByteSource& in) {
    try {
      decide();
    } catch (const Error& error) {
      if (error.code() != ErrorCode::kData) throw;
      in.fail(error.what());
    }
  }
  // It is decided, and a move keeps the value: a loss has none, but every score has.
  bool has_best_move() const {
    return reason_ == StopReason::kDecided && !line_.empty() && !(value_only() && lower_ < 0);
  }
  // Bounds of a file are believed, but not against what was proved since.
  [[noreturn]] void contradict() const {
    throw Error(loaded_ ? ErrorCode::kData : ErrorCode::kInternal,
                "two claims contradict each other: at least " + std::to_string(lower_) +
                    " and at most " + std::to_string(upper_) +
                    (loaded_ ? "; the checkpoint's earlier claims are wrong" : ""));
  }
  void raise_lower(int bound) {
    if (bound <= lower_) return;
    lower_ = bound;
    lower_moves_.reset();
    if (keep_proofs_) claim_->write_claim(bound, true, lower_proof_.emplace());
  }
  void reduce_upper(int bound) {
    if (bound >= upper_) return;
    upper_ = bound;
    upper_moves_.reset();
    if (keep_proofs_) claim_->write_claim(bound + 1, false, upper_proof_.emplace());
  }

  Goal goal_;
  Bracket bracket_;
  int least_;  // of all values,
  int most_;
  int lower_;  // and of those that are still possible
  int upper_;
  SearchLimits limits_;
  bool keep_proofs_;
  std::optional<Spool> lower_proof_;  // of the bounds that are known
  std::optional<Spool> upper_proof_;
  ClaimSolverMaker make_;
  std::unique_ptr<ClaimSolver> claim_;
  int threshold_ = 1;
  bool loaded_ = false;   // from a checkpoint
  bool learned_ = false;  // the claim is decided, and its counters are in done_
  Counters done_;
  InterimListener listener_;
  std::optional<std::pair<std::uint64_t, std::vector<Move>>> news_;
  std::optional<std::vector<Move>> told_;
  double seconds_ = 0;
  double cpu_seconds_ = 0;
  CrewTimes crew_times_;
  // The first move of the proof of the lower bound and, while the value is open, a line of it.
  Move first_move_ = kNoMove;
  std::vector<std::string> proved_line_;
  // What proofs play whose trees are gone; nothing: the claim that is searched for can say it.
  std::optional<Strategy> lower_moves_;
  std::optional<Strategy> upper_moves_;
  std::vector<Move> line_;  // once decided
  StopReason reason_ = StopReason::kRunning;
};

}  // namespace

Counters operator+(const Counters& a, const Counters& b) {
  Counters sum;
  for (const CounterField& field : kCounterFields) {
    sum.*field.value = a.*field.value + b.*field.value;
  }
  sum.max_depth = std::max(a.max_depth, b.max_depth);
  sum.peak_bytes = std::max(a.peak_bytes, b.peak_bytes);
  return sum;
}

ClaimBounds claim_bounds(const SolveResult& answer, int threshold, bool value_only) {
  const bool proved = answer.verdict == Verdict::kProved;
  const int lower = proved ? std::max(answer.lower, threshold) : answer.lower;
  const int upper = proved ? answer.upper : std::min(answer.upper, threshold - 1);
  return value_only ? ClaimBounds{sign(lower), sign(upper)} : ClaimBounds{lower, upper};
}

std::unique_ptr<Solver> make_two_claim_solver(const Goal& goal, int min, int max, Bracket bracket,
                                              const SolveRequest& request, ClaimSolverMaker make) {
  return std::make_unique<TwoClaimSolver>(goal, min, max, bracket, request, std::move(make));
}

}  // namespace playproof
