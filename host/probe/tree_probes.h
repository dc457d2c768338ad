// The probes of a tree: a search of the game's own, then what is known of a leaf that is created
// (host/knowledge/knowledge.h). Of games without any of it it takes nothing, and costs nothing.
#pragma once

#include "games/core/game.h"
#include "host/knowledge/knowledge.h"
#include "host/probe/game_probe.h"
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
        own_(rules, options),
        knowledge_(rules, options, Moment::kCreated),
        answer_{unknown_bounds<G>(rules, Player::kFirst)} {}

  bool has_endings() const { return HasEnding<G> && own_.on(); }
  bool has_races() const { return HasRaces<G> && own_.on(); }
  bool has_own() const { return own_.on(); }
  bool has_knowledge() const { return knowledge_.any(); }
  bool applies_to(const State& state) const { return has_knowledge() || own_.applies_to(state); }
  void begin(const State& state, const Claim& claim) {
    asked_own_ = own_.applies_to(state);
    if (asked_own_) {
      own_.begin(state, claim);
      answer_ = own_.answer();
      if (answer_.bounds.decides(claim.threshold)) return;
    } else {
      answer_ = {unknown_bounds<G>(rules_, claim.attacker)};
    }
    if (const auto known = knowledge_.judge(state, claim)) {
      answer_ = {known->bounds, {}, known->zone, known->move, known->evidence};
    }
  }
  bool run(std::uint64_t /*work*/) const { return true; }
  ProbeAnswer<G> answer() const { return answer_; }
  void count(Counters& counters) const {
    if (asked_own_) own_.count(counters);
    count_evidence(answer_.evidence, counters);
  }

  // The search of the game's own.
  GameProbe<G>& own() { return own_; }

 private:
  Rules rules_;
  GameProbe<G> own_;
  Knowledge<G> knowledge_;
  // What was said of the position asked about last.
  ProbeAnswer<G> answer_;
  bool asked_own_ = false;
};

}  // namespace playproof
