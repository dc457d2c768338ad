// Goals that end in two claims: `value` (win, draw or loss) and `score` (the exact value). One
// claim after the other is searched for, each with a fresh tree; the counters are sums.
#pragma once

#include <functional>
#include <memory>

#include "host/solver.h"

namespace playproof {

// Makes the solver of the claim "value for the attacker >= threshold" under what is left of the
// limits.
using ClaimSolverMaker =
    std::function<std::unique_ptr<Solver>(int threshold, const SearchLimits& limits)>;

// kValue: first "win", then "draw" unless it won; bounds are those of win (1), draw (0), loss (-1).
// kScore: binary search between min and max. The verdict is proved once the bounds meet.
std::unique_ptr<Solver> make_two_claim_solver(const Goal& goal, int min, int max,
                                              const SearchLimits& limits, ClaimSolverMaker make);

}  // namespace playproof
