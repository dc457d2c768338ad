// Bodies of host/make_solver.h, for the translation units that instantiate them.
#pragma once

#include <memory>
#include <string>
#include <utility>

#include "games/error.h"
#include "host/best_first.h"
#include "host/make_solver.h"
#include "host/make_table_solver.h"
#include "host/mcts.h"
#include "host/minimax_solver.h"
#include "host/schemes/deep_pn.h"
#include "host/schemes/mcpn.h"
#include "host/schemes/pn.h"
#include "host/schemes/ppn.h"
#include "host/tree_solver.h"

namespace playproof {

// Makes the solver that one algorithm spec names.
template <Game G>
class SolverFactory {
 public:
  SolverFactory(const typename G::Rules& rules, const typename G::State& position, int threshold,
                const Options& algorithm, const SolveRequest& request, SolverNames names)
      : rules_(rules),
        position_(position),
        options_(algorithm),
        request_(request),
        names_(std::move(names)) {
    claim_.attacker = G::to_move(rules, position);
    claim_.threshold = static_cast<Value>(threshold);
  }

  std::unique_ptr<ClaimSolver> make() {
    const std::string& name = options_.entry().name;
    if (name == "dfpn" || name == "pds" || name == "pnstar") return make_depth_first();
    if (request_.keeper != nullptr) {
      throw Error(ErrorCode::kUsage, "--keep-table: " + name + " has no table");
    }
    if (name == "minimax") {
      return std::make_unique<MinimaxSolver<G>>(rules_, position_, claim_, request_, names_,
                                                memory_limit(request_.limits));
    }
    if (name == "pn") return make_pn();
    if (name == "deeppn") return best_first(DeepPn{options_.real("R"), is("norm", "inv1")});
    if (name == "mcpn") return best_first(Mcpn{playouts(), win_rate_rule()});
    if (name == "ppn") return best_first(Ppn{playouts(), win_rate_rule()});
    return make_mcts(name == "uct");
  }

 private:
  bool is(std::string_view key, std::string_view word) const { return options_.word(key) == word; }
  int playouts() const { return static_cast<int>(options_.integer("playouts")); }
  WinRateRule win_rate_rule() const { return {is("rule", "beta"), options_.real("theta")}; }

  SearchOptions search_options(bool early_break) const {
    SearchOptions options;
    options.max_nodes = request_.limits.max_nodes;
    options.max_bytes = memory_limit(request_.limits);
    options.random_order = is("order", "random");
    options.order_seed = mix64(request_.seed ^ 0x6f726465725f6f66ull);
    options.early_break = early_break;
    return options;
  }

  std::unique_ptr<PlayoutEvaluator<G>> evaluator() {
    names_.backend = kShared;
    if (request_.backend == kShared) return nullptr;
    auto made = make_evaluator<G>(rules_, request_.backend, request_.seed, request_.threads);
    names_.backend = made->name();
    names_.device = made->device();
    return made;
  }

  template <class Scheme>
  std::unique_ptr<ClaimSolver> best_first(const Scheme& scheme, StopRule stop = StopRule::kAllis,
                                          bool stay_on_path = false) {
    using Engine = BestFirst<G, Scheme>;
    typename Engine::Options options{search_options(is("earlybreak", "on"))};
    options.stop = stop;
    options.stay_on_path = stay_on_path;
    std::unique_ptr<PlayoutEvaluator<G>> playouts;
    if constexpr (Scheme::kPlayouts) playouts = evaluator();
    return std::make_unique<TreeSolver<G, Engine>>(rules_, position_, claim_, request_, names_,
                                                   std::move(playouts), scheme, options);
  }

  std::unique_ptr<ClaimSolver> make_pn() {
    const std::string& rule = options_.word("stop");
    const StopRule stop = rule == "none"      ? StopRule::kNone
                          : rule == "allis"   ? StopRule::kAllis
                          : rule == "own"     ? StopRule::kOwn
                          : rule == "literal" ? StopRule::kLiteral
                                              : StopRule::kOne;
    // The rules that compare numbers know nothing of depths, so the order would not be that of the
    // full update.
    if (is("ties", "deepest") && stop != StopRule::kNone && stop != StopRule::kAllis) {
      throw Error(ErrorCode::kUsage,
                  "pn: ties=deepest needs stop=none or stop=allis, not stop=" + rule);
    }
    if (is("leaf", "playouts") || is("leaf", "both")) {
      return with_ties(PlayoutPn{leaf_numbers(options_)}, stop);
    }
    return with_ties(Pn{is("leaf", "mobility")}, stop);
  }
  template <class Scheme>
  std::unique_ptr<ClaimSolver> with_ties(const Scheme& pn, StopRule stop) {
    if (is("ties", "deepest")) return best_first(Deepest<Scheme>{pn}, stop);
    return best_first(pn, stop, is("ties", "path"));
  }

  std::unique_ptr<ClaimSolver> make_mcts(bool uct) {
    MctsRule rule{playouts()};
    if (uct) {
      rule.form = is("form", "inside") ? MctsRule::Form::kInside : MctsRule::Form::kOutside;
      rule.C = options_.real("C");
    }
    auto playouts = evaluator();
    return std::make_unique<TreeSolver<G, Mcts<G>>>(rules_, position_, claim_, request_, names_,
                                                    std::move(playouts), rule,
                                                    search_options(false));
  }

  std::unique_ptr<ClaimSolver> make_depth_first() {
    const DepthFirstOptions options =
        depth_first_options(options_, search_options(is("earlybreak", "on")));
    std::unique_ptr<PlayoutEvaluator<G>> playouts;
    if (options.leaf.playouts() > 0) playouts = evaluator();
    return make_table_solver<G>(rules_, position_, claim_, request_, names_, std::move(playouts),
                                options);
  }

  typename G::Rules rules_;
  typename G::State position_;
  const Options& options_;
  const SolveRequest& request_;
  SolverNames names_;
  Claim claim_;
};

template <Game G>
std::unique_ptr<ClaimSolver> make_claim_solver(const typename G::Rules& rules,
                                               const typename G::State& position, int threshold,
                                               const Options& algorithm,
                                               const SolveRequest& request, SolverNames names) {
  return SolverFactory<G>(rules, position, threshold, algorithm, request, std::move(names)).make();
}

// Asks one question of the oracle; false if its limits came first.
template <Game G>
bool ask_within(Minimax<G>& search, const typename G::State& state, const OracleLimits& limits) {
  constexpr std::uint64_t kSlice = 1 << 16;
  search.begin(state);
  while (!search.run(kSlice)) {
    if (search.full() || (limits.stop && limits.stop())) return false;
  }
  return true;
}

template <Game G>
OracleAnswer ask_oracle(const typename G::Rules& rules, const typename G::State& position,
                        int threshold, const OracleLimits& limits) {
  const Claim claim{G::to_move(rules, position), static_cast<Value>(threshold)};
  OracleAnswer answer;
  if (G::finished(rules, position)) {
    answer.reached = value_for(claim.attacker, G::value(rules, position)) >= threshold;
    return answer;
  }
  Minimax<G> search(rules, claim, limits.max_memory == 0 ? SearchLimits::kNone : limits.max_memory);
  Move moves[G::kMaxMoves];
  const int count = G::moves(rules, position, moves);
  for (int i = 0; i < count; ++i) {
    auto child = position;
    G::play(rules, child, moves[i]);
    if (!ask_within(search, child, limits)) {
      answer.complete = false;
      return answer;
    }
    answer.moves.emplace_back(moves[i], search.answer());
    answer.reached = answer.reached || search.answer();
  }
  return answer;
}

#define PLAYPROOF_INSTANTIATE_SOLVER(G)                                                         \
  template std::unique_ptr<ClaimSolver> make_claim_solver<G>(                                   \
      const G::Rules&, const G::State&, int, const Options&, const SolveRequest&, SolverNames); \
  template OracleAnswer ask_oracle<G>(const G::Rules&, const G::State&, int, const OracleLimits&);

}  // namespace playproof
