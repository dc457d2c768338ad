// What the solvers of one claim share: names, limits in time, clocks. Behind host/solver.h.
#pragma once

#include <algorithm>
#include <chrono>
#include <ctime>
#include <optional>
#include <string>
#include <utility>

#include "games/error.h"
#include "games/game_text.h"
#include "host/claims.h"
#include "host/proof_writer.h"
#include "host/tree.h"

namespace playproof {

// Canonical names, with every parameter, as results print them.
struct SolverNames {
  std::string game;
  std::string algorithm;
  std::string goal;
  std::string backend = "none";
  std::string device = "cpu";
};

// Adds wall and CPU time from its birth to its death. With one thread the CPU time is the calling
// thread's (many searches may run at once), else the process's.
class StopWatch {
 public:
  StopWatch(int threads, double* seconds, double* cpu_seconds)
      : clock_(threads == 1 ? CLOCK_THREAD_CPUTIME_ID : CLOCK_PROCESS_CPUTIME_ID),
        seconds_(seconds),
        cpu_seconds_(cpu_seconds),
        start_(std::chrono::steady_clock::now()),
        cpu_start_(cpu_now()) {}
  ~StopWatch() {
    *seconds_ += elapsed();
    *cpu_seconds_ += cpu_now() - cpu_start_;
  }
  StopWatch(const StopWatch&) = delete;
  StopWatch& operator=(const StopWatch&) = delete;
  double elapsed() const {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
  }

 private:
  double cpu_now() const {
    timespec t{};
    clock_gettime(clock_, &t);
    return static_cast<double>(t.tv_sec) + 1e-9 * static_cast<double>(t.tv_nsec);
  }
  clockid_t clock_;
  double* seconds_;
  double* cpu_seconds_;
  std::chrono::steady_clock::time_point start_;
  double cpu_start_;
};

template <Game G>
class SolverBase : public ClaimSolver {
 public:
  using State = typename G::State;
  using Rules = typename G::Rules;

  SolverBase(const Rules& rules, const State& position, const Claim& claim,
             const SolveRequest& request, SolverNames names)
      : rules_(rules),
        position_(position),
        claim_(claim),
        position_text_(request.position),
        seed_(request.seed),
        threads_(request.threads),
        max_seconds_(request.limits.max_seconds),
        names_(std::move(names)) {}

  void on_interim(InterimListener listener) override { listener_ = std::move(listener); }
  Move interim_move() const override {
    const std::vector<Move> tied = interim_moves();
    if (tied.empty()) return kNoMove;
    // A stream of its own: the search never draws from it.
    const std::uint64_t draw = mix64(mix64(seed_ ^ 0x7469657362726561ull) + interim_stream());
    return tied[((draw >> 32) * tied.size()) >> 32];
  }
  void write_header(ByteSink& out) const override {
    const std::string text = joined_words(position_text_, ' ');
    out.write("playproof-certificate 1\ngame " + CertificateText<G>::game(rules_) + "\nrules 1\n");
    out.write("position" + (text.empty() ? "" : " " + text) + "\ngoal " + names_.goal);
    out.write(claim_.attacker == Player::kFirst ? "\nattacker first\n" : "\nattacker second\n");
  }
  void write_claim(int threshold, bool proved, ByteSink& out) final {
    const ProofClaim claim{{claim_.attacker, static_cast<Value>(threshold)}, proved};
    ProofLines<G> lines(rules_, claim, position_text_, out);
    if (proved && threshold <= least_value()) {
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
  std::string move_text(Move move) const override { return GameText<G>::move_text(rules_, move); }
  std::string game() const override { return names_.game; }
  std::string algorithm() const override { return names_.algorithm; }
  std::string goal() const override { return names_.goal; }
  std::string backend() const override { return names_.backend; }
  std::string device() const override { return names_.device; }

 protected:
  virtual std::uint64_t interim_stream() const = 0;
  // The nodes of a claim that the search decided; the position is not finished.
  virtual void write_proof(ProofLines<G>& lines) = 0;

  // Bounds of the attacker's value that hold for every position.
  int least_value() const {
    return std::min(value_for(claim_.attacker, G::min_value(rules_)),
                    value_for(claim_.attacker, G::max_value(rules_)));
  }

  bool finished() const { return G::finished(rules_, position_); }
  bool out_of_time(const StopWatch& watch) const {
    return max_seconds_ > 0 && seconds_ + watch.elapsed() >= max_seconds_;
  }
  std::vector<Move> legal_moves() const {
    if (finished()) return {};
    Move moves[G::kMaxMoves];
    const int count = G::moves(rules_, position_, moves);
    return {moves, moves + count};
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
  // A finished position: decided by the rules alone.
  SolveResult finished_result() const {
    SolveResult result;
    const Value value = value_for(claim_.attacker, G::value(rules_, position_));
    result.verdict = value >= claim_.threshold ? Verdict::kProved : Verdict::kDisproved;
    result.reason = StopReason::kDecided;
    result.lower = result.upper = value;
    return result;
  }
  // What a search with these bounds and counters says, but for its moves.
  SolveResult result_of(const Bounds& bounds, const Counters& counters) const {
    SolveResult result;
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
    archive(reason_, seconds_, cpu_seconds_, told_);
    archive.check(seconds_ >= 0 && cpu_seconds_ >= 0, "a time below zero");
    if (Archive::kLoading && reason_ != StopReason::kDecided) reason_ = StopReason::kRunning;
  }

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
};

}  // namespace playproof
