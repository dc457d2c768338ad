// Names become search templates here. One translation unit a game type, or three, instantiate
// make_claim_solver (host/solve/make_solver.cpp.in, make_solver_parts.cpp.in); everything else sees
// only this declaration.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>

#include "games/core/connection.h"
#include "games/core/ending.h"
#include "games/core/error.h"
#include "games/core/look.h"
#include "games/core/quads.h"
#include "games/core/race.h"
#include "games/core/spec.h"
#include "games/core/symmetry.h"
#include "games/core/text.h"
#include "host/playouts/evaluator.h"
#include "host/solve/option_rows.h"
#include "host/solve/solver_base.h"

namespace playproof {

// The options that `text` names, with defaults that depend on the game (does it have proof zones?)
// and on other options filled in. Throws Error(kUsage).
// `repeats`: in the game positions can come again. `has_races`: steps may be turns there.
Options algorithm_options(const std::string& text, bool has_zones, bool repeats = false,
                          bool has_races = false);

// Has it several workers, or does it go on with what several have begun?
inline bool has_workers(const SolveRequest& request) {
  return request.workers > 1 || request.workers_before > 1;
}

// Throws Error(kUsage) if the request has more than one worker, and the algorithm with these
// options or the game (`repeats`) does not; if it says of several what one has not.
void check_workers(const SolveRequest& request, const Options& algorithm, bool repeats);

// Throws Error(kUsage) if these options ask for quads, which the game has not.
void check_without_quads(const Options& algorithm);

// What a run of this game with this goal is, for options that have an effect in some runs alone
// (rows::RunKind).
template <Game G>
std::uint32_t run_kind(const Goal& goal) {
  std::uint32_t kind = 0;
  if (ZonedGame<G>) kind |= rows::kGameHasZones;
  if (HasEnding<G>) kind |= rows::kGameHasEndings;
  if (HasRaces<G>) kind |= rows::kGameHasRaces;
  if (kHasSymmetries<G>) kind |= rows::kGameHasSymmetries;
  if (!AcyclicGame<G>) kind |= rows::kGameRepeats;
  if (HasLooks<G>) kind |= rows::kGameHasLooks;
  if (goal.kind == Goal::Kind::kScore) kind |= rows::kAsksForScore;
  return kind;
}

// A request, read under the rules of the game that it names.
template <Game G>
struct ReadRequest {
  Options algorithm;
  Goal goal;
  SolverNames names;
  int max_value;  // of the game, for either side
  typename G::State position;
};
// Throws Error: kUsage (options, goal, counts below 1), kData (position).
template <Game G>
ReadRequest<G> read_request(const typename G::Rules& rules, const SolveRequest& request) {
  if (request.batch < 1) throw Error(ErrorCode::kUsage, "batch must be at least 1");
  if (request.pipeline < 1 || request.pipeline > kMostPipeline) {
    throw Error(ErrorCode::kUsage, "pipeline must be 1.." + std::to_string(kMostPipeline));
  }
  if (request.threads < 1) throw Error(ErrorCode::kUsage, "threads must be at least 1");
  Options algorithm =
      algorithm_options(request.algorithm, ZonedGame<G>, !AcyclicGame<G>, HasRaces<G>);
  check_workers(request, algorithm, !AcyclicGame<G>);
  if (!HasQuads<G>) check_without_quads(algorithm);
  Goal goal = parse_goal(request.goal);
  SolverNames names{GameText<G>::canonical(rules), algorithm.canonical(), goal.text};
  const std::uint32_t workers = has_workers(request) ? +rows::kHasWorkers : 0U;
  names.algorithm_in_effect = algorithm.in_effect(run_kind<G>(goal) | workers);
  const int max = std::max<int>(G::max_value(rules), -G::min_value(rules));
  check_goal(goal, names.game, max);
  return {std::move(algorithm), std::move(goal), std::move(names), max,
          GameText<G>::parse(rules, request.position)};
}

// A solver of the one claim "value for the attacker >= threshold". `algorithm` holds the options of
// an entry of algorithm_catalogue(). If `drivers` is given, who drives the strokes plays the
// playouts with it; the request's backend is not looked at.
template <Game G>
std::unique_ptr<SolverBase<G>> make_claim_solver(const typename G::Rules& rules,
                                                 const typename G::State& position, int threshold,
                                                 const Options& algorithm,
                                                 const SolveRequest& request, SolverNames names,
                                                 const PlayoutEvaluator<G>* drivers = nullptr);

// Games in which positions can come again and that searches know: certificates of them can be
// written.
template <class G>
concept PathGame = Game<G> && !AcyclicGame<G> && requires(const typename G::Rules& rules) {
  CertificateText<G>::for_each_line(rules, [](const std::string&) {});
};

// Most searches know a position's value whatever the path to it.
[[noreturn]] inline void refuse_repetition(const std::string& search) {
  throw Error(ErrorCode::kUsage, search +
                                     " needs a game in which no position can come again, and in "
                                     "this one it can (games/core/game.h, PathRule)");
}

// The oracle of host/solve/solver.h for one game.
template <Game G>
OracleAnswer ask_oracle(const typename G::Rules& rules, const typename G::State& position,
                        int threshold, const OracleLimits& limits);

}  // namespace playproof
