#include "host/claims.h"

#include <algorithm>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "games/error.h"
#include "host/archive.h"
#include "host/spool.h"

namespace playproof {
namespace {

int sign(int value) { return (value > 0) - (value < 0); }

Counters operator+(const Counters& a, const Counters& b) {
  Counters sum;
  for (const CounterField& field : kCounterFields) {
    sum.*field.value = a.*field.value + b.*field.value;
  }
  sum.max_depth = std::max(a.max_depth, b.max_depth);
  sum.peak_bytes = std::max(a.peak_bytes, b.peak_bytes);
  return sum;
}

class TwoClaimSolver final : public Solver {
 public:
  TwoClaimSolver(Goal goal, int min, int max, Bracket bracket, const SolveRequest& request,
                 ClaimSolverMaker make)
      : goal_(std::move(goal)),
        bracket_(bracket),
        lower_(value_only() ? -1 : min),
        upper_(value_only() ? 1 : max),
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
    SolveResult result = proved_;
    result.verdict = lower_ == upper_ ? Verdict::kProved : Verdict::kUnknown;
    result.reason = reason_;
    result.lower = lower_;
    result.upper = upper_;
    const SolveResult current = claim_->result();
    result.counters = learned_ ? done_ : done_ + current.counters;
    result.seconds = seconds_ + (learned_ ? 0 : current.seconds);
    result.cpu_seconds = cpu_seconds_ + (learned_ ? 0 : current.cpu_seconds);
    if (result.verdict == Verdict::kUnknown && !result.best_move) {
      result.best_move = move_text(interim_move());
      if (!learned_) result.principal_variation = current.principal_variation;
    }
    return result;
  }

  // Of the claim that is being searched for.
  void on_interim(InterimListener listener) override {
    listener_ = std::move(listener);
    listen();
  }
  std::vector<Move> interim_moves() const override { return claim_->interim_moves(); }
  Move interim_move() const override { return claim_->interim_move(); }
  std::string move_text(Move move) const override { return claim_->move_text(move); }
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
    if (learned_ && claim_->result().reason != StopReason::kDecided) {
      in.fail("a claim that is not decided as it says");
    }
    if (reason_ == StopReason::kDecided) return;
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
  // Once the last claim is decided.
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

  // Everything but the claim that is searched for. What is said of the claims before it is
  // believed: their trees are gone.
  template <class Archive>
  void serialize(Archive& archive) {
    const int least = lower_;
    const int most = upper_;
    archive(lower_, upper_, threshold_, learned_, reason_, done_, told_, seconds_, cpu_seconds_,
            proved_.best_move, proved_.principal_variation);
    archive.check(least <= lower_ && lower_ <= upper_ && upper_ <= most,
                  "bounds beyond the goal's");
    archive.check((lower_ == upper_) == (reason_ == StopReason::kDecided), "bounds left open");
    archive.check(seconds_ >= 0 && cpu_seconds_ >= 0, "a time below zero");
    archive.check(least <= threshold_ && threshold_ <= most, "a claim beyond the goal's");
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
    const bool proved = result.verdict == Verdict::kProved;
    const int lower = proved ? std::max(result.lower, threshold_) : result.lower;
    const int upper = proved ? result.upper : std::min(result.upper, threshold_ - 1);
    raise_lower(value_only() ? sign(lower) : lower);
    reduce_upper(value_only() ? sign(upper) : upper);
    if (lower_ > upper_) contradict();
    learned_ = true;
    done_ = done_ + result.counters;
    seconds_ += result.seconds;
    cpu_seconds_ += result.cpu_seconds;
    if (proved || proved_.principal_variation.empty()) {
      proved_.best_move = result.best_move;
      proved_.principal_variation = result.principal_variation;
    }
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
    if (keep_proofs_) claim_->write_claim(bound, true, lower_proof_.emplace());
  }
  void reduce_upper(int bound) {
    if (bound >= upper_) return;
    upper_ = bound;
    if (keep_proofs_) claim_->write_claim(bound + 1, false, upper_proof_.emplace());
  }

  Goal goal_;
  Bracket bracket_;
  int lower_;
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
  SolveResult proved_;  // move and line of the last proved claim
  StopReason reason_ = StopReason::kRunning;
};

}  // namespace

std::unique_ptr<Solver> make_two_claim_solver(const Goal& goal, int min, int max, Bracket bracket,
                                              const SolveRequest& request, ClaimSolverMaker make) {
  return std::make_unique<TwoClaimSolver>(goal, min, max, bracket, request, std::move(make));
}

}  // namespace playproof
