// The probes of a tree: the exact ending of a game, then what is known of a leaf that is created
// (host/knowledge/knowledge.h). Of games without any of it it takes nothing, and costs nothing.
#pragma once

#include "games/core/game.h"
#include "host/knowledge/knowledge.h"
#include "host/probe/endings.h"
#include "host/probe/leaf_probe.h"
#include "host/question/search_options.h"

namespace playproof {

template <Game G>
class TreeProbes {
 public:
  using State = typename G::State;
  using Rules = typename G::Rules;

  TreeProbes(const Rules& rules, const SearchOptions& options)
      : rules_(rules),
        endings_(rules, options.endings),
        knowledge_(rules, options, Moment::kCreated),
        answer_{unknown_bounds<G>(rules, Player::kFirst)} {}

  bool has_endings() const { return endings_.on(); }
  bool has_knowledge() const { return knowledge_.any(); }
  bool takes(const State& state) const { return has_knowledge() || endings_.takes(state); }
  void begin(const State& state, const Claim& claim) {
    asked_ending_ = endings_.takes(state);
    if (asked_ending_) {
      endings_.begin(state, claim);
      answer_ = endings_.answer();
      return;
    }
    answer_ = {unknown_bounds<G>(rules_, claim.attacker)};
    if (const auto known = knowledge_.judge(state, claim)) {
      answer_ = {known->bounds, {}, known->zone, known->move, known->evidence};
    }
  }
  bool run(std::uint64_t /*work*/) const { return true; }
  ProbeAnswer<G> answer() const { return answer_; }
  void count(Counters& counters) const {
    if (asked_ending_) endings_.count(counters);
    count_evidence(answer_.evidence, counters);
  }

 private:
  Rules rules_;
  EndingProbe<G> endings_;
  Knowledge<G> knowledge_;
  // What was said of the position asked about last.
  ProbeAnswer<G> answer_;
  bool asked_ending_ = false;
};

}  // namespace playproof
