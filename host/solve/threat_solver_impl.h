// A search for wins by threats or turns as a solver of one claim, for the units that instantiate
// it.
#pragma once

#include <algorithm>
#include <exception>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "games/connect/race_zone.h"
#include "games/connect/text.h"
#include "games/connect/vcdt_search.h"
#include "games/core/error.h"
#include "host/archive/archive.h"
#include "host/proof/race_guide.h"
#include "host/proof/race_lines.h"
#include "host/solve/threat_solver.h"

namespace playproof {

template <int W, class Search>
class ThreatSolver final : public SolverBase<Connect<W>> {
  using G = Connect<W>;
  using Base = SolverBase<G>;
  using Base::claim_;
  using Base::position_;
  using Base::reason_;
  using Base::rules_;
  using State = typename G::State;

 public:
  ThreatSolver(const typename G::Rules& rules, const State& position, const Claim& claim,
               const SolveRequest& request, SolverNames names,
               const typename Search::Settings& options)
      : Base(rules, position, claim, request, std::move(names)),
        max_calls_(request.limits.max_nodes),
        max_bytes_(memory_limit(request.limits)),
        attacker_(static_cast<int>(claim.attacker)),
        windows_(rules),
        threats_(windows_, position),
        search_(windows_) {
    if (this->settled()) {
      reason_ = StopReason::kDecided;
    } else {
      search_.begin(threats_, attacker_, stones(), options);
    }
  }

  StopReason step(std::uint64_t iterations) override {
    if (reason_ != StopReason::kRunning) return reason_;
    if (failure_) std::rethrow_exception(failure_);
    const StopWatch watch(this->threads_, &this->seconds_, &this->cpu_seconds_);
    try {
      go_on(iterations, watch);
    } catch (...) {
      failure_ = std::current_exception();
      throw;
    }
    return reason_;
  }

  SolveResult result() const override {
    if (this->settled()) return this->settled_result();
    Bounds bounds = this->unknown();
    if (proof_) bounds = Bounds::exact(G::max_value(rules_));
    SolveResult result = this->result_of(bounds, counters());
    result.threats = findings();
    for (const Move move : line_) result.principal_variation.push_back(this->move_text(move));
    if (proof_) {
      result.best_move = result.principal_variation.front();
    } else {
      result.best_move = this->move_text(this->interim_move());
    }
    return result;
  }

  // Nothing is known of the moves before there is a win.
  std::vector<Move> interim_moves() const override {
    if (this->settled()) return this->settled_moves();
    if (!line_.empty()) return {line_.front()};
    return this->legal_moves();
  }

  // The position, and the stone that wins.
  std::vector<NodeRow> nodes(const NodeLook& look) const override {
    if (this->settled()) return this->settled_nodes();
    const Bounds bounds = proof_ ? Bounds::exact(G::max_value(rules_)) : this->unknown();
    std::vector<NodeRow> rows = {this->row_of(position_, bounds)};
    if (line_.empty()) return rows;
    rows[0].expanded = true;
    if (look.depth < 1 || look.most < 2) return rows;
    State state = position_;
    G::play(rules_, state, line_.front());
    rows.push_back(this->row_below(0, rows[0], line_.front(), state, bounds));
    rows[1].numbers = {{"turns", search_.answer().turns}};
    return rows;
  }

  // A search that failed may be in the middle of a change.
  bool resumable() const override { return failure_ == nullptr; }
  void save(ByteSink& out) override {
    if (failure_) std::rethrow_exception(failure_);
    Saver archive(out);
    serialize(archive);
  }
  void load(ByteSource& in) override {
    Loader archive(in);
    loaded_ = true;
    serialize(archive);
    if (this->settled()) {
      reason_ = StopReason::kDecided;
    } else if (reason_ == StopReason::kDecided) {
      archive.check(search_.answer().outcome == Outcome::kWin, "a win that was not found");
      conclude();
    }
  }
  // What is proven is walked again; before, a search has nothing that a second look could refute.
  void self_check() const override {
    if (proof_ && !RaceWalk<W>().walk(threats_, attacker_, stones(), *proof_)) {
      throw Error(ErrorCode::kInternal, "threats: the proof has a node that is wrong");
    }
  }
  Move first_move(int /*bound*/) override { return line_.empty() ? kNoMove : line_.front(); }
  std::optional<Strategy> strategy(int /*threshold*/, bool /*proved*/) override {
    return std::nullopt;  // no other claim follows a win
  }

 private:
  using Outcome = VcdtAnswer::Outcome;
  static constexpr bool kByTurns = requires(const Search& search) { search.ways(); };
  static constexpr double kLongStep = 0.05;  // seconds, of a step within a leaf
  int stones() const { return G::stones_left_in_turn(rules_, position_); }
  std::uint64_t interim_stream() const override { return search_.answer().calls; }
  int certificate_version() const override { return 6; }
  void write_proof(ProofLines<G>& lines) override {
    lines.root(RaceLines<W>(*proof_, attacker_, lines).write(threats_, stones()));
  }
  std::unique_ptr<Guide<G>> guide(const ProofClaim& /*claim*/) override {
    return std::make_unique<RaceGuide<W>>(threats_, *proof_, attacker_, stones());
  }

  void go_on(std::uint64_t iterations, const StopWatch& watch) {
    this->tell(0);
    for (std::uint64_t done = 0; reason_ == StopReason::kRunning && done < iterations;) {
      const std::uint64_t calls = search_.answer().calls;
      const std::uint64_t slice =
          std::min({Search::kSlice, iterations - done, max_calls_ - std::min(max_calls_, calls)});
      if (search_.bytes() > max_bytes_) {
        reason_ = StopReason::kMemory;
      } else if (search_.advance(slice)) {
        conclude();
      } else if (search_.answer().calls >= max_calls_) {
        reason_ = StopReason::kNodes;
      } else if (this->out_of_time(watch)) {
        reason_ = StopReason::kSeconds;
      }
      if constexpr (kByTurns) {  // other things may take longer than its calls
        const std::uint64_t more = search_.answer().calls - calls;
        done += more;
        if ((more == 0 || search_.within_leaf()) && watch.elapsed() >= kLongStep) return;
      } else {
        done += Search::kSlice;
      }
    }
  }

  template <class Archive>
  void serialize(Archive& archive) {
    this->serialize_base(archive);
    if (!this->settled()) search_.serialize(archive);
  }

  // The search has ended. Its win counts once its proof has been walked by the rules of threats.
  void conclude() {
    const Outcome outcome = search_.answer().outcome;
    if (outcome == Outcome::kWin) {
      proof_ = search_.proof();
      const auto zone = RaceWalk<W>().walk(threats_, attacker_, stones(), *proof_);
      if (!zone) {
        throw Error(loaded_ ? ErrorCode::kData : ErrorCode::kInternal,
                    "threats: the proof has a node that is wrong");
      }
      zone_ = *zone;
      find_line();
      reason_ = StopReason::kDecided;
    } else {
      reason_ = outcome == Outcome::kExhausted ? StopReason::kExhausted : StopReason::kCut;
    }
    this->tell(search_.answer().calls);
  }

  // A longest line of the proof: the other side hits threats as long as it can.
  void find_line() {
    RaceGuide<W> guide(threats_, *proof_, attacker_, stones());
    State state = position_;
    std::vector<Move> reply;
    while (!G::finished(rules_, state)) {
      Move move = kNoMove;
      if (G::to_move(rules_, state) == claim_.attacker) {
        move = guide.move(state);
      } else {
        if (reply.empty()) reply = guide.longest_reply(state);
        move = reply.front();
        reply.erase(reply.begin());
      }
      guide.follow(state, move);
      line_.push_back(move);
      G::play(rules_, state, move);
    }
  }

  Counters counters() const {
    const VcdtAnswer answer = search_.answer();
    Counters counters;
    counters.iterations = counters.nodes_created = answer.calls;
    counters.nodes_expanded = answer.nodes;
    if (answer.depth > 0) {  // so many turns of the attacker, and the replies between them
      counters.max_depth = static_cast<std::uint64_t>(stones()) +
                           (answer.depth - 1) * 2 * static_cast<std::uint64_t>(rules_.stones);
    }
    counters.max_depth = std::max<std::uint64_t>(counters.max_depth, line_.size());
    if constexpr (kByTurns) {
      const auto& ways = search_.ways();
      counters.nodes_expanded += ways.entries;
      counters.node_visits = ways.entries;
      counters.re_entries = ways.re_entries;
      counters.branch_switches = ways.branch;
      counters.root_switches = ways.root;
      counters.shallow_switches = ways.shallow;
      counters.evaluations = search_.evaluations();
      counters.playouts = search_.playouts();
    }
    if constexpr (kByTurns) {
      counters.peak_bytes = search_.peak_bytes();
    } else {
      counters.peak_bytes = search_.bytes();  // it lets nothing go
    }
    return counters;
  }
  ThreatFindings findings() const {
    const VcdtAnswer answer = search_.answer();
    ThreatFindings found;
    found.outcome = static_cast<ThreatFindings::Outcome>(
        answer.outcome == Outcome::kWin   ? ThreatFindings::Outcome::kWin
        : answer.outcome == Outcome::kCut ? ThreatFindings::Outcome::kCut
                                          : ThreatFindings::Outcome::kExhausted);
    found.turns = answer.turns;
    found.alone = !kByTurns;
    found.macro = answer.macro;
    found.pairs = answer.work;
    found.macro_nodes = answer.nodes_by[1];
    found.reply_nodes = answer.nodes_by[0];
    CellSet<W> told;
    for (int i = 0; proof_ && i < RaceZone<W>::kPlaces; ++i) {
      auto& place = found.zone.emplace_back();
      for_each_cell(zone_.places[i] - told,
                    [&](int cell) { place.push_back(this->move_text(static_cast<Move>(cell))); });
      told |= zone_.places[i];
    }
    if (proof_) find_threats(&found);
    return found;
  }
  // The first turn, and what it threatens.
  void find_threats(ThreatFindings* found) const {
    const auto text = [&](int cell) { return this->move_text(static_cast<Move>(cell)); };
    const ConnectTurn& turn = proof_->root().turn;
    if (turn.first == kNoMove) {  // it completes a line
      for_each_cell(zone_.places[0], [&](int cell) { found->turn.push_back(text(cell)); });
      return;
    }
    ConnectThreats<W> after = threats_;
    after.add(attacker_, turn);
    for_each_cell(cells_of<W>(turn), [&](int cell) { found->turn.push_back(text(cell)); });
    const int from = rules_.connect - rules_.stones;
    for_each_window(windows_, after.live_from(attacker_, from), [&](int window) {
      const int first = windows_.first[window];
      found->lines.emplace_back(text(first),
                                text(first + (rules_.connect - 1) * windows_.step[window]));
    });
  }

  std::uint64_t max_calls_;
  std::uint64_t max_bytes_;
  int attacker_;
  ConnectWindows<W> windows_;
  ConnectThreats<W> threats_;
  Search search_;
  std::optional<RaceProof> proof_;  // of a win
  RaceZone<W> zone_;
  std::vector<Move> line_;
  bool loaded_ = false;
  std::exception_ptr failure_;  // of a step that did not end
};

}  // namespace playproof
