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

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>
#include <vector>

#include "kernels/numbers/leaf_numbers.h"
#include "kernels/schemes/scheme.h"

namespace playproof {

struct EwsLabel {
  double proof = 1;  // expected work; at least 1 where nothing is solved
  double disproof = 1;
  double wins = 0;  // playouts below that reach the goal, and all of them; 0 of a solved node
  double visits = 0;

  double win_rate() const { return (wins + 1) / (visits + 2); }
  double loss_rate() const { return (visits - wins + 1) / (visits + 2); }
  bool solved() const { return proof == 0 || disproof == 0; }
  bool operator==(const EwsLabel&) const = default;

  // Is it a label? For what was read from a file.
  bool valid() const {
    if (*this == EwsLabel{proof, disproof, 0, 0} && solved()) {
      return std::max(proof, disproof) == std::numeric_limits<double>::infinity();
    }
    return proof >= 1 && proof <= kMostWork && disproof >= 1 && disproof <= kMostWork &&
           wins >= 0 && wins <= visits && visits <= kMostVisits;
  }
  // Where lines meet again sums count what is below once a line, and may outgrow every number: then
  // they stay at the greatest, and the visits at half as many, at the same rate.
  void limit() {
    proof = std::min(proof, kMostWork);
    disproof = std::min(disproof, kMostWork);
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
struct EwsLeafWork {
  LeafNumbers numbers;
  int plies = 0;
  bool times_moves = false;

  static EwsLeafWork unit() { return {LeafNumbers::unit()}; }
  static EwsLeafWork rollout() { return {LeafNumbers::unit(), 1, true}; }
  static EwsLeafWork both(int playouts, double A, int plies) {
    return {LeafNumbers::from_playouts(playouts, {RateForm::Kind::kPower, A}, true), plies};
  }

  std::pair<double, double> operator()(const Leaf& leaf) const {
    const double won = leaf.or_node ? leaf.reached : leaf.playouts - leaf.reached;
    const PhiDeltaPair pair = numbers(leaf.depth, leaf.mobility, won);
    double factor = times_moves ? leaf.mobility : 1;
    for (int i = 0; i < plies; ++i) factor *= leaf.plies_left;
    return {static_cast<double>(pair.phi) * factor, static_cast<double>(pair.delta) * factor};
  }
};

struct Ews {
  using Label = EwsLabel;
  static constexpr bool kPlayouts = true;
  static constexpr double kInf = std::numeric_limits<double>::infinity();
  int playouts = 32;
  EwsLeafWork work = EwsLeafWork::both(playouts, 32768, 2);

  Label proved() const { return {0, kInf, 0, 0}; }
  Label disproved() const { return {kInf, 0, 0, 0}; }
  bool needs_mobility() const { return true; }  // and the side to move, and plies left
  Label leaf(const Leaf& leaf) const {
    const auto [win, loss] = work(leaf);
    const Label label{win, loss, leaf.reached, leaf.playouts};
    return leaf.or_node ? label : Label{loss, win, leaf.reached, leaf.playouts};
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
  double cost(bool or_node, const Label& c) const {
    return or_node ? c.proof / c.win_rate() : c.disproof / c.loss_rate();
  }
  bool prefers(bool or_node, const Label& a, const Label& b) const {
    return cost(or_node, a) < cost(or_node, b);
  }
  // Does a cost at most 1 / share times as much as b?
  bool nearly(bool or_node, const Label& a, const Label& b, double share) const {
    return !(cost(or_node, b) < cost(or_node, a) * share);
  }

  template <class Children>
  void back_up(bool or_node, const Children& children, Label& label) const {
    std::vector<Try> tries;
    tries.reserve(static_cast<std::size_t>(children.size()));
    double all = 0;  // the work if none decides the node
    label = Label{0, 0, 0, 0};
    for (int i = 0; i < children.size(); ++i) {
      const Label& c = children[i].label;
      if (c.solved()) continue;
      tries.push_back({cost(or_node, c), or_node ? c.proof : c.disproof,
                       or_node ? c.loss_rate() : c.win_rate(), i});
      all += or_node ? c.disproof : c.proof;
      label.wins += c.wins;
      label.visits += c.visits;
    }
    const double first = until_one_decides(tries);
    label.proof = or_node ? first : all;
    label.disproof = or_node ? all : first;
    label.limit();
  }

 private:
  struct Try {
    double cost;
    double work;
    double fails;  // the probability that it does not decide the node
    int child;
    friend bool operator<(const Try& a, const Try& b) {
      return a.cost != b.cost ? a.cost < b.cost : a.child < b.child;
    }
  };
  static double until_one_decides(std::vector<Try>& tries) {
    std::sort(tries.begin(), tries.end());
    double sum = 0;
    double none = 1;  // the probability that none has so far
    for (const Try& next : tries) {
      sum += none * next.work;
      none *= next.fails;
    }
    return sum;
  }
};

}  // namespace playproof
