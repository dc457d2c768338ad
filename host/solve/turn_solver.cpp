#include "host/solve/turn_solver.h"

#include <array>
#include <cstdint>
#include <memory>
#include <utility>

#include "games/connect/rzop.h"
#include "host/solve/threat_solver_impl.h"
#include "kernels/common/playout.h"
#include "kernels/schemes/claim.h"
#include "kernels/schemes/deep_pn.h"
#include "kernels/schemes/mcpn.h"
#include "kernels/schemes/ppn.h"

namespace playproof {

template <int W, class Numbers>
auto TurnSolver<W, Numbers>::make(const typename Game::Rules& rules,
                                  const typename Game::State& position, const Claim& claim,
                                  const SolveRequest& request, SolverNames names,
                                  const RzopOptions& options, const Numbers& numbers,
                                  std::shared_ptr<PlayoutEvaluator<Game>> evaluator)
    -> std::unique_ptr<SolverBase<Game>> {
  using Search = Rzop<W, Numbers>;
  typename Search::Settings settings{options, numbers, nullptr};
  if (evaluator) {
    settings.play = [evaluator, rules, claim, seed = request.seed](
                        const typename Game::State& state, std::uint32_t first,
                        std::uint32_t count) {
      const LeafRequest<Game> leaf{state, {seed, Game::key(rules, state)}, first, count};
      std::array<Tally, 1> tally;
      evaluator->collect(evaluator->submit({&leaf, 1}), tally);
      return static_cast<std::uint32_t>(reached(tally[0], claim));
    };
  }
  return std::make_unique<ThreatSolver<W, Search>>(rules, position, claim, request,
                                                   std::move(names), settings);
}

template struct TurnSolver<1, TurnProofNumbers>;
template struct TurnSolver<6, TurnProofNumbers>;
template struct TurnSolver<1, TurnScheme<DeepPn>>;
template struct TurnSolver<6, TurnScheme<DeepPn>>;
template struct TurnSolver<1, TurnScheme<Mcpn>>;
template struct TurnSolver<6, TurnScheme<Mcpn>>;
template struct TurnSolver<1, TurnScheme<Ppn>>;
template struct TurnSolver<6, TurnScheme<Ppn>>;

}  // namespace playproof
