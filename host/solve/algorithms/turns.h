// Searches whose steps are turns where the game has such (games/connect/rzop.h): pn, deeppn, mcpn,
// ppn, dfpn, pds and pnstar with turns=, and rzop.
#pragma once

#include <cstdint>
#include <limits>
#include <memory>
#include <string>
#include <utility>

#include "games/core/error.h"
#include "host/playouts/evaluator_keeper.h"
#include "host/solve/algorithm.h"
#include "host/solve/option_rows.h"
#include "host/solve/turn_solver.h"

namespace playproof {

template <class G, class Numbers>
struct TurnMaker {  // of a game whose steps are moves
  static std::unique_ptr<SolverBase<G>> make(SolverParts<G>& /*parts*/,
                                             const RzopOptions& /*options*/,
                                             const Numbers& /*numbers*/) {
    return nullptr;
  }
};
template <int W, class Numbers>
struct TurnMaker<Connect<W>, Numbers> {
  using G = Connect<W>;
  static std::unique_ptr<SolverBase<G>> make(SolverParts<G>& parts, const RzopOptions& options,
                                             const Numbers& numbers) {
    const std::string& name = parts.options.entry().name;
    if (parts.rules.stones != 2) {
      throw Error(ErrorCode::kUsage,
                  name + ": stones must be 2 a turn, not " + std::to_string(parts.rules.stones));
    }
    if (parts.request.keeper != nullptr) {
      throw Error(ErrorCode::kUsage, "--keep-table: " + name + " on turns has no table");
    }
    if (parts.request.workers > 1) {
      throw Error(ErrorCode::kUsage, "--workers: " + name + " on turns has one");
    }
    if (parts.request.batch > 1 || parts.request.pipeline > 1) {
      throw Error(ErrorCode::kUsage,
                  std::string(parts.request.batch > 1 ? "--batch" : "--pipeline") + ": " + name +
                      " on turns asks about one leaf at a time");
    }
    std::shared_ptr<PlayoutEvaluator<G>> plays;
    if (numbers.playouts() > 0) {  // it has no strokes for anybody to drive: they are its own
      if (parts.drivers != nullptr) {
        throw Error(ErrorCode::kUsage,
                    name + " on turns plays its playouts itself: it shares none");
      }
      EvaluatorKeeper none;
      EvaluatorKeeper& keeper =
          parts.request.evaluators != nullptr ? *parts.request.evaluators : none;
      plays = keeper.find<G>(parts.rules, parts.request.backend, parts.request.threads);
      parts.names.backend = plays->name();
      parts.names.device = plays->device();
    }
    return TurnSolver<W, Numbers>::make(parts.rules, parts.position, parts.claim, parts.request,
                                        parts.names, options, numbers, std::move(plays));
  }
};

// The search on turns that the options ask for; null if its steps are moves.
template <Game G, class Numbers>
std::unique_ptr<SolverBase<G>> make_turn_search(SolverParts<G>& parts, const Numbers& numbers) {
  const int width = rows::turns_of(parts.options);
  if (width == 0) return nullptr;
  RzopOptions options;
  options.threats.turns = static_cast<int>(parts.options.integer("vcdtturns"));
  options.threats.work = static_cast<std::uint64_t>(parts.options.integer("vcdtwork"));
  if (parts.options.has("probe") && parts.is("probe", "vcst")) {
    options.singles.emplace();
    options.singles->singles = static_cast<int>(parts.options.integer("singles"));
    options.singles->work = static_cast<std::uint64_t>(parts.options.integer("vcstwork"));
  }
  options.work = std::numeric_limits<std::uint64_t>::max() / 2;  // limits are those of any search
  options.width = width;
  options.lazy = parts.is("replies", "lazy");
  options.by_zones = parts.is("order", "zones");
  return TurnMaker<G, Numbers>::make(parts, options, numbers);
}

}  // namespace playproof
