#include "host/solve/threat_solver.h"

#include <memory>
#include <type_traits>
#include <utility>

#include "host/solve/threat_solver_impl.h"

namespace playproof {

template <int W, class Settings>
std::unique_ptr<SolverBase<Connect<W>>> make_threat_solver(
    const typename Connect<W>::Rules& rules, const typename Connect<W>::State& position,
    const Claim& claim, const SolveRequest& request, SolverNames names, const Settings& settings) {
  using Search = std::conditional_t<std::is_same_v<Settings, VcdtOptions>, Vcdt<W>, Vcst<W>>;
  return std::make_unique<ThreatSolver<W, Search>>(rules, position, claim, request,
                                                   std::move(names), settings);
}

template std::unique_ptr<SolverBase<Connect<1>>> make_threat_solver<1>(
    const Connect<1>::Rules&, const Connect<1>::State&, const Claim&, const SolveRequest&,
    SolverNames, const VcdtOptions&);
template std::unique_ptr<SolverBase<Connect<6>>> make_threat_solver<6>(
    const Connect<6>::Rules&, const Connect<6>::State&, const Claim&, const SolveRequest&,
    SolverNames, const VcdtOptions&);
template std::unique_ptr<SolverBase<Connect<1>>> make_threat_solver<1>(
    const Connect<1>::Rules&, const Connect<1>::State&, const Claim&, const SolveRequest&,
    SolverNames, const VcstOptions&);
template std::unique_ptr<SolverBase<Connect<6>>> make_threat_solver<6>(
    const Connect<6>::Rules&, const Connect<6>::State&, const Claim&, const SolveRequest&,
    SolverNames, const VcstOptions&);
}  // namespace playproof
