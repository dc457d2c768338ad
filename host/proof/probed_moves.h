// What the prover plays where a probe has decided and nothing was searched: the moves by which the
// exact ending of the game holds the claim.
#pragma once

#include "games/core/game.h"
#include "host/probe/endings.h"
#include "host/probe/leaf_probe.h"
#include "host/proof/proof_writer.h"

namespace playproof {

template <Game G>
class ProbedMoves {
 public:
  using State = typename G::State;

  ProbedMoves(const typename G::Rules& rules, const ProofClaim& claim, const EndingProbe<G>& probe)
      : rules_(rules), claim_(claim), probe_(probe) {}

  // Is all that follows left to the probe? (Never said of the root of a search, which has moves.)
  bool takes(const State& state) const { return probe_.takes(state); }
  // The lowest move that holds the claim; kNoMove if none does. The prover is to move.
  Move holding_move(const State& state) {
    Move moves[G::kMaxMoves];
    const int count = G::moves(rules_, state, moves);
    for (int i = 0; i < count; ++i) {
      State child = state;
      G::play(rules_, child, moves[i]);
      if (claim_.holds(known(child))) return moves[i];
    }
    return kNoMove;
  }

 private:
  Bounds known(const State& state) {
    const Claim& claim = claim_.claim;
    if (!G::finished(rules_, state)) return ask(probe_, state, claim).bounds;
    return Bounds::exact(value_for(claim.attacker, G::value(rules_, state)));
  }

  typename G::Rules rules_;
  ProofClaim claim_;
  EndingProbe<G> probe_;
};

}  // namespace playproof
