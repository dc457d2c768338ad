// A win by threats (games/core/race.h) as a probe: a position where who is to move has one is
// decided by it, of others nothing is known.
#pragma once

#include <cstdint>
#include <optional>

#include "games/core/game.h"
#include "games/core/race.h"
#include "host/probe/leaf_probe.h"
#include "host/question/search_options.h"

namespace playproof {

template <HasRaces G>
class RaceProbe {
 public:
  using State = typename G::State;
  using Rules = typename G::Rules;
  using Proof = typename Races<G>::Proof;
  using Search = typename Races<G>::Search;

  static constexpr bool kDecides = false;

  RaceProbe(const Rules& rules, const SearchOptions& options)
      : rules_(rules),
        on_(options.races.on() && Search::supports(rules)),
        search_(rules, options.races) {}

  // Does it take anything at all?
  bool on() const { return on_; }
  bool applies_to(const State& state) const { return on_ && search_.applies_to(state); }
  void begin(const State& state, const Claim& claim) {
    found_ = search_.ask(state);
    answer_ = answer_of_win<G>(rules_, state, claim, found_.won);
  }
  bool run(std::uint64_t /*work*/) const { return true; }
  ProbeAnswer<G> answer() const { return *answer_; }
  void count(Counters& counters) const {
    counters.races += found_.won ? 1 : 0;
    counters.race_nodes += found_.nodes;
  }
  // What it rests on where it decides, and what is asked for that.
  Search& search() { return search_; }

 private:
  Rules rules_;
  bool on_;
  Search search_;
  std::optional<ProbeAnswer<G>> answer_;  // of the position asked about last
  RaceAnswer found_;
};

}  // namespace playproof
