// The formulas of the MCTS solvers: Winands, Bjornsson & Saito 2008; thesis section 5.3.2 with E31,
// E32. Selection by the mean reward v of the attacker, in 0..1 (v at OR nodes, 1 - v at AND nodes)
// or in -1..1 (v and -v):
//   pure MCTS      v
//   UCT inside     v + sqrt(C ln n_p / n_i)
//   UCT outside    v + C sqrt(ln n_p / n_i)
// Solved children are never selected and stay in the means. Interim move: greatest v + A / sqrt(n).
#pragma once

#include <cmath>
#include <cstdint>

#include "kernels/common/playout.h"
#include "kernels/numbers/bounds.h"
#include "kernels/numbers/natural_log.h"
#include "kernels/schemes/claim.h"

namespace playproof {

struct MctsLabel {
  std::uint64_t reward = 0;   // of the attacker, of all playouts of those leaves, from 0 up
  std::uint32_t visits = 0;   // leaves evaluated at or below this node
  std::uint32_t created = 0;  // children from the left that exist, or need not
  bool operator==(const MctsLabel&) const = default;
};

struct MctsRule {
  enum class Form : std::uint8_t { kPure, kInside, kOutside };
  // The reward of a playout. kUnit is 1 where the attacker reaches the goal, 0 elsewhere. kSign is
  // 1, 0, -1 for his win, a draw, his loss, whatever the goal is (thesis 2.2.3 (4)). It is kept as
  // 2, 1, 0, and the scores below are those of the thesis as (score + 1) / 2, which orders children
  // alike: what is added to a mean is halved with it.
  enum class Reward : std::uint8_t { kUnit, kSign };
  using Label = MctsLabel;
  static constexpr bool kPlayouts = true;
  int playouts = 10;
  Form form = Form::kPure;
  double C = 2;
  Reward reward = Reward::kUnit;
  double A = 1;

  // The reward of the best playout, from 0 up.
  PP_HD int most() const { return reward == Reward::kSign ? 2 : 1; }
  PP_HD double scale() const { return reward == Reward::kSign ? 0.5 : 1; }
  PP_HD std::uint64_t of(const Tally& tally, const Claim& claim) const {
    if (reward == Reward::kUnit) return static_cast<std::uint64_t>(reached(tally, claim));
    const std::uint32_t wins = claim.attacker == Player::kFirst ? tally.wins : tally.losses;
    return std::uint64_t{2} * wins + tally.draws;
  }
  // What all playouts of a decided leaf would be; where only a bound is known, by the claim.
  PP_HD std::uint64_t of(const Bounds& bounds, const Claim& claim) const {
    const auto all = static_cast<std::uint64_t>(playouts);
    if (reward == Reward::kUnit) return bounds.proves(claim.threshold) ? all : 0;
    if (bounds == Bounds::exact(0)) return all;
    const bool won =
        bounds.lower() == bounds.upper() ? bounds.lower() > 0 : bounds.proves(claim.threshold);
    return won ? 2 * all : 0;
  }
  PP_HD double mean(const MctsLabel& n) const {
    return static_cast<double>(n.reward) / (static_cast<double>(n.visits) * (most() * playouts));
  }
  // Returns ln n_p, if it is asked for.
  PP_HD double log_of_parent(const MctsLabel& parent) const {
    return form == Form::kPure ? 0 : natural_log_of_count(parent.visits);
  }
  // The score of a visited child i of a parent with ln n_p = log_parent.
  PP_HD double score(bool or_node, double log_parent, const MctsLabel& i) const {
    const double v = or_node ? mean(i) : 1 - mean(i);
    const double n = i.visits;
    switch (form) {
      case Form::kInside:
        return v + std::sqrt(C * log_parent / n) * scale();
      case Form::kOutside:
        return v + C * std::sqrt(log_parent / n) * scale();
      default:
        return v;
    }
  }
  PP_HD double interim(const MctsLabel& i) const {
    return mean(i) + A / std::sqrt(static_cast<double>(i.visits)) * scale();
  }
};

}  // namespace playproof
