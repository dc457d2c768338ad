#include "host/solve/solver.h"

#include <algorithm>

#include "games/core/error.h"
#include "games/core/perft.h"
#include "games/core/rules_owner.h"
#include "games/list.h"
#include "host/playouts/evaluator.h"
#include "host/solve/claims.h"
#include "host/solve/make_solver.h"

namespace playproof {
namespace {

Bracket bracket_of(const Options& algorithm) {
  const auto& options = algorithm.entry().options;
  const bool chosen = std::any_of(options.begin(), options.end(), [](const OptionInfo& option) {
    return option.name == "bracket";
  });
  const bool linear = chosen && algorithm.word("bracket") == "linear";
  return linear ? Bracket::kLinear : Bracket::kBinary;
}

}  // namespace

std::unique_ptr<Solver> make_solver(const SolveRequest& request) {
  backend_catalogue().find(parse_spec(request.backend).name);
  return visit_game(request.game,
                    [&]<class G>(const typename G::Rules& rules) -> std::unique_ptr<Solver> {
                      const ReadRequest<G> read = read_request<G>(rules, request);
                      if (read.goal.kind == Goal::Kind::kThreshold) {
                        return make_claim_solver<G>(rules, read.position, read.goal.threshold,
                                                    read.algorithm, request, read.names);
                      }
                      const RulesOwner<G> owner(rules);
                      auto make = [=](int threshold, const SearchLimits& limits) {
                        static_cast<void>(owner);  // as long as claims are made
                        SolveRequest claim = request;
                        claim.limits = limits;
                        return make_claim_solver<G>(rules, read.position, threshold, read.algorithm,
                                                    claim, read.names);
                      };
                      return make_two_claim_solver(read.goal, -read.max_value, read.max_value,
                                                   bracket_of(read.algorithm), request, make);
                    });
}

bool same_position(const std::string& game, const std::string& a, const std::string& b) {
  return visit_game(game, [&]<class G>(const typename G::Rules& rules) {
    return GameText<G>::parse(rules, a) == GameText<G>::parse(rules, b);
  });
}

std::uint64_t perft(const std::string& game, const std::string& position, int depth,
                    bool reference) {
  return visit_game(game, [&]<class G>(const typename G::Rules& rules) {
    const auto state = GameText<G>::parse(rules, position);
    return reference ? perft_by_reference<G>(rules, state, depth) : perft<G>(rules, state, depth);
  });
}

OracleAnswer oracle(const std::string& game, const std::string& position, const std::string& goal,
                    const OracleLimits& limits) {
  const Goal asked = parse_goal(goal);
  if (asked.kind != Goal::Kind::kThreshold) {
    throw Error(ErrorCode::kUsage, "oracle: goal must be win, draw or score>=N, not " + goal);
  }
  return visit_game(game, [&]<class G>(const typename G::Rules& rules) {
    check_goal(asked, GameText<G>::canonical(rules), G::max_value(rules));
    return ask_oracle<G>(rules, GameText<G>::parse(rules, position), asked.threshold, limits);
  });
}

}  // namespace playproof
