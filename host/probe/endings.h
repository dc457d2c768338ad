// The exact ending of a game (games/core/ending.h) as a probe: positions up to a distance from the
// end are decided by it. Of games without one it takes nothing, and costs nothing.
#pragma once

#include <cstdint>
#include <optional>

#include "games/core/ending.h"
#include "games/core/game.h"
#include "host/probe/leaf_probe.h"
#include "host/question/search_options.h"

namespace playproof {

template <Game G>
class EndingProbe {
 public:
  using State = typename G::State;
  using Rules = typename G::Rules;

  // It decides whatever it takes.
  static constexpr bool kDecides = true;

  // `options`: endings of 0 takes nothing.
  EndingProbe(const Rules& rules, const SearchOptions& options)
      : rules_(rules), distance_(HasEnding<G> ? options.endings : 0) {}

  // Does it take anything at all?
  bool on() const { return distance_ > 0; }
  bool applies_to(const State& state) const {
    if constexpr (HasEnding<G>) return on() && Ending<G>::distance(rules_, state) <= distance_;
    return false;
  }
  void begin(const State& state, const Claim& claim) {
    answer_ = {unknown_bounds<G>(rules_, claim.attacker)};
    nodes_ = 0;
    if constexpr (HasEnding<G>) {
      const EndingAnswer answer = Ending<G>::solve(rules_, state, claim.attacker, claim.threshold);
      answer_->bounds = Bounds::both(answer_->bounds, Bounds::unknown(answer.lower, answer.upper));
      nodes_ = answer.nodes;
    }
  }
  bool run(std::uint64_t /*work*/) const { return true; }
  ProbeAnswer<G> answer() const { return *answer_; }
  void count(Counters& counters) const {
    ++counters.endings;
    counters.ending_nodes += nodes_;
  }

 private:
  Rules rules_;
  int distance_;
  std::optional<ProbeAnswer<G>> answer_;  // of the position asked about last
  std::uint64_t nodes_ = 0;               // that it looked at
};

}  // namespace playproof
