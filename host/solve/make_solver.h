// From names to search templates. One translation unit a game type instantiates make_claim_solver
// (host/solve/make_solver.cpp.in); everything else sees only this declaration.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "games/core/spec.h"
#include "host/solve/claims.h"
#include "host/solve/solver_base.h"

namespace playproof {

// In place of a backend: the search gets no evaluator, whoever drives its strokes has one.
inline constexpr const char* kShared = "shared";

// A solver of the one claim "value for the attacker >= threshold". `algorithm` holds the options of
// an entry of algorithm_catalogue().
template <Game G>
std::unique_ptr<ClaimSolver> make_claim_solver(const typename G::Rules& rules,
                                               const typename G::State& position, int threshold,
                                               const Options& algorithm,
                                               const SolveRequest& request, SolverNames names);

// make_solver() of host/solve/solver.h, which lets no kShared pass.
std::unique_ptr<Solver> make_any_solver(const SolveRequest& request);

// The options that `text` names, with defaults that depend on other options filled in. Throws
// Error(kUsage).
Options algorithm_options(const std::string& text);

// The oracle of host/solve/solver.h for one game.
template <Game G>
OracleAnswer ask_oracle(const typename G::Rules& rules, const typename G::State& position,
                        int threshold, const OracleLimits& limits);

}  // namespace playproof
