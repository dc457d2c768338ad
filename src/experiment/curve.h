// The error of the interim move over the course of a search (thesis of Zhang Song, figures 5-9 and
// 5-12; tie rule: expectation over the tied moves).
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "host/solve/solver.h"
#include "host/solve/whole_searches.h"
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

// The same, of a search that another drives.
class CurveRecorder {
 public:
  // What exhaustive search says; it must live as long.
  explicit CurveRecorder(const OracleAnswer& answer);
  // Must come before the second search begins.
  void listen(Solver& solver);
  // May be asked once it has ended. Throws Error(kInternal) as above.
  ErrorCurve end(const SolveRequest& request, const SolveResult& first, const SolveResult& second);
  // The curve of a search on a device, which has recorded its own.
  ErrorCurve end(const WholeAnswer& found);

 private:
  void hear(std::uint64_t iteration, const std::vector<Move>& tied);
  void add(std::uint64_t iteration, double error);

  enum class Kind : std::uint8_t { kIllegal, kWins, kWrong };
  const OracleAnswer& answer_;
  std::vector<Kind> kind_;
  ErrorCurve curve_;
};

}  // namespace playproof
