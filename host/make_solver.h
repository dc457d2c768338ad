// From names to search templates. One translation unit a game instantiates make_claim_solver
// (host/make_solver_<game>.cpp); everything else sees only this declaration.
#pragma once

#include <cstdint>
#include <memory>

#include "games/spec.h"
#include "host/claims.h"
#include "host/solver_base.h"

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

// make_solver() of host/solver.h, which lets no kShared pass.
std::unique_ptr<Solver> make_any_solver(const SolveRequest& request);

// The oracle of host/solver.h for one game.
template <Game G>
OracleAnswer ask_oracle(const typename G::Rules& rules, const typename G::State& position,
                        int threshold, const OracleLimits& limits);

// Bytes a search may use: the limit asked for, else four fifths of the machine's memory.
std::uint64_t memory_limit(const SearchLimits& limits);

}  // namespace playproof
