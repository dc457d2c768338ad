// The proof behind the answer of a search of a game whose positions can come again: of each
// position the prover's move, found once more. A source of host/proof/path_walk.h.
//
// Where the rule blames nobody each position is asked about as if it had no past: it is the
// prover's then, too, by what a proof is (host/path/repetition.h). Where repetition does not suit
// him, his moves must come nearer to the end; those of one search that lost nothing do, since each
// rests on what was proven before it. So all answers are of one search beside the first.
#pragma once

#include <cstddef>
#include <span>
#include <utility>
#include <vector>

#include "games/core/error.h"
#include "host/path/repetition.h"
#include "host/probe/game_probe.h"
#include "host/proof/proof_writer.h"
#include "host/proof/strategy.h"

namespace playproof {

template <Game G, class Engine>
class PathProof {
 public:
  using State = typename G::State;
  using Rules = typename G::Rules;
  struct Handle {};

  PathProof(const Rules& rules, const ProofClaim& claim, const Engine& engine)
      : rules_(rules),
        claim_(claim),
        blames_(blames_mover(path_rule<G>(rules))),
        probe_(rules, asked_by(engine)),
        engine_(engine.another(claim.claim)) {}

  void enter(const State& state) { before_.push_back(state); }
  void leave() { before_.pop_back(); }
  void replies(Handle /*handle*/, const State& state, bool one,
               std::vector<std::pair<Move, Handle>>& out) {
    if (one) {
      out.emplace_back(holding_move(state), Handle{});
      return;
    }
    Move moves[G::kMaxMoves];
    const int count = G::moves(rules_, state, moves);
    for (int i = 0; i < count; ++i) out.emplace_back(moves[i], Handle{});
  }
  // The prover's move, where he is to move and the claim holds.
  Move holding_move(const State& state) {
    // What a look has decided no table knows. It comes nearer to the end in any case.
    if constexpr (HasLooks<G>) {
      const Move move = probe_.move(state);
      if (move != kNoMove) return move;
    }
    engine_.begin(state, blames_ ? std::span<const State>(before_) : std::span<const State>());
    while (engine_.run(kCalls) == StopReason::kRunning) continue;
    if (engine_.proved() != claim_.proved || engine_.best_move() == kNoMove) {
      throw Error(ErrorCode::kInternal, "the search says what is not so");
    }
    return engine_.best_move();
  }

 private:
  static SearchOptions asked_by(const Engine& engine) {
    if constexpr (requires { engine.options().search; }) return engine.options().search;
    return {};
  }
  static constexpr std::uint64_t kCalls = 1 << 16;

  Rules rules_;
  ProofClaim claim_;
  bool blames_;
  GameProbe<G> probe_;
  decltype(std::declval<const Engine&>().another(Claim{})) engine_;
  std::vector<State> before_;
};

// What the prover plays along one line.
template <Game G, class Engine>
class PathGuide final : public Guide<G> {
 public:
  using State = typename G::State;
  PathGuide(const typename G::Rules& rules, const ProofClaim& claim, const Engine& engine)
      : proof_(rules, claim, engine) {}
  Move move(const State& state) override { return proof_.holding_move(state); }
  void follow(const State& state, Move /*move*/) override { proof_.enter(state); }

 private:
  PathProof<G, Engine> proof_;
};

}  // namespace playproof
