// Certificates with cards from exhaustive search, for tests.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "games/hex/rules.h"
#include "games/hex/text.h"
#include "host/proof/card_walk.h"
#include "host/solve/minimax_solver.h"
#include "tests/host/certified.h"

namespace playproof {

// In which order a source of cards lists replies, if it lists any.
enum class Listed { kNone, kUp, kDown };

// What an exhaustive search knows, as a source of host/proof/card_walk.h.
template <ConnectionGame G>
struct OracleCards {
  struct Handle {};
  Minimax<G>& search;
  ProofClaim claim;
  Listed listed = Listed::kNone;

  std::pair<Move, Handle> holding_move(Handle, const typename G::State& state) {
    Move moves[G::kMaxMoves];
    const int count = G::moves(search.rules(), state, moves);
    for (int i = 0; i < count; ++i) {
      auto child = state;
      G::play(search.rules(), child, moves[i]);
      if (search.ask(child) == claim.proved) return {moves[i], {}};
    }
    throw Error(ErrorCode::kInternal, "no move holds");
  }
  void replies(Handle, const typename G::State& state, std::vector<std::pair<Move, Handle>>& out) {
    if (listed == Listed::kNone) return;
    Move moves[G::kMaxMoves];
    const int count = G::moves(search.rules(), state, moves);
    for (int i = 0; i < count; ++i) {
      out.emplace_back(moves[listed == Listed::kUp ? i : count - 1 - i], Handle{});
    }
  }
  Handle after(Handle, const typename G::State&, Move) { return {}; }
};

// The proof of who wins a position of Hex that is not finished, with cards or (`cards` = false) as
// positions; `claims`: what is written, if it is not what the search says.
template <int W>
std::string hex_certificate(const typename Hex<W>::Rules& rules, const typename Hex<W>::State& root,
                            bool cards, Listed listed = Listed::kNone,
                            const CardLimits& limits = {}, bool lie = false) {
  using G = Hex<W>;
  const Player attacker = G::to_move(rules, root);
  const std::string position = GameText<G>::format(rules, root);
  TextSink text;
  CertificateSink sink(text);
  const char* version = limits.knowledge.fill != FillLevel::kOff ? "4"
                        : limits.knowledge.links                 ? "3"
                                                                 : "2";
  sink.write(std::string("playproof-certificate ") + (cards ? version : "1") + "\ngame ");
  sink.write(CertificateText<G>::game(rules) + "\nrules 1\nposition");
  sink.write((position.empty() ? "" : " " + position) + "\ngoal win\nattacker ");
  sink.write(attacker == Player::kFirst ? "first\n" : "second\n");
  Minimax<G> search(rules, {attacker, 1});
  const ProofClaim claim{{attacker, 1}, search.ask(root) != lie};
  ProofLines<G> lines(rules, claim, position, sink);
  if (cards) {
    OracleCards<G> source{search, claim, listed};
    CardWalk<G, OracleCards<G>>(lines, source, limits).write(root, {});
  } else {
    OracleProof<G> source{search, claim};
    ProofWalk<G, OracleProof<G>>(lines, source).write(root, {});
  }
  sink.finish();
  return text.text();
}

}  // namespace playproof
