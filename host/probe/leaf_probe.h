// A leaf's way, and the probes on it. A probe is whatever can say something of a leaf before a
// search does: an exact ending, a search of a second level. It answers with
//   a proof     bounds that decide the claim: the leaf is decided, nothing is searched below it. In
//               games with zones (host/zone/zone.h) it may say which zone they need, and why
//   numbers     proof and disproof number of what stays open
//   nothing     the leaf goes on its way
// What a probe decides rests on the rules alone, like every other bound; how it comes into a
// certificate: host/proof/tree_proof.h.
#pragma once

#include <concepts>
#include <cstdint>

#include "games/core/connection.h"
#include "games/core/game.h"
#include "host/knowledge/judgement.h"
#include "host/question/counters.h"
#include "host/question/question.h"
#include "kernels/numbers/bounds.h"
#include "kernels/numbers/proof_number.h"

namespace playproof {

// What a probe says of an open position; 0 and 0: it gives no numbers.
struct ProbeNumbers {
  ProofNumber pn = 0;
  ProofNumber dn = 0;
  bool given() const { return pn > 0; }
};

template <class G>
struct ProbeAnswer {
  Bounds bounds;  // of the value for the attacker; those of every position if nothing was found
  ProbeNumbers numbers = {};
  // A proof has a zone if there is evidence, and a move where the winner is to move: kNoMove is
  // any.
  [[no_unique_address]] Zone<G> zone = {};
  Move move = kNoMove;
  Evidence evidence = Evidence::kNone;

  bool has_zone() const { return evidence != Evidence::kNone; }
};

// If a win of who is to move was found, that decides the position; else nothing is known of it.
template <Game G>
ProbeAnswer<G> answer_of_win(const typename G::Rules& rules, const typename G::State& state,
                             const Claim& claim, bool found) {
  if (!found) return {unknown_bounds<G>(rules, claim.attacker)};
  const Value win =
      G::to_move(rules, state) == Player::kFirst ? G::max_value(rules) : G::min_value(rules);
  return {Bounds::exact(value_for(claim.attacker, win))};
}

// clang-format off
template <class P, class G>
concept LeafProbe = requires(P& probe, const P& asked, const typename G::State& state,
                             const Claim& claim, std::uint64_t work, Counters& counters) {
  // Is it asked about this position, which is not finished? Depends on the position alone.
  { asked.applies_to(state) } -> std::same_as<bool>;
  // Asks: then run() until it is true, each time about so much work (positions), so that whoever
  // asks may look at the clock between; a probe that is quick has its answer the first time.
  { probe.begin(state, claim) };
  { probe.run(work) } -> std::same_as<bool>;
  // The same question has the same answer.
  { asked.answer() } -> std::same_as<ProbeAnswer<G>>;
  // Adds what the answer took.
  { asked.count(counters) };
};
// clang-format on

// Asks a probe that is quick.
template <class Probe>
auto ask(Probe& probe, const auto& state, const Claim& claim) {
  probe.begin(state, claim);
  while (!probe.run(~std::uint64_t{0})) {
  }
  return probe.answer();
}

// A leaf's way: who is first to say something of a new leaf. Trees and tables ask in this order.
//   by_rules()     the game is over
//   by_probe()     a probe decides it. (A depth-first search puts off one that decides whatever it
//                  takes until it enters the leaf, and gives it a first number until then.)
//   by_table()     it was met before; only where there is a table
//   by_playouts()  they are asked for, and say its numbers later; only where leaves have playouts
//   by_number()    its first numbers follow from the position
// Where what is known of one leaf may decide its siblings (host/zone/zone.h), the first three are
// asked of all siblings before the others are. Inlined: PN-search spends a sixth of its
// instructions on the call otherwise.
template <class Leaf>
[[gnu::always_inline]] inline bool leaf_is_known(Leaf&& leaf) {
  if (leaf.by_rules()) return true;
  if (leaf.by_probe()) return true;
  if constexpr (requires { leaf.by_table(); }) return leaf.by_table();
  return false;
}
template <class Leaf>
[[gnu::always_inline]] inline void estimate_leaf(Leaf&& leaf) {
  if constexpr (requires { leaf.by_playouts(); }) {
    if (leaf.by_playouts()) return;
  }
  leaf.by_number();
}
template <class Leaf>
[[gnu::always_inline]] inline void leaf_way(Leaf&& leaf) {
  if (!leaf_is_known(leaf)) estimate_leaf(leaf);
}

}  // namespace playproof
