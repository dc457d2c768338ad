// The numbers of a node under their names, as people look at them.
#pragma once

#include <cstdint>
#include <limits>
#include <type_traits>

#include "host/question/node_row.h"
#include "kernels/numbers/phi_delta.h"
#include "kernels/numbers/probability.h"
#include "kernels/numbers/proof_number.h"

namespace playproof {

// A number that is kept for solved nodes alone is shown as infinity.
template <class Number>
double shown(Number number) {
  constexpr double kInf = std::numeric_limits<double>::infinity();
  if constexpr (std::is_same_v<Number, ProofNumber>) return number == kInfinity ? kInf : number;
  if constexpr (std::is_same_v<Number, PhiDelta>) {
    if (number >= kPhiDeltaInfinity) return kInf;
  }
  return static_cast<double>(number);
}

// The numbers of a label of any scheme (kernels/schemes).
template <class Label>
NodeNumbers node_numbers(const Label& label) {
  NodeNumbers numbers;
  if constexpr (requires { label.pn; }) {
    numbers = {{"pn", shown(label.pn)}, {"dn", shown(label.dn)}};
  }
  if constexpr (requires { label.leaf_depth; }) {
    numbers.push_back({"leaf_depth", static_cast<double>(label.leaf_depth)});
  }
  if constexpr (requires { label.disproof; }) {
    numbers = {{"work_to_win", label.proof}, {"work_to_lose", label.disproof}};
    if (label.visits > 0) numbers.push_back({"win_rate", label.win_rate()});
  }
  if constexpr (std::is_same_v<Label, Probability>) numbers = {{"p", label.value()}};
  if constexpr (requires { label.reward; }) {
    numbers = {{"visits", static_cast<double>(label.visits)}};
  }
  return numbers;
}

// The numbers of a position as a depth-first search knows it. `attackers`: the numbers are those of
// the attacker, to move or not.
inline NodeNumbers node_numbers(const PhiDeltaPair& pair, bool attackers) {
  const PhiDeltaPair own = attackers ? pair : pair.turned();
  return {{"pn", shown(own.phi)}, {"dn", shown(own.delta)}};
}

}  // namespace playproof
