// Playouts of games whose positions can come again: ply by ply (kernels/generic/playouts.h), and
// cut off where they take too long, since a random game may never end. One that is cut off counts
// as play without end does under the rule of the game. That is an estimate, and no more: the random
// game might have ended later, and where the rule looks at the path (a draw at the second or third
// time, who repeats loses) a playout does not. No verdict rests on a playout.
#pragma once

#include <cstdint>
#include <vector>

#include "kernels/common/endless_play.h"
#include "kernels/common/reference_playouts.h"
#include "kernels/generic/playouts.h"

namespace playproof {

// Counts random games that were cut off among the others, and apart.
class BoundedTally {
 public:
  explicit BoundedTally(PathRule rule) : endless_(value_of_endless_play(rule)) {}
  void add(bool ended, Value value) {
    if (!ended) value = endless_;
    ++(value > 0 ? tally_.wins : value < 0 ? tally_.losses : tally_.draws);
    tally_.truncated += ended ? 0 : 1;
  }
  const Tally& tally() const { return tally_; }

 private:
  Value endless_;
  Tally tally_;
};

// The engine `cpu`.
template <Game G>
Tally bounded_playouts(const typename G::Rules& rules, const LeafRequest<G>& request) {
  BoundedTally tally(path_rule<G>(rules));
  for_each_word(request.first, request.playouts, [&](std::uint32_t word, std::uint32_t lanes) {
    for (std::uint32_t lane = 0; lane < lanes; ++lane) {
      typename G::State state = request.state;
      std::uint32_t ply = 0;
      for (; ply < kLongestPlayout<G> && !G::finished(rules, state); ++ply) {
        generic_ply<G>(rules, state, random_word(request.key, word, ply * kLanes + lane));
      }
      const bool ended = G::finished(rules, state);
      tally.add(ended, ended ? G::value(rules, state) : Value{0});
    }
  });
  return tally.tally();
}

// The engine `scalar`, which counts no games apart.
template <Game G>
class BoundedLeaf {
 public:
  BoundedLeaf(const typename G::Rules& rules, const typename G::State& state)
      : rules_(rules), state_(state) {}
  int play(Xoshiro& random) const {
    typename G::State state = state_;
    for (std::uint32_t ply = 0; ply < kLongestPlayout<G>; ++ply) {
      if (G::finished(rules_, state)) return G::value(rules_, state);
      generic_ply<G>(rules_, state, static_cast<std::uint32_t>(random.next() >> 32));
    }
    if (G::finished(rules_, state)) return G::value(rules_, state);
    return value_of_endless_play(path_rule<G>(rules_));
  }

 private:
  typename G::Rules rules_;
  typename G::State state_;
};
template <Game G>
Tally bounded_scalar_playouts(const typename G::Rules& rules, const LeafRequest<G>& request) {
  return play_scalar<G, BoundedLeaf<G>>(rules, request);
}

// The engine `reference`, on the reference rules.
template <Game G>
Tally bounded_reference_playouts(const typename G::Rules& rules, const LeafRequest<G>& request) {
  using Reference = typename ReferenceOf<G>::Type;
  const auto reference_rules = ReferenceOf<G>::rules(rules);
  BoundedTally tally(path_rule<G>(rules));
  for (std::uint32_t n = 0; n < request.playouts; ++n) {
    const std::uint32_t i = request.first + n;
    auto state = ReferenceOf<G>::state(rules, request.state);
    std::uint32_t ply = 0;
    for (; ply < kLongestPlayout<G> && !Reference::finished(reference_rules, state); ++ply) {
      const std::vector<Move> moves = Reference::moves(reference_rules, state);
      const std::uint64_t r = random_word(request.key, i / kLanes, ply * kLanes + i % kLanes);
      Reference::play(reference_rules, state, moves[(moves.size() * r) >> 32]);
    }
    const bool ended = Reference::finished(reference_rules, state);
    tally.add(ended, ended ? Reference::value(reference_rules, state) : Value{0});
  }
  return tally.tally();
}

}  // namespace playproof
