// --selfcheck: what a verdict is held against before it is printed.
//   0  nothing
//   1  the certificate, by the rules of proof and the reference rules of the game (src/check), the
//      best move, which must be the one it plays, and the line, played to the end
//   2  and every node of the tree at the end (Solver::self_check)
//   3  and every node now and then while the search runs
#pragma once

#include <cstdint>
#include <string>

#include "host/solve/solver.h"

namespace playproof {

inline constexpr std::uint64_t kMostSelfCheck = 3;

// Level 1. `verdict` is what will be printed: "proved", "disproved"; for the goal `value` "win",
// "draw" or "loss", for `score` the number. Throws Error: kInternal if the certificate, the
// best move or the line is refused, kOutput if temporary files cannot be written.
void check_certificate(Solver& solver, const std::string& position, const std::string& verdict);

// Level 3: looks at the tree whenever the search has grown by half, so that all looks together cost
// about three times the last one.
class TreeGuard {
 public:
  // Throws Error(kInternal).
  void look(const Solver& solver);

 private:
  std::uint64_t next_ = 1;  // iterations
};

}  // namespace playproof
