// The error of the interim move over the course of a search (thesis of Zhang Song, figures 5-9 and
// 5-12; tie rule: expectation over the tied moves).
#pragma once

#include <functional>
#include <optional>

#include "host/solve/solver.h"
#include "src/store/run_row.h"

namespace playproof {

// Searches again, now listening to the interim moves: so that the timed search is disturbed by
// nothing. Returns the change points of the share of tied moves that are wrong: the root is won and
// this move does not win. Solved: 0. A root that is not won cannot err: one point (0, 0), without a
// search. Nothing if `stopped` came first. Throws Error(kInternal) if the second search differs
// from `first`.
std::optional<ErrorCurve> error_curve(const SolveRequest& request, const OracleAnswer& answer,
                                      const SolveResult& first,
                                      const std::function<bool()>& stopped);

}  // namespace playproof
