// What an algorithm of the list (host/solve/algorithms.h) is made of, and of what it makes a
// search.
//
// struct PnAlgorithm {
//   static CatalogueEntry info();           name, summary, options
//   static void complete(Options&);         optional: fills in defaults that depend on other
//                                           options; throws Error(kUsage) for combinations that
//                                           cannot be
//   template <Game G>
//   static std::unique_ptr<SolverBase<G>> make(SolverParts<G>& parts);
// };
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <string_view>
#include <utility>

#include "games/core/connection.h"
#include "games/core/error.h"
#include "games/core/look.h"
#include "games/core/race.h"
#include "games/core/spec.h"
#include "host/playouts/evaluator.h"
#include "host/playouts/evaluator_keeper.h"
#include "host/question/search_options.h"
#include "host/solve/make_solver.h"
#include "host/table/depth_first_options.h"

namespace playproof {

// The question, the options and the evaluator of one search.
template <Game G>
struct SolverParts {
  const typename G::Rules& rules;
  const typename G::State& position;
  Claim claim;
  const Options& options;  // of the algorithm, complete
  const SolveRequest& request;
  SolverNames names;
  const PlayoutEvaluator<G>* drivers = nullptr;  // of who drives the strokes; null: nobody does

  bool is(std::string_view key, std::string_view word) const { return options.word(key) == word; }
  int playouts() const { return static_cast<int>(options.integer("playouts")); }

  SearchOptions search_options(bool early_break) const {
    SearchOptions search;
    search.max_nodes = request.limits.max_nodes;
    search.max_bytes = memory_limit(request.limits);
    search.random_order = is("order", "random");
    search.seed = request.seed;
    search.order_seed = order_seed_of(request.seed);
    search.early_break = early_break;
    search.batch = request.batch;
    search.pipeline = request.pipeline;
    if (is("probe", "endings")) search.endings = static_cast<int>(options.integer("endings"));
    if (options.has("zones")) set_zones(&search);
    if constexpr (HasRaces<G>) set_races(&search);
    if constexpr (HasLooks<G>) {
      search.look = is("probe", "look1") ? 1 : is("probe", "look3") ? 3 : 0;
    }
    return search;
  }
  // Opens the backend of a search with playouts, takes one that is kept, or leaves them to who
  // drives the strokes.
  std::shared_ptr<PlayoutEvaluator<G>> evaluator() {
    std::shared_ptr<PlayoutEvaluator<G>> own;
    if (drivers == nullptr) {
      EvaluatorKeeper none;
      EvaluatorKeeper& keeper = request.evaluators != nullptr ? *request.evaluators : none;
      own = keeper.find<G>(rules, request.backend, request.threads);
    }
    const PlayoutEvaluator<G>& plays = own ? *own : *drivers;
    tell(plays);
    return own;
  }
  // One for each of the threads of a search, with its share of the playouts' threads.
  PlayoutEvaluators<G> evaluators() {
    if (request.workers == 1) return {evaluator()};
    const int threads = std::max(1, request.threads / request.workers);
    PlayoutEvaluators<G> all;
    for (int i = 0; i < request.workers; ++i) {
      all.push_back(EvaluatorKeeper().find<G>(rules, request.backend, threads));
      all.back()->share_among(request.workers);
    }
    tell(*all.front());
    return all;
  }

 private:
  void tell(const PlayoutEvaluator<G>& plays) {
    names.backend = plays.name();
    names.device = plays.device();
  }
  // Which wins by threats it looks for at its leaves.
  void set_races(SearchOptions* search) const {
    const bool doubles = is("probe", "vcdt");
    if (!doubles && !is("probe", "vcst")) return;
    RaceOptions& races = search->races;
    races.threats = doubles ? RaceOptions::Threats::kDouble : RaceOptions::Threats::kSingle;
    races.turns = static_cast<int>(options.integer("vcdtturns"));
    races.vcdt_work = static_cast<std::uint64_t>(options.integer("vcdtwork"));
    races.work = static_cast<std::uint64_t>(options.integer("vcstwork"));
    races.singles = static_cast<int>(options.integer("singles"));
  }
  // What a search with zones knows of connection games; without zones nothing.
  void set_zones(SearchOptions* search) const {
    search->zones = ZonedGame<G> && is("zones", "on");
    if (!search->zones) return;
    search->templates = is("probe", "templates");
    search->bridges = search->templates || is("probe", "bridges");
    search->links = is("probe", "connections");
    if (options.has("fill")) search->fill = fill_level(options);
    if (options.has("patterns")) search->patterns = static_cast<int>(options.integer("patterns"));
    search->ask_selected = options.has("ask") && is("ask", "selected");
  }
};

}  // namespace playproof
