// `reference`: the definition, read aloud.
#pragma once

#include <memory>

#include "host/playouts/backend.h"
#include "host/playouts/function.h"
#include "kernels/list.h"

namespace playproof {

struct ReferenceBackend {
  static BackendInfo info() {
    return {{"reference", "one playout after the other on the reference rules; slow", {}}};
  }
  template <Game G>
  static std::unique_ptr<PlayoutEvaluator<G>> make(const BackendParts<G>& parts) {
    constexpr double kPlyNs = 2000;
    Tally (*engine)(const typename G::Rules&, const LeafRequest<G>&) = nullptr;
    if constexpr (AcyclicGame<G> || kOwnPlayouts<G>) {
      engine = reference_playouts<G>;
    } else {
      engine = bounded_reference_playouts<G>;
    }
    return make_function_evaluator(parts, {"reference", one_by_one<G>(engine), kPlyNs});
  }
};

}  // namespace playproof
