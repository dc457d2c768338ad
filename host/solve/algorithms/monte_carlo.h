// What mcpn and ppn share: the estimate of a leaf from its playouts.
#pragma once

#include "host/solve/best_first_maker.h"
#include "host/solve/option_rows.h"
#include "kernels/numbers/probability.h"

namespace playproof {

template <Game G>
WinRateRule win_rate_rule(const SolverParts<G>& parts) {
  return {parts.is("rule", "beta"), parts.options.real("theta")};
}

}  // namespace playproof
