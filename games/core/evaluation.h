// Heuristic values: a game may say how good a position looks, without a search and without a proof.
// It is optional: Evaluation<G> is specialised in games/<game>/evaluation.h.
#pragma once

#include <concepts>

#include "games/core/game.h"

namespace playproof {

// What a value is guessed to be, in units of G::value(). It is another type than Value and Bounds,
// and neither is made of it: no estimate, however sure, decides a position.
class Estimate {
 public:
  PP_HD explicit constexpr Estimate(double value) : value_(value) {}
  PP_HD constexpr double value() const { return value_; }
  bool operator==(const Estimate&) const = default;

 private:
  double value_;
};

PP_HD constexpr Estimate estimate_for(Player p, Estimate first_players) {
  return p == Player::kFirst ? first_players : Estimate(-first_players.value());
}

template <class G>
struct Evaluation;

// clang-format off
template <class G>
concept HasEvaluation = Game<G> && requires(const typename G::Rules& rules,
                                            const typename G::State& state) {
  // Seen by the first player, as value() is; a function of the position alone, in
  // min_value..max_value. Not asked of a finished position, whose value is known.
  { Evaluation<G>::estimate(rules, state) } -> std::same_as<Estimate>;
};
// clang-format on

}  // namespace playproof
