#include "host/solve/solver.h"

#include <algorithm>

#include "games/core/error.h"
#include "games/core/perft.h"
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

void check_request(const SolveRequest& request) {
  if (request.batch < 1) throw Error(ErrorCode::kUsage, "batch must be at least 1");
  if (request.threads < 1) throw Error(ErrorCode::kUsage, "threads must be at least 1");
}

}  // namespace

std::unique_ptr<Solver> make_solver(const SolveRequest& request) {
  backend_catalogue().find(parse_spec(request.backend).name);
  return make_any_solver(request);
}

std::unique_ptr<Solver> make_any_solver(const SolveRequest& request) {
  check_request(request);
  const Options algorithm = algorithm_options(request.algorithm);
  const Goal goal = parse_goal(request.goal);
  return visit_game(
      request.game, [&]<class G>(const typename G::Rules& rules) -> std::unique_ptr<Solver> {
        const SolverNames names{GameText<G>::canonical(rules), algorithm.canonical(), goal.text};
        const int max = std::max<int>(G::max_value(rules), -G::min_value(rules));
        check_goal(goal, names.game, max);
        const auto position = GameText<G>::parse(rules, request.position);
        if (goal.kind == Goal::Kind::kThreshold) {
          return make_claim_solver<G>(rules, position, goal.threshold, algorithm, request, names);
        }
        auto make = [=](int threshold, const SearchLimits& limits) {
          SolveRequest claim = request;
          claim.limits = limits;
          return make_claim_solver<G>(rules, position, threshold, algorithm, claim, names);
        };
        return make_two_claim_solver(goal, -max, max, bracket_of(algorithm), request, make);
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
