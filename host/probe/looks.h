// Wins within a few plies (games/core/look.h) as a probe: a position where who is to move has one
// is decided by it, of others nothing is known. That rests on no path where positions can come
// again: what follows in such a win is decided as soon as a search meets it, by the rules, by a
// look, or by its replies, so no path goes on through any of it.
#pragma once

#include <cstdint>
#include <optional>

#include "games/core/game.h"
#include "games/core/look.h"
#include "host/probe/leaf_probe.h"
#include "host/question/search_options.h"

namespace playproof {

template <HasLooks G>
class LookProbe {
 public:
  using State = typename G::State;
  using Rules = typename G::Rules;

  static constexpr bool kDecides = false;

  LookProbe(const Rules& rules, const SearchOptions& options)
      : rules_(rules), plies_(options.look) {}

  // Does it take anything at all?
  bool on() const { return plies_ > 0; }
  bool applies_to(const State& /*state*/) const { return on(); }
  void begin(const State& state, const Claim& claim) {
    found_ = Look<G>::find(rules_, state, plies_);
    answer_ = answer_of_win<G>(rules_, state, claim, found_.move != kNoMove);
  }
  bool run(std::uint64_t /*work*/) const { return true; }
  ProbeAnswer<G> answer() const { return *answer_; }
  void count(Counters& counters) const {
    counters.races += found_.move != kNoMove ? 1 : 0;
    counters.race_nodes += found_.nodes;
  }
  // The move that wins where it decides, which is for who is to move; else kNoMove.
  Move move(const State& state) const {
    return on() ? Look<G>::find(rules_, state, plies_).move : kNoMove;
  }

 private:
  Rules rules_;
  int plies_;
  std::optional<ProbeAnswer<G>> answer_;  // of the position asked about last
  LookAnswer found_;
};

}  // namespace playproof
