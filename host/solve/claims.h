// Goals that end in two claims: `value` (win, draw or loss) and `score` (the exact value). One
// claim after the other is searched for; the counters are sums. Trees begin anew; a search with a
// table goes on with what it holds, since bounds of values serve every claim (two-phase search,
// survey S2 section 9).
#pragma once

#include <algorithm>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "host/proof/strategy.h"
#include "host/solve/solver.h"

namespace playproof {

// What settles an exact value: value >= `least` and value <= `most`, each proven by a search or, if
// it is not given, true of every position of the game.
struct ExactProofs {
  std::optional<int> least;
  std::optional<int> most;
  // What the proofs that other searches have left play; null: this search can say it.
  const Strategy* least_moves = nullptr;
  const Strategy* most_moves = nullptr;
  Move first = kNoMove;  // of the proof of `least`; kNoMove: there is none
};

// Are these moves all legal ones?
inline bool are_all_of(const std::vector<Move>& moves, const std::vector<Move>& legal) {
  return std::all_of(moves.begin(), moves.end(), [&](Move move) {
    return std::find(legal.begin(), legal.end(), move) != legal.end();
  });
}

// A search for the one claim "value for the attacker >= threshold".
class ClaimSolver : public Solver {
 public:
  // Goes on with another claim, as a new solver would, its counters from zero, but with what this
  // one knows. Once it is decided; false if it cannot.
  virtual bool ask(int /*threshold*/, const SearchLimits& /*limits*/) { return false; }
  // The legal moves of the position, and whether it is a line of such from there on, as move_text()
  // writes them: what files say of both is held against it.
  virtual std::vector<Move> legal_moves() const = 0;
  virtual bool is_line(const std::vector<std::string>& moves) const = 0;
  // The lines of a certificate before its claims.
  virtual void write_header(ByteSink& out) const = 0;
  // The lines of one claim: value >= threshold (`proved`) or value < threshold. The bounds of
  // result() must say so.
  virtual void write_claim(int threshold, bool proved, ByteSink& out) = 0;

  // The first move of the proof that write_claim() writes of value >= `bound`; kNoMove if the
  // position is finished. The lower bound of result() must be `bound`.
  virtual Move first_move(int bound) = 0;
  // The moves of that proof, or of the one of the contrary, for a time when this search is gone;
  // nothing if a later search can say what the proof plays by itself.
  virtual std::optional<Strategy> strategy(int threshold, bool proved) = 0;
  // A line of play that keeps what is proven at every move, to the end of the game or as far as it
  // is known. Throws Error: kData (strategies that are none), kInternal (it ends otherwise).
  virtual std::vector<Move> exact_line(const ExactProofs& proofs) = 0;
};

// Makes the solver of the claim "value for the attacker >= threshold" under what is left of the
// limits.
using ClaimSolverMaker =
    std::function<std::unique_ptr<ClaimSolver>(int threshold, const SearchLimits& limits)>;

// How the exact value is closed in. Binary: the claim in the middle of what is possible. Linear: a
// win first, then up or down from there, each claim next to what is known (survey S2 section 9).
enum class Bracket : std::uint8_t { kBinary, kLinear };

// What a question of several claims counts: the sums of theirs, their deepest, their largest.
Counters operator+(const Counters& a, const Counters& b);

// The bounds that the answer to one claim sets: a proof that its threshold is reached is a bound
// from below, a disproof one from above. A question of the value alone keeps their signs.
struct ClaimBounds {
  int lower = 0;
  int upper = 0;
};
ClaimBounds claim_bounds(const SolveResult& answer, int threshold, bool value_only);

// Asks, with kValue, for "win" first, then for "draw" unless it won; bounds are those of win (1),
// draw (0), loss (-1). With kScore it brackets between min and max. The verdict is proved once the
// bounds meet. The request is that of the whole question; what decides it is kept on the disk if a
// certificate is wanted.
std::unique_ptr<Solver> make_two_claim_solver(const Goal& goal, int min, int max, Bracket bracket,
                                              const SolveRequest& request, ClaimSolverMaker make);

}  // namespace playproof
