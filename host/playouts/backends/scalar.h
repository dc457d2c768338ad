// `scalar`: the baseline.
#pragma once

#include <memory>

#include "host/playouts/backend.h"
#include "host/playouts/function.h"
#include "kernels/list.h"

namespace playproof {

struct ScalarBackend {
  static BackendInfo info() {
    return {{"scalar", "one playout after the other, other ones than cpu; the baseline", {}},
            "scalar"};
  }
  template <Game G>
  static std::unique_ptr<PlayoutEvaluator<G>> make(const BackendParts<G>& parts) {
    Tally (*engine)(const typename G::Rules&, const LeafRequest<G>&) = nullptr;
    if constexpr (kOwnPlayouts<G>) {
      engine = scalar_playouts<G>;
    } else if constexpr (!AcyclicGame<G>) {
      engine = bounded_scalar_playouts<G>;
    } else {
      engine = generic_scalar_playouts<G>;
    }
    return make_function_evaluator(parts, {"scalar", one_by_one<G>(engine), kPlyCost<G>.scalar});
  }
};

}  // namespace playproof
