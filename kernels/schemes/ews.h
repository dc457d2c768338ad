// Expected Work Search: Randall, Müller, Wei & Hayward 2024. The paper's EW_loss(X) and
// EW_win(X) of the side to move are here the work of a proof and of a disproof for the attacker:
//   WR = (wins + 1) / (visits + 2), the share of playouts that reach the goal; 1 - WR its
//   complement OR:  proof = sum_i proof(c_i) prod_{j<i} (1 - WR(c_j))    disproof = sum disproof(c)
//   AND: disproof = sum_i disproof(c_i) prod_{j<i} WR(c_j)    proof = sum proof(c)
//   over the unsolved children, those of a product in ascending order of proof / WR at OR, of
//   disproof / (1 - WR) at AND, which makes it least; wins and visits are sums
//   select the first child of this order
// Leaves and what is not printed: docs/readings.md.
#pragma once

#include <cmath>
#include <limits>
#include <span>

#include "kernels/numbers/arithmetic.h"
#include "kernels/numbers/ascending.h"
#include "kernels/numbers/leaf_numbers.h"
#include "kernels/schemes/scheme.h"

namespace playproof {

struct EwsLabel {
  double proof = 1;  // expected work; at least 1 where nothing is solved
  double disproof = 1;
  double wins = 0;  // playouts below that reach the goal, and all of them; 0 of a solved node
  double visits = 0;

  PP_HD double win_rate() const { return (wins + 1) / (visits + 2); }
  PP_HD double loss_rate() const { return (visits - wins + 1) / (visits + 2); }
  PP_HD bool solved() const { return proof == 0 || disproof == 0; }
  bool operator==(const EwsLabel&) const = default;

  // Is it a label? For what was read from a file.
  bool valid() const {
    if (*this == EwsLabel{proof, disproof, 0, 0} && solved()) {
      return greater(proof, disproof) == std::numeric_limits<double>::infinity();
    }
    return proof >= 1 && proof <= kMostWork && disproof >= 1 && disproof <= kMostWork &&
           wins >= 0 && wins <= visits && visits <= kMostVisits;
  }
  // Where lines meet again sums count what is below once a line, and may outgrow every number: then
  // they stay at the greatest, and the visits at half as many, at the same rate.
  PP_HD void limit() {
    proof = lesser(proof, kMostWork);
    disproof = lesser(disproof, kMostWork);
    while (visits > kMostVisits) {
      wins = std::floor(wins / 2);
      visits = std::floor(visits / 2);
    }
  }
  static constexpr double kMostWork = std::numeric_limits<double>::max();
  static constexpr double kMostVisits = 0x1p47 - 1;  // what a table has room for
};

// A leaf with L plies left at most has, for the side to move:
//   EW_win = phi L^plies, EW_loss = delta L^plies, both times its moves if `times_moves`
// unit: 1 and 1. rollout: moves L, what the branching factors of a game of L plies sum up to,
// within a factor of 2. both: phi = A^(1 - R), delta = A^R moves.
template <class Numbers>
struct EwsLeafWorkBy {
  struct Work {
    double win;
    double loss;
  };
  Numbers numbers;
  int plies = 0;
  bool times_moves = false;

  static EwsLeafWorkBy unit() { return {Numbers::unit()}; }
  static EwsLeafWorkBy rollout() { return {Numbers::unit(), 1, true}; }
  static EwsLeafWorkBy both(int playouts, double A, int plies) {
    return {Numbers::from_playouts(playouts, {RateForm::Kind::kPower, A}, true), plies};
  }

  PP_HD Work operator()(const Leaf& leaf) const {
    const double won = leaf.or_node ? leaf.reached : leaf.playouts - leaf.reached;
    const PhiDeltaPair pair = numbers(leaf.depth, leaf.mobility, won);
    double factor = times_moves ? leaf.mobility : 1;
    for (int i = 0; i < plies; ++i) factor *= leaf.plies_left;
    return {static_cast<double>(pair.phi) * factor, static_cast<double>(pair.delta) * factor};
  }
};

using EwsLeafWork = EwsLeafWorkBy<LeafNumbers>;

template <class Numbers>
struct EwsBy {
  using Label = EwsLabel;
  static constexpr bool kPlayouts = true;
  static constexpr double kInf = std::numeric_limits<double>::infinity();
  int playouts = 32;
  EwsLeafWorkBy<Numbers> work = EwsLeafWorkBy<Numbers>::both(playouts, 32768, 2);

  // The same scheme where `table` is a copy of table().
  std::span<const PhiDelta> table() const { return work.numbers.table(); }
  EwsBy<TalliedNumbers> with_table(const PhiDelta* table) const {
    return {playouts, {work.numbers.tallied(table), work.plies, work.times_moves}};
  }

  PP_HD Label proved() const { return {0, kInf, 0, 0}; }
  PP_HD Label disproved() const { return {kInf, 0, 0, 0}; }
  PP_HD bool needs_mobility() const { return true; }  // and the side to move, and plies left
  PP_HD Label leaf(const Leaf& leaf) const {
    const auto [win, loss] = work(leaf);
    return {leaf.or_node ? win : loss, leaf.or_node ? loss : win, leaf.reached, leaf.playouts};
  }
  bool possible(const Label& label, const Leaf& place) const {
    const bool root = label.wins == 0.5 && label.visits == 1;  // it had no playouts
    const bool whole = label.visits == playouts && label.wins >= 0 && label.wins <= playouts &&
                       label.wins == static_cast<int>(label.wins);
    if (!root && !whole) return false;
    Leaf leaf = place;
    leaf.reached = label.wins;
    leaf.playouts = label.visits;
    return label == this->leaf(leaf);
  }

  // In this order the children are expected to cost least until one decides the node; each has the
  // work that decides it so, and the chance that it does.
  PP_HD double cost(bool or_node, const Label& c) const {
    return or_node ? c.proof / c.win_rate() : c.disproof / c.loss_rate();
  }
  PP_HD bool prefers(bool or_node, const Label& a, const Label& b) const {
    return cost(or_node, a) < cost(or_node, b);
  }
  // Does a cost at most 1 / share times as much as b?
  bool nearly(bool or_node, const Label& a, const Label& b, double share) const {
    return !(cost(or_node, b) < cost(or_node, a) * share);
  }

  template <class Children>
  PP_HD void back_up(bool or_node, const Children& children, Label& label) const {
    double all = 0;  // the work if none decides the node
    label = Label{0, 0, 0, 0};
#pragma unroll 1
    for (int i = 0; i < children.size(); ++i) {
      const Label& c = children[i].label;
      if (c.solved()) continue;
      all += or_node ? c.disproof : c.proof;
      label.wins += c.wins;
      label.visits += c.visits;
    }
    const double first = until_one_decides(or_node, children);
    label.proof = or_node ? first : all;
    label.disproof = or_node ? all : first;
    label.limit();
  }

 private:
  template <class Children>
  PP_HD double until_one_decides(bool or_node, const Children& children) const {
    const auto cost_of = [&](int i, double* cost) {
      const Label& c = children[i].label;
      if (c.solved()) return false;
      *cost = this->cost(or_node, c);
      return true;
    };
    double sum = 0;
    double none = 1;  // the probability that none has decided the node so far
    visit_in_ascending_order(children.size(), cost_of, [&](int i) {
      const Label& c = children[i].label;
      sum += none * (or_node ? c.proof : c.disproof);
      none *= or_node ? c.loss_rate() : c.win_rate();
    });
    return sum;
  }
};
using Ews = EwsBy<LeafNumbers>;

}  // namespace playproof
